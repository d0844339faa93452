import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/scheduler';
import { isWithin } from '../../node/isWithin';
import { checkPath, isAbsolutePath } from '../files/pathPolicy';
import { markedWindow } from '../platform/markedWindow';
import type { SessionIndex, SessionRecord } from './sessionIndex';

/**
 * Adds a session of an agent's list to the index. Asks first if its folder is none of the session's folders.
 * @param roots the session's folders @returns our id; undefined if the user declines
 */
export async function recordRemote(
  record: Omit<SessionRecord, 'id' | 'createdAt' | 'updatedAt'>,
  roots: readonly string[],
  index: Pick<SessionIndex, 'put'>,
  clock: Clock,
): Promise<string | undefined> {
  const agreed = await agreeToFolder(record.agent, record.cwd, roots);
  if (agreed === undefined) return undefined;
  const id = randomUUID();
  const now = clock.now();
  index.put({ ...record, id, createdAt: now, updatedAt: now, ...(agreed === '' ? {} : { agreedFolder: agreed }) });
  return id;
}

/**
 * Whether a session may be opened in a folder that its agent named. One outside of the session's folders becomes one of
 * them only if the user agrees to it, because the agent then reads and writes there without asking.
 * @returns the folder that the user agreed to, links resolved, or "" where it needs no agreement; undefined where the
 * user did not agree
 */
export async function agreeToFolder(agent: string, cwd: string, roots: readonly string[]): Promise<string | undefined> {
  if (!isAbsolutePath(cwd))
    return void markedWindow.showWarningMessage(
      l10n.t('{0} lists this session without a valid folder, so it cannot be opened.', agent),
    );
  const { inside, real } = await checkPath(cwd, roots);
  if (inside) return '';
  const open = l10n.t('Open');
  const detail = [
    real,
    l10n.t(
      '{0} names this folder. If you open the session, {0} can read and write everything in it without asking.',
      agent,
    ),
    ...(isWithin(homedir(), real) ? [l10n.t('It contains your home folder.')] : []),
  ].join('\n\n');
  return (await markedWindow.showWarningMessage(
    l10n.t('Open a session in a folder outside the workspace?'),
    { modal: true, detail },
    open,
  )) === open
    ? real
    : undefined;
}
