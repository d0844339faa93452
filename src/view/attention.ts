import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';

/** The state of one session for the badge, the status bar and notifications. */
export interface AttentionItem {
  readonly agent: string;
  /** The session's title; absent before its first message. */
  readonly title?: string;
  /** The titles of pending requests, oldest first. */
  readonly waiting: readonly string[];
  /** The subagent that made the first of them; absent for the agent itself. */
  readonly asker?: string;
  readonly running: boolean;
  /** The title of the running tool call. */
  readonly activity?: string;
  /** A turn has ended since the user looked last. */
  readonly unread: boolean;
  /** The turn that ended unseen has failed. */
  readonly failed?: boolean;
}

/** `off`: never. `waiting`: only for pending requests. `all`: also for turns that ended. */
export type NotificationSetting = 'off' | 'waiting' | 'all';

/** Reasons for a notification. */
export type NotificationKind = 'waiting' | 'finished' | 'failed';

/** True if a notification is shown for it. None is shown for what is in view. */
export function isTold(kind: NotificationKind, setting: NotificationSetting, inSight: boolean): boolean {
  if (inSight || setting === 'off') return false;
  return setting === 'all' || kind === 'waiting';
}

/** The notification for the end of a turn; undefined if the user ended it. */
export function notificationOfEnd(stopReason: string): Exclude<NotificationKind, 'waiting'> | undefined {
  if (stopReason === 'cancelled') return undefined;
  return stopReason === 'failed' ? 'failed' : 'finished';
}

/**
 * The number on the view's icon and its tooltip. It counts pending requests, and sessions that finished or failed
 * unseen.
 */
export function badgeOf(items: readonly AttentionItem[]): { readonly value: number; readonly tooltip: string } {
  const answers = items.reduce((sum, item) => sum + item.waiting.length, 0);
  const unread = unreadOf(items);
  const failed = unread.filter((item) => item.failed).length;
  const finished = unread.length - failed;
  const words = [
    ...(answers === 0
      ? []
      : [answers === 1 ? l10n.t('An agent needs your answer') : l10n.t('{0} requests need your answer', answers)]),
    ...(failed === 0
      ? []
      : [failed === 1 ? l10n.t('A failed session is unread') : l10n.t('{0} failed sessions are unread', failed)]),
    ...(finished === 0
      ? []
      : [
          finished === 1
            ? l10n.t('A finished session is unread')
            : l10n.t('{0} finished sessions are unread', finished),
        ]),
  ];
  return { value: answers + unread.length, tooltip: words.join('. ') };
}

/**
 * The state of all sessions in a few words: "1 waiting, 2 running, 1 failed, 1 unread"; "" if there is none of these.
 */
export function stateWords(items: readonly AttentionItem[]): string {
  const waiting = items.filter((item) => item.waiting.length > 0).length;
  const running = items.filter((item) => item.running && item.waiting.length === 0).length;
  const failed = unreadOf(items).filter((item) => item.failed).length;
  const finished = unreadOf(items).length - failed;
  const parts = [
    ...(waiting === 0 ? [] : [l10n.t('{0} waiting', waiting)]),
    ...(running === 0 ? [] : [l10n.t('{0} running', running)]),
    ...(failed === 0 ? [] : [l10n.t('{0} failed', failed)]),
    ...(finished === 0 ? [] : [l10n.t('{0} unread', finished)]),
  ];
  return parts.join(', ');
}

/** One line for each session that is running, unread or has pending requests. */
export function stateLines(items: readonly AttentionItem[]): string[] {
  return items.flatMap((item) => {
    const state = stateOf(item);
    // The first request may be a subagent's and the next one the agent's own.
    const name = item.waiting.length === 1 ? (item.asker ?? item.agent) : item.agent;
    return state === undefined
      ? []
      : [`${name}${item.title === undefined ? '' : ` (${shortened(item.title)})`}: ${state}`];
  });
}

function stateOf({ waiting, running, activity, unread, failed }: AttentionItem): string | undefined {
  if (waiting.length > 1) return l10n.t('waiting for {0} answers', waiting.length);
  if (waiting.length === 1) return l10n.t('waiting for you: {0}', shortened(waiting[0]!));
  if (running) return activity === undefined ? l10n.t('working') : l10n.t('working: {0}', shortened(activity));
  return unread ? (failed ? l10n.t('failed') : l10n.t('finished')) : undefined;
}

function unreadOf(items: readonly AttentionItem[]): readonly AttentionItem[] {
  return items.filter((item) => item.unread && !item.running && item.waiting.length === 0);
}

const longest = 80;

/** One line that fits into a tooltip. */
function shortened(text: string): string {
  return visibleLine(text, longest - 1);
}

/** `on`, `off`, or `auto`: as VS Code's own settings say. */
export type SoundSetting = 'auto' | 'on' | 'off';

/** VS Code's settings of its accessibility signals, as they are read: a user may have put anything there. */
export interface SignalSettings {
  /** `accessibility.signals.chatUserActionRequired`. */
  readonly actionRequired: unknown;
  /** `accessibility.signals.chatResponseReceived`. */
  readonly responseReceived: unknown;
  /** `accessibility.signalOptions.volume`, 0 to 100. */
  readonly volume: unknown;
  /** `editor.accessibilitySupport`. */
  readonly support: unknown;
}

/**
 * The volume of a notification's sound, 0 to 1; undefined for no sound.
 *
 * VS Code lets no extension play its signals, nor see whether a screen reader is attached. So `auto`, in its settings
 * and in ours, means: where `editor.accessibilitySupport` is `on`.
 */
export function soundVolume(
  kind: NotificationKind,
  setting: SoundSetting,
  { actionRequired, responseReceived, volume, support }: SignalSettings,
): number | undefined {
  const signal = soundOf(kind === 'waiting' ? actionRequired : responseReceived);
  const chosen = setting === 'auto' ? signal : setting;
  if (chosen === 'off' || (chosen === 'auto' && support !== 'on')) return undefined;
  // VS Code's own default for an invalid value.
  const percent = typeof volume === 'number' ? Math.max(0, Math.min(100, volume)) : 50;
  return percent === 0 ? undefined : percent / 100;
}

function soundOf(signal: unknown): SoundSetting {
  const sound =
    typeof signal === 'object' && signal !== null ? (signal as { readonly sound?: unknown }).sound : undefined;
  return sound === 'on' || sound === 'off' ? sound : 'auto';
}
