import { describe, expect, it } from 'vitest';
import {
  type NotificationKind,
  type SignalSettings,
  type SoundSetting,
  soundVolume,
} from '../../../src/view/attention';

/** As VS Code has them where nothing was changed. */
const untouched: SignalSettings = {
  actionRequired: { sound: 'auto', announcement: 'auto' },
  responseReceived: { sound: 'auto', announcement: 'auto' },
  volume: 70,
  support: 'auto',
};

describe('a sound', () => {
  it.each<[string, NotificationKind, SoundSetting, Partial<SignalSettings>, number | undefined]>([
    ['is not played where nothing was set', 'waiting', 'auto', {}, undefined],
    ['is with a screen reader', 'waiting', 'auto', { support: 'on' }, 0.7],
    ['is where VS Code’s signal is on', 'waiting', 'auto', { actionRequired: { sound: 'on' } }, 0.7],
    ['which is another for a turn that ended', 'finished', 'auto', { actionRequired: { sound: 'on' } }, undefined],
    ['and has its own', 'finished', 'auto', { responseReceived: { sound: 'on' } }, 0.7],
    ['also where it failed', 'failed', 'auto', { responseReceived: { sound: 'on' } }, 0.7],
    [
      'is not where that signal is off, also with a screen reader',
      'waiting',
      'auto',
      { actionRequired: { sound: 'off' }, support: 'on' },
      undefined,
    ],
    ['is where ours is on, whatever the signals say', 'waiting', 'on', { actionRequired: { sound: 'off' } }, 0.7],
    ['is not where ours is off', 'waiting', 'off', { actionRequired: { sound: 'on' }, support: 'on' }, undefined],
    ['is as loud as VS Code’s', 'waiting', 'on', { volume: 20 }, 0.2],
    ['and no louder than loud', 'waiting', 'on', { volume: 1_000 }, 1],
    ['is none where the volume is 0', 'waiting', 'on', { volume: 0 }, undefined],
    ['has VS Code’s volume where that is no number', 'waiting', 'on', { volume: 'loud' }, 0.5],
    ['makes nothing of signals that are none', 'waiting', 'auto', { actionRequired: 'on', support: 'on' }, 0.7],
    ['nor of an older VS Code without them', 'waiting', 'auto', { actionRequired: undefined }, undefined],
  ])('%s', (_what, kind, setting, settings, volume) =>
    expect(soundVolume(kind, setting, { ...untouched, ...settings })).toBe(volume),
  );
});
