import type { Logger } from '../../base/log';
import { readRepositoryText } from '../../node/readRepositoryFile';
import type { ThreadAction } from '../../thread/actions';
import type { Session } from '../../thread/session';
import { resolvePath } from '../../view/labels';
import { patchLines, unnumberedFiles } from '../../view/patchLines';

/** Looks up the line numbers of a patch that has none, in the files of the session's folder. */
export async function placePatch(session: Session, cwd: string, action: ThreadAction, log: Logger): Promise<void> {
  if (action.type !== 'toolCall/patched' || action.fields.rawInput === undefined || cwd === '') return;
  const { toolCallId, rawInput } = action.fields;
  const files = unnumberedFiles(rawInput);
  if (files.length === 0) return;
  const texts = new Map<string, string>();
  for (const path of files) {
    const text = await readRepositoryText(cwd, resolvePath(path, cwd), log);
    if (text !== undefined) texts.set(path, text);
  }
  const lines = patchLines(rawInput, (path) => texts.get(path));
  if (lines.some((hunks) => hunks.some(([before]) => before > 0))) session.placePatch(toolCallId, rawInput, lines);
}
