import { describe, expect, it } from 'vitest';
import { SilenceWatch, silenceAfterMs } from '../../../src/thread/silence';
import { FakeClock } from '../../fakes/fakeClock';

function watch() {
  const clock = new FakeClock();
  const seen: (number | undefined)[] = [];
  const silence = new SilenceWatch(clock, () => seen.push(silence.since));
  return { clock, seen, silence };
}

describe('silence of an agent', () => {
  it('is noticed once it is long, and ends with the next word', () => {
    const { clock, seen, silence } = watch();
    const start = clock.now();
    silence.start();
    clock.advance(silenceAfterMs - 1);
    expect(silence.since).toBeUndefined();
    clock.advance(1);
    expect(seen).toEqual([start]);
    clock.advance(60_000);
    expect(seen).toEqual([start]);
    silence.heard();
    expect(seen).toEqual([start, undefined]);
    clock.advance(silenceAfterMs);
    expect(seen).toHaveLength(3);
  });

  it('is counted from the last word', () => {
    const { clock, seen, silence } = watch();
    silence.start();
    for (let i = 0; i < 10; i++) {
      clock.advance(silenceAfterMs - 1);
      silence.heard();
    }
    expect(seen).toEqual([]);
    const last = clock.now();
    clock.advance(silenceAfterMs);
    expect(seen).toEqual([last]);
  });

  it('is nothing outside a turn', () => {
    const { clock, seen, silence } = watch();
    silence.heard();
    clock.advance(2 * silenceAfterMs);
    silence.start();
    silence.stop();
    clock.advance(2 * silenceAfterMs);
    expect(seen).toEqual([]);
    expect(silence.since).toBeUndefined();
  });
});
