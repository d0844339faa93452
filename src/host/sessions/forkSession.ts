import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { SessionServiceOptions } from './sessionService';

/** Copies what was said in a session, as the beginning of another one that the agent forks when it is joined. @returns its id; undefined where that cannot be */
export async function forkSession({ transcripts, index, clock }: Pick<SessionServiceOptions, 'clock' | 'index' | 'transcripts'>, id: string, shownTitle: string | undefined): Promise<string | undefined> {
  const record = index.get(id);
  if (record?.remoteId === undefined) return undefined;
  const { agent, cwd, remoteId: forkOf } = record;
  const now = clock.now();
  const copy = { id: randomUUID(), agent, cwd, createdAt: now };
  if (!(await transcripts.copy(id, { version: 1, ...copy }))) return undefined;
  const title = shownTitle ?? record.ownTitle ?? record.title;
  index.put({ ...copy, updatedAt: now, forkOf, ...(title === undefined ? {} : { ownTitle: l10n.t('Fork of {0}', title) }) });
  return copy.id;
}
