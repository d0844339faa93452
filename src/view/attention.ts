import { visibleLine } from '../base/visibleText';

/** One session, as far as the person may have to know of it. */
export interface AttentionItem {
  readonly agent: string;
  /** What the person knows the session by; absent before anything was said in it. */
  readonly title?: string;
  /** What waits for the person, oldest first, by its title. */
  readonly waiting: readonly string[];
  readonly running: boolean;
  /** What the running tool is called. */
  readonly activity?: string;
  /** A turn has ended since the person looked last. */
  readonly unread: boolean;
  /** The one that ended unseen has failed. */
  readonly failed?: boolean;
}

/** `off`: never. `waiting`: only for what waits for an answer. `all`: also for turns that ended. */
export type NotificationSetting = 'off' | 'waiting' | 'all';

/** What the person may be told of. */
export type NotificationKind = 'waiting' | 'finished' | 'failed';

/** Whether a notification is shown for it. What happens in sight needs none. */
export function isTold(kind: NotificationKind, setting: NotificationSetting, inSight: boolean): boolean {
  if (inSight || setting === 'off') return false;
  return setting === 'all' || kind === 'waiting';
}

/** What a turn's end means to someone who is not there; `undefined` where the person ended it. */
export function notificationOfEnd(stopReason: string): Exclude<NotificationKind, 'waiting'> | undefined {
  if (stopReason === 'cancelled') return undefined;
  return stopReason === 'failed' ? 'failed' : 'finished';
}

/** The number on the view's icon and what it counts: answers that are waited for, and sessions that finished or failed unseen. */
export function badgeOf(items: readonly AttentionItem[]): { readonly value: number; readonly tooltip: string } {
  const answers = items.reduce((sum, item) => sum + item.waiting.length, 0);
  const unread = unreadOf(items);
  const ended = (count: number, what: string) => (count === 0 ? [] : [count === 1 ? `A session has ${what} unseen` : `${count} sessions have ${what} unseen`]);
  const failed = unread.filter((item) => item.failed).length;
  const words = [
    ...(answers === 0 ? [] : [answers === 1 ? 'An agent waits for your answer' : `Agents wait for ${answers} answers`]),
    ...ended(failed, 'failed'),
    ...ended(unread.length - failed, 'finished'),
  ];
  return { value: answers + unread.length, tooltip: words.join('. ') };
}

/** The state of all sessions in a few words: "1 waiting, 2 running, 1 failed, 1 unread"; "" while there is nothing to say. */
export function stateWords(items: readonly AttentionItem[]): string {
  const waiting = items.filter((item) => item.waiting.length > 0).length;
  const running = items.filter((item) => item.running && item.waiting.length === 0).length;
  const parts = [
    [waiting, 'waiting'],
    [running, 'running'],
    [unreadOf(items).filter((item) => item.failed).length, 'failed'],
    [unreadOf(items).filter((item) => !item.failed).length, 'unread'],
  ] as const;
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
}

/** One line for each session in which something goes on. */
export function stateLines(items: readonly AttentionItem[]): string[] {
  return items.flatMap((item) => {
    const state = stateOf(item);
    return state === undefined ? [] : [`${item.agent}${item.title === undefined ? '' : ` (${shortened(item.title)})`}: ${state}`];
  });
}

function stateOf({ waiting, running, activity, unread, failed }: AttentionItem): string | undefined {
  if (waiting.length > 1) return `waits for ${waiting.length} answers`;
  if (waiting.length === 1) return `waits for you: ${shortened(waiting[0]!)}`;
  if (running) return activity === undefined ? 'is working' : `is working: ${shortened(activity)}`;
  return unread ? (failed ? 'could not finish' : 'has ended its turn') : undefined;
}

function unreadOf(items: readonly AttentionItem[]): readonly AttentionItem[] {
  return items.filter((item) => item.unread && !item.running && item.waiting.length === 0);
}

const longest = 80;

/** One line, and not longer than a tooltip can show. */
function shortened(text: string): string {
  return visibleLine(text, longest - 1);
}
