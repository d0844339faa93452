import type { NotificationKind } from './attention';

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
 * How loud the user is told of something, 0 to 1; undefined where no sound is played.
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
  // What VS Code takes for what is no number.
  const percent = typeof volume === 'number' ? Math.max(0, Math.min(100, volume)) : 50;
  return percent === 0 ? undefined : percent / 100;
}

function soundOf(signal: unknown): SoundSetting {
  const sound =
    typeof signal === 'object' && signal !== null ? (signal as { readonly sound?: unknown }).sound : undefined;
  return sound === 'on' || sound === 'off' ? sound : 'auto';
}
