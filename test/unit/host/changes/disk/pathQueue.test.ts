import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../../../src/base/deferred';
import { PathQueue } from '../../../../../src/host/changes/disk/pathQueue';
import { FakeClock } from '../../../../fakes/fakeClock';

function queue() {
  const clock = new FakeClock();
  const batches: [string, number][][] = [];
  let gate: Deferred<void> | undefined;
  let running = 0;
  const made = new PathQueue(clock, async (paths) => {
    expect(++running).toBe(1);
    batches.push([...paths]);
    await gate?.promise;
    running--;
  });
  return { clock, batches, queue: made, hold: () => (gate = new Deferred<void>()) };
}

describe('paths that wait to be looked at', () => {
  it('are looked at together a moment after the first, each once, by when it was told first', async () => {
    const { clock, batches, queue: paths } = queue();
    const start = clock.now();
    paths.add('/a');
    clock.advance(50);
    paths.add('/b');
    paths.add('/a');
    clock.advance(70);
    await paths.drain();
    expect(batches).toEqual([
      [
        ['/a', start],
        ['/b', start + 50],
      ],
    ]);
  });

  it('never overlap: what is asked for now comes after the batch that runs, before those that wait', async () => {
    const { batches, queue: paths, hold } = queue();
    const gate = hold();
    for (let i = 0; i < 500; i++) paths.add(`/${i}`);
    const all = paths.drain();
    await new Promise((resolve) => setImmediate(resolve));
    const now = paths.now(['/urgent', '/499']);
    gate.resolve();
    await now;
    expect(batches.map((batch) => batch.length)).toEqual([200, 2]);
    await all;
    expect(batches.map((batch) => batch.length)).toEqual([200, 2, 200, 99]);
  });

  it('are all looked at when a drain ends, those too that came while it ran', async () => {
    const { batches, queue: paths, hold } = queue();
    const gate = hold();
    paths.add('/a');
    const all = paths.drain();
    await new Promise((resolve) => setImmediate(resolve));
    paths.add('/b');
    gate.resolve();
    await all;
    expect(batches.map((batch) => batch.map(([path]) => path))).toEqual([['/a'], ['/b']]);
    await paths.drain();
    expect(batches.length).toBe(2);
  });
});
