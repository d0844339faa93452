import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { longWork, shownWait } from '../../../../src/host/platform/longWork';

/** The progress notifications that were shown. */
const shown = vi.hoisted(() => [] as { title: string; cancellable: boolean; isOpen: boolean; stop?: () => void }[]);

vi.mock('vscode', () => ({
  ProgressLocation: { Notification: 15 },
  window: {
    withProgress: async (
      { title, cancellable }: { title: string; cancellable: boolean },
      task: (progress: unknown, token: unknown) => Promise<void>,
    ) => {
      const item = { title, cancellable, isOpen: true } as (typeof shown)[number];
      shown.push(item);
      await task({ report: () => undefined }, { onCancellationRequested: (stop: () => void) => (item.stop = stop) });
      item.isOpen = false;
    },
  },
}));

beforeEach(() => {
  shown.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('a wait is shown once it takes long, for as long as it takes, and a short one is not', async () => {
  expect(await shownWait('Short', Promise.resolve(1))).toBe(1);
  const work = new Deferred<string>();
  const waited = shownWait('Long', work.promise);
  await vi.advanceTimersByTimeAsync(999);
  expect(shown).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toMatchObject([{ title: 'Long', cancellable: false, isOpen: true }]);
  work.resolve('done');
  expect(await waited).toBe('done');
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toMatchObject([{ isOpen: false }]);
});

it('one that fails says so to who waits, and its notification goes', async () => {
  const work = new Deferred<void>();
  const waited = shownWait('Long', work.promise);
  await vi.advanceTimersByTimeAsync(1_000);
  work.reject(new Error('broken'));
  await expect(waited).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toMatchObject([{ isOpen: false }]);
});

it('the user can stop a wait that can be stopped', async () => {
  const work = new Deferred<void>();
  const waited = shownWait('Long', work.promise, { stop: () => work.resolve() });
  await vi.advanceTimersByTimeAsync(1_000);
  shown[0]!.stop!();
  await waited;
  expect(shown[0]!.cancellable).toBe(true);
});

it('work over many files is stopped before the next one', async () => {
  const next = new Deferred<void>();
  let files = 0;
  const waited = longWork('Undoing changes', 20, async (step) => {
    while (step()) {
      files++;
      await next.promise;
    }
  });
  await vi.advanceTimersByTimeAsync(1_000);
  shown[0]!.stop!();
  next.resolve();
  await waited;
  expect(files).toBe(1);
});
