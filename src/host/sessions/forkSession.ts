import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { SessionServices } from './sessionServices';

/**
 * Copies the transcript of a session into a new one. The agent forks its own session when the new one connects.
 * @returns the new id; undefined if the session cannot be forked
 */
export async function forkSession(
  { storage: { transcripts, index }, clock }: Pick<SessionServices, 'storage' | 'clock'>,
  id: string,
  shownTitle: string | undefined,
): Promise<string | undefined> {
  const record = index.get(id);
  if (record?.remoteId === undefined) return undefined;
  const { agent, cwd, agreedFolder, remoteId: forkOf } = record;
  const now = clock.now();
  const copy = { id: randomUUID(), agent, cwd, createdAt: now };
  if (!(await transcripts.copy(id, { version: 1, ...copy }))) return undefined;
  const title = shownTitle ?? record.ownTitle ?? record.title;
  index.put({
    ...copy,
    updatedAt: now,
    forkOf,
    ...(agreedFolder === undefined ? {} : { agreedFolder }),
    ...(title === undefined ? {} : { ownTitle: l10n.t('Fork of {0}', title) }),
  });
  return copy.id;
}
