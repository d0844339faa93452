import type { ThreadAction } from './actions';
import { closeMessages } from './messageChunks';
import {
  type Entry,
  type EntryId,
  entryIdAt,
  type HiddenRange,
  indexOfEntry,
  type Notice,
  type Rewind,
  type Thread,
} from './thread';

/** True if an entry was removed from the conversation by a rewind. */
export function isHidden({ hidden }: Thread, index: number): boolean {
  return hidden.some(({ from, to }) => from <= index && index < to);
}

/** The entries of the current conversation. @param end index of the first entry that is left out */
export function* shownEntries(thread: Thread, end = thread.entries.length): Generator<Entry> {
  let index = 0;
  for (const { from, to } of [...thread.hidden, { from: end, to: end }]) {
    for (; index < Math.min(from, end); index++) yield thread.entries.at(index)!;
    index = Math.max(index, to);
  }
}

/** The rewind that Redo reverses. */
export function lastRewind({ rewinds }: Thread): Rewind | undefined {
  return rewinds.at(-1);
}

/**
 * The action that Redo reverses: the last rewind, or a newer restore of files alone.
 * @param restore the last restore that can be reversed.
 * @returns its time in epoch ms; undefined if there is neither
 */
export function redoTarget(
  thread: Thread,
  restore: { readonly id: string; readonly at: number } | undefined,
): { readonly isRewind: boolean; readonly at: number } | undefined {
  const rewind = lastRewind(thread);
  const at = rewind && thread.entries.at(rewind.index)!.at;
  if (restore && (at === undefined || (restore.id !== rewind?.save && restore.at > at)))
    return { isRewind: false, at: restore.at };
  return at === undefined ? undefined : { isRewind: true, at };
}

/** True if the user sent a message since the last rewind; Redo would remove it. */
export function hasPromptSince({ entries }: Thread, { index }: Rewind): boolean {
  for (let i = index + 1; i < entries.length; i++) if (entries.at(i)?.kind === 'userMessage') return true;
  return false;
}

/**
 * Removes a prompt and everything after it from the conversation, and adds a notice at the cut, which offers Redo. The
 * entries stay in the list, so that ids remain valid and nothing is lost.
 */
export function rewind(
  thread: Thread,
  { at, entryId, title, detail, save, remoteId }: Extract<ThreadAction, { type: 'thread/rewound' }>,
): Thread {
  const from = indexOfEntry(entryId);
  if (thread.turn || thread.entries.at(from)?.kind !== 'userMessage' || isHidden(thread, from)) return thread;
  const closed = offerRedo(closeMessages(thread), lastRewind(thread), false);
  const index = closed.entries.length;
  const { hidden, plan, plans } = closed;
  const notice: Notice = {
    kind: 'notice',
    id: entryIdAt(index),
    at,
    severity: 'info',
    title,
    ...(detail === undefined ? {} : { detail }),
    actions: ['redo'],
  };
  return {
    ...closed,
    entries: closed.entries.push(notice),
    hidden: [...hidden.filter((range) => range.to <= from), { from, to: index }],
    rewinds: [
      ...closed.rewinds,
      {
        index,
        before: { hidden, plan, plans },
        ...(save === undefined ? {} : { save }),
        ...(remoteId === undefined ? {} : { remoteId }),
      },
    ],
    plan: [],
    plans: [],
  };
}

/** Restores the entries of the last rewind. Later entries are hidden instead. */
export function undoRewind(thread: Thread): Thread {
  const last = lastRewind(thread);
  if (thread.turn || !last) return thread;
  const closed = closeMessages(thread);
  const rewinds = closed.rewinds.slice(0, -1);
  const hidden: readonly HiddenRange[] = [...last.before.hidden, { from: last.index, to: closed.entries.length }];
  return offerRedo({ ...closed, ...last.before, hidden, rewinds }, rewinds.at(-1), true);
}

/** Only the newest rewind offers Redo. */
function offerRedo(thread: Thread, of: Rewind | undefined, isOffered: boolean): Thread {
  const notice = of && thread.entries.at(of.index);
  if (notice?.kind !== 'notice') return thread;
  return { ...thread, entries: thread.entries.set(of!.index, { ...notice, actions: isOffered ? ['redo'] : [] }) };
}

/** The prompt that an entry answers, or the prompt itself. */
export function promptBefore({ entries }: Thread, id: EntryId): Extract<Entry, { kind: 'userMessage' }> | undefined {
  for (let index = indexOfEntry(id); index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.kind === 'userMessage') return entry;
  }
  return undefined;
}
