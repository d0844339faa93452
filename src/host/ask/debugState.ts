import * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { debugSourcePath } from '../platform/debugSource';

/** Frames of one stack. */
const maxFrames = 30;

/**
 * The call stack of a paused program, one frame a line, the innermost first.
 * @param threadId without it, that of the frame that is selected in the Call Stack view
 * @param sessionId of the debug session; without it the active one
 * @returns undefined if nothing is paused
 */
export async function stackText(
  threadId: number | undefined,
  sessionId: string | undefined,
): Promise<string | undefined> {
  const session = vscode.debug.activeDebugSession;
  const selected = vscode.debug.activeStackItem;
  const thread = threadId ?? selected?.threadId;
  if (!session || thread === undefined || (sessionId !== undefined && session.id !== sessionId)) return undefined;
  try {
    const answer: unknown = await session.customRequest('stackTrace', { threadId: thread, levels: maxFrames });
    const frames = asObject(answer)['stackFrames'];
    const lines = (Array.isArray(frames) ? frames : []).map((raw: unknown) => {
      const { name, line, source } = asObject(raw);
      const path = debugSourcePath(asObject(source)['path']);
      const where = path === undefined ? '' : ` (${vscode.workspace.asRelativePath(path)}:${String(line)})`;
      return `${String(name)}${where}`;
    });
    return lines.length === 0 ? undefined : `${lines.slice(0, maxFrames).join('\n')}\n`;
  } catch {
    // The program runs on, or its debugger knows no stacks.
    return undefined;
  }
}

/**
 * The text of the debug console. VS Code's only way to it is its copy command, so this uses the clipboard for a moment,
 * and restores it if it contained text.
 */
export async function debugConsoleText(): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  try {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.debug.action.copyAll');
    const copied = await vscode.env.clipboard.readText();
    return copied.trim() === '' ? undefined : copied;
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
