import * as l10n from '@vscode/l10n';
import type { FormField } from '../acp/decodeFormField';
import { withoutControls } from '../base/controlSequences';
import type { ThreadAction } from './actions';
import { type Elicitation, entryIdAt, type EntryId, indexOfEntry, type Thread } from './thread';
import { clip } from '../base/oneLine';

type Action<T extends ThreadAction['type']> = Extract<ThreadAction, { type: T }>;

/** Shows an elicitation, which is now pending. Its entry is the last one of the thread. */
export function requestElicitation(
  thread: Thread,
  { requestId, message, ask, toolCallId, at }: Action<'elicitation/requested'>,
): Thread {
  const index = thread.entries.length;
  const entry: Elicitation = {
    kind: 'elicitation',
    id: entryIdAt(index),
    at,
    requestId,
    message,
    ask,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    state: 'waiting',
    errors: noErrors,
    answers: [],
  };
  return { ...thread, entries: thread.entries.push(entry), waiting: [...thread.waiting, { requestId, index, at }] };
}

const noErrors: ReadonlyMap<string, string> = new Map();

/** Shows the problems of submitted values; the form stays pending. */
export function refuseElicitation(thread: Thread, { entryId, errors }: Action<'elicitation/refused'>): Thread {
  const found = find(thread, entryId);
  return found?.state === 'waiting' ? replace(thread, { ...found, errors }) : thread;
}

/**
 * Settles an elicitation: the user has answered, or the agent has finished after a page was opened. A settled one does
 * not change again.
 */
export function settleElicitation(thread: Thread, { entryId, state, answers }: Action<'elicitation/settled'>): Thread {
  const found = find(thread, entryId);
  if (!found || (found.state !== 'waiting' && found.state !== 'opened')) return thread;
  const settled = replace(thread, { ...found, state, errors: noErrors, ...(answers ? { answers } : {}) });
  return found.state === 'waiting'
    ? { ...settled, waiting: thread.waiting.filter(({ requestId }) => requestId !== found.requestId) }
    : settled;
}

function find(thread: Thread, entryId: EntryId): Elicitation | undefined {
  const entry = thread.entries.at(indexOfEntry(entryId));
  return entry?.kind === 'elicitation' ? entry : undefined;
}

function replace(thread: Thread, entry: Elicitation): Thread {
  return { ...thread, entries: thread.entries.set(indexOfEntry(entry.id), entry) };
}

/** A longer message is shown as text, not as a title. */
const maxTitle = 120;

/** The title of the question: the agent's own, or a short message, or the first words of a long one. */
export function elicitationTitle({ message, ask }: Pick<Elicitation, 'message' | 'ask'>): string {
  const title = ask.mode === 'form' && ask.form.title !== undefined ? withoutControls(ask.form.title) : undefined;
  const line = (
    title ??
    withoutControls(message.slice(0, 8 * maxTitle))
      .trim()
      .slice(0, 2 * maxTitle)
      .split(/\r?\n/)[0] ??
    ''
  ).trim();
  if (line === '') return ask.mode === 'form' ? l10n.t('A form') : l10n.t('A web page');
  return clip(line, maxTitle);
}

/** The value of a field: text (also for numbers), the state of a checkbox, or the chosen options. */
export type FormValue = string | boolean | readonly string[];

/** The initial value of a field. */
export function defaultOf(field: FormField): FormValue {
  switch (field.type) {
    case 'string':
    case 'select':
      return field.default ?? '';
    case 'number':
    case 'integer':
      return field.default === undefined ? '' : String(field.default);
    case 'boolean':
      return field.default ?? false;
    case 'multiSelect':
      return field.default;
    case 'unsupported':
      return '';
  }
}
