import { withoutControls } from '../base/controlSequences';
import type { BackgroundView } from '../protocol/backgroundView';
import type { TerminalView } from '../protocol/terminalView';
import { ancestors } from '../thread/subagents';
import { type EntryId, isOpen, type Thread, type ToolCall } from '../thread/thread';

/** A command that has not ended, as far as Parley knows. */
export interface RunningTerminal extends Pick<TerminalView, 'terminalId' | 'command' | 'canOpen' | 'canCancel'> {
  /** Epoch ms. */
  readonly startedAt: number;
  /** Its end is always reported. Of an agent's own command of v1, it may never be. */
  readonly tellsEnd: boolean;
}

/** Characters of a title. The card has all of it. */
const maxTitle = 1_000;
/** The newest entries in which the card of a terminal is looked for. */
const maxSearched = 2_000;

/**
 * What is still at work in a session beside its turn, oldest first: commands whose call or turn has ended, and calls
 * that go on without their turn.
 * @param running commands of the session, as `RunningTerminal`
 */
export function backgroundWork(thread: Thread, running: readonly RunningTerminal[]): readonly BackgroundView[] {
  const { turn, background = [], open } = thread;
  const reported = new Set(background.flatMap((item) => (item.type === 'terminal' ? item.terminalId : [])));
  const cards = new Set<EntryId>();
  const rows: BackgroundView[] = [];
  for (const terminal of running) {
    const card = cardOf(thread, terminal.terminalId);
    const isLeft = turn === undefined || (card !== undefined && !isOpen(card));
    if (!reported.has(terminal.terminalId) && !(isLeft && (terminal.tellsEnd || card?.isBackground))) continue;
    if (card) cards.add(card.id);
    rows.push(commandRow(terminal, card));
  }
  const left = open.flatMap((index) => (turn === undefined || index < turn.firstIndex ? callAt(thread, index) : []));
  const calls = new Map([...left, ...reportedCalls(thread)].map((call) => [call.id, call]));
  for (const [id, call] of calls) {
    const above = [...ancestors(thread, id)].filter((parent) => parent !== id);
    // The call of a subagent stands for all that the subagent does.
    if (!cards.has(id) && !above.some((parent) => calls.has(parent))) rows.push(callRow(call));
  }
  for (const [i, item] of background.entries())
    if (item.type === 'other')
      rows.push({ key: `other:${i}`, kind: 'other', title: shortened(item.description ?? '') });
  return rows.sort((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity) || 0);
}

function commandRow(
  { terminalId, command, canOpen, canCancel, startedAt }: RunningTerminal,
  card: ToolCall | undefined,
) {
  const title = command ?? card?.title ?? '';
  return {
    key: `terminal:${terminalId}`,
    kind: 'command',
    title: shortened(title),
    since: startedAt,
    ...(card ? { entryId: card.id } : {}),
    ...(canOpen ? { opens: terminalId } : {}),
    ...(canCancel ? { stop: { terminalId } } : {}),
  } satisfies BackgroundView;
}

function callRow({ id, title, at, waited, canCancel, childSession }: ToolCall): BackgroundView {
  return {
    key: id,
    kind: childSession === undefined ? 'call' : 'subagent',
    title: shortened(title),
    since: at + (waited?.ms ?? 0),
    entryId: id,
    ...(canCancel ? { stop: { entryId: id } } : {}),
  };
}

/** Calls in the agent's own list that have not ended; the agent may report the end first. */
function reportedCalls(thread: Thread): ToolCall[] {
  return (thread.background ?? []).flatMap((item) => {
    if (item.type === 'subagent')
      return thread.open
        .flatMap((index) => callAt(thread, index))
        .filter(({ childSession }) => childSession === item.sessionId);
    const index = item.type === 'toolCall' ? thread.toolCalls.get(item.toolCallId) : undefined;
    return index === undefined ? [] : callAt(thread, index);
  });
}

function callAt(thread: Thread, index: number): ToolCall[] {
  const call = thread.entries.at(index);
  return call?.kind === 'toolCall' && isOpen(call) ? [call] : [];
}

/** The call that shows a terminal; undefined if none does, or if it is long ago. */
function cardOf({ entries, toolCalls }: Thread, terminalId: string): ToolCall | undefined {
  // Some agents give a call's terminal the id of the call.
  const own = toolCalls.get(terminalId);
  const end = Math.max(0, entries.length - maxSearched);
  for (let index = own ?? entries.length - 1; index >= (own ?? end); index--) {
    const entry = entries.at(index);
    if (entry?.kind !== 'toolCall') continue;
    if (index === own || entry.content.some((item) => item.type === 'terminal' && item.terminalId === terminalId))
      return entry;
  }
  return undefined;
}

function shortened(text: string): string {
  return withoutControls(text.slice(0, maxTitle));
}
