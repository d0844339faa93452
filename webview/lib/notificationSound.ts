import type { SoundName } from '../../src/protocol/messages';

/** Frequencies in Hertz, one after the other: up for a question, down for the end, low for a failure. */
const notes: Readonly<Record<SoundName, readonly number[]>> = {
  waiting: [587, 880],
  finished: [880, 587],
  failed: [330, 247],
};
const noteSeconds = 0.14;
/** The gain of a tone at full volume: as soft as VS Code's own signals. */
const loudest = 0.17;

let context: AudioContext | undefined;

/**
 * Plays two soft notes, `volume` of 1 at most. They are made here: nothing is loaded for them, so the CSP need not
 * allow anything.
 */
export function notificationSound(name: SoundName, volume: number): void {
  // Without it they would wait, and sound at the user's next click.
  if (!navigator.userActivation.hasBeenActive) return;
  const audio = (context ??= new AudioContext());
  void audio.resume();
  for (const [i, frequency] of notes[name].entries()) {
    const start = audio.currentTime + i * noteSeconds;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume * loudest, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * noteSeconds);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 2 * noteSeconds);
  }
}
