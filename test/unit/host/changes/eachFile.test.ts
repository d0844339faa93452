import { describe, expect, it } from 'vitest';
import { eachFile } from '../../../../src/host/changes/eachFile';
import type { Target } from '../../../../src/changes/scope';

const targets = (count: number): Target[] =>
  Array.from({ length: count }, (_, i) => ({ sessionId: 's', path: `/p/${i}`, ids: undefined }));
const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work on many files', () => {
  it('is done one by one where they are few, and on eight at a time where they are many', async () => {
    for (const [count, width] of [
      [50, 1],
      [500, 8],
    ] as const) {
      let running = 0;
      let most = 0;
      const done: string[] = [];
      await eachFile(targets(count), async ({ path }) => {
        most = Math.max(most, ++running);
        await moment();
        running--;
        done.push(path);
      });
      expect(done).toHaveLength(count);
      expect(most).toBe(width);
    }
  });

  it('never does two things with one file, and those in order', async () => {
    const running = new Set<string>();
    const sessions = new Map<string, string[]>();
    const twice = ['new', 'old'].flatMap((sessionId) => targets(100).map((target) => ({ ...target, sessionId })));
    await eachFile(twice, async ({ sessionId, path }) => {
      expect(running.has(path)).toBe(false);
      running.add(path);
      await moment();
      running.delete(path);
      sessions.set(path, [...(sessions.get(path) ?? []), sessionId]);
    });
    expect(sessions.size).toBe(100);
    expect([...sessions.values()].every(([first, second]) => first === 'new' && second === 'old')).toBe(true);
  });

  it('begins nothing more once it was stopped, and ends what it began', async () => {
    let begun = 0;
    let ended = 0;
    await eachFile(
      targets(500),
      async () => {
        begun++;
        await moment();
        ended++;
      },
      () => begun < 100,
    );
    expect(begun).toBe(100);
    expect(ended).toBe(100);
  });

  it('lets the host do other things in between, also where nothing is waited for', async () => {
    let breaths = 0;
    let isOver = false;
    const breathe = (): void => {
      breaths++;
      if (!isOver) setImmediate(breathe);
    };
    setImmediate(breathe);
    await eachFile(targets(1_000), async () => {
      const until = performance.now() + 0.2;
      while (performance.now() < until);
    });
    isOver = true;
    expect(breaths).toBeGreaterThan(1);
  });
});
