import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Deferred } from '../../../../../src/base/deferred';
import { Emitter } from '../../../../../src/base/event';
import { CommentingRanges } from '../../../../../src/host/review/feedback/commentingRanges';
import { FakeClock } from '../../../../fakes/fakeClock';

vi.mock('vscode', async () => ({
  ...(await import('../../../../fakes/fakeVscode')),
  window: { onDidChangeVisibleTextEditors: () => ({ dispose: () => undefined }) },
}));

const uri = { scheme: 'file', fsPath: '/p/a.ts', toString: () => 'file:///p/a.ts' };
const document = { uri, lineCount: 3 };
const changed = new Emitter<void>();
let clock: FakeClock;
let controller: { commentingRangeProvider?: { provideCommentingRanges(document: unknown): unknown } };
let ranges: CommentingRanges;
let stopped: Deferred<void>;

beforeEach(() => {
  clock = new FakeClock();
  controller = {};
  stopped = new Deferred();
  const review = { changes: () => [{ path: '/p/a.ts' }], changeIn: () => ({}), onDidChange: changed.event };
  ranges = new CommentingRanges(controller as never, review as never, clock);
});

/** @returns tells how the wait stands. */
async function wait(): Promise<() => Promise<boolean | undefined>> {
  let answer: boolean | undefined;
  void ranges.whenKnown(uri as never, stopped.promise).then((known) => (answer = known));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
}

describe('before a box for a comment opens', () => {
  it('Parley waits until VS Code asks, without looking again and again', async () => {
    const answer = await wait();
    expect([await answer(), clock.running]).toEqual([undefined, 1]);
    controller.commentingRangeProvider!.provideCommentingRanges(document);
    expect([await answer(), clock.running]).toEqual([true, 0]);
    expect(await ranges.whenKnown(uri as never, stopped.promise)).toBe(true);
  });

  it('and not without an end where it does not ask', async () => {
    const answer = await wait();
    clock.advance(9_999);
    expect(await answer()).toBeUndefined();
    clock.advance(1);
    expect(await answer()).toBe(false);
  });

  it('nor longer than the user wants', async () => {
    const answer = await wait();
    stopped.resolve();
    expect([await answer(), clock.running]).toEqual([false, 0]);
  });
});
