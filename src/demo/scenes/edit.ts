import { join } from 'node:path';
import type { PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { improve } from '../improve';
import type { Turn } from '../turn';
import { findFiles, label } from '../workspace';
import { leavePlanMode } from './plan';
import { readAsTool } from './read';

const options: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow edits', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** Changes one file, or three with "several", harmlessly and after asking. */
export async function edit(turn: Turn): Promise<void> {
  if (!turn.session.capabilities.fs?.writeTextFile) {
    return turn.say('This client does not let agents write files through the editor, so I changed nothing.\n');
  }
  if (turn.session.mode === 'plan' && !(await leavePlanMode(turn, 'I would change a file now.'))) {
    return turn.say('Then I keep planning. Nothing was changed.\n');
  }
  const several = /^(several|all|files|three)\b/i.test(turn.args);
  const files = await findFiles(turn, several ? 3 : 1);
  if (files.length === 0) {
    await turn.say('This folder has no file that I can improve, so I will write a new one.\n\n');
    await editFile(turn, join(turn.session.cwd, 'hello-parley.md'), '');
    return;
  }
  await turn.say(
    several
      ? `I will make a small change in ${files.length} files, one after the other.\n\n`
      : `I will make a small, harmless change in \`${label(turn, files[0] ?? '')}\`. First I read it.\n\n`,
  );
  let changed = 0;
  for (const path of files) {
    const text = await readAsTool(turn, path);
    if (text !== undefined && (await editFile(turn, path, text, several))) changed++;
  }
  await turn.say(
    changed > 0
      ? `\n${changed === 1 ? 'The file is' : `${changed} files are`} listed above the message box: ` +
          'review the diff there, keep it, or undo it. Ctrl+Z in the editor works too.\n'
      : '\nNothing was changed.\n',
  );
}

/** Asks for one edit and makes it. @returns whether the file was changed. */
export async function editFile(turn: Turn, path: string, text: string, several = false): Promise<boolean> {
  const { newText, summary } = improve(path, text, several);
  const isNew = text === '';
  const toolCall = {
    title: `${isNew ? 'Create' : 'Edit'} ${label(turn, path)}`,
    kind: 'edit' as const,
    locations: [{ path, line: firstDifference(text, newText) }],
    content: [{ type: 'diff' as const, path, oldText: isNew ? null : text, newText }],
  };
  const toolCallId = turn.startTool({ ...toolCall, status: 'pending', rawInput: { path, summary } });
  if (!(await allowed(turn, { toolCallId, ...toolCall, status: 'pending' }))) {
    turn.updateTool({ toolCallId, status: 'failed' });
    await turn.say(`\nI left \`${label(turn, path)}\` as it was.\n`);
    return false;
  }
  turn.updateTool({ toolCallId, status: 'in_progress' });
  // The user may have typed while the question was open; what they typed must not be lost.
  const now = isNew ? text : turn.session.capabilities.fs?.readTextFile ? await turn.readFile(path) : text;
  const result = now === text ? newText : improve(path, now, several).newText;
  await turn.writeFile(path, result);
  turn.updateTool({
    toolCallId,
    status: 'completed',
    content: [{ type: 'diff', path, oldText: isNew ? null : now, newText: result }],
  });
  await turn.say(`\n${summary}\n`);
  return true;
}

/** True if the mode or the user allows an edit. */
async function allowed(turn: Turn, toolCall: ToolCallUpdate): Promise<boolean> {
  const { session } = turn;
  if (session.mode === 'auto' || session.mode === 'bypass') return true;
  const choice = await turn.ask(toolCall, options);
  // "Always" is what the mode means, so the agent switches to it by itself.
  if (choice?.optionId === 'always') session.setMode('auto');
  return choice?.kind === 'allow_once' || choice?.kind === 'allow_always';
}

function firstDifference(before: string, after: string): number {
  const old = before.split('\n');
  const index = after.split('\n').findIndex((line, at) => line !== old[at]);
  return Math.max(index, 0) + 1;
}
