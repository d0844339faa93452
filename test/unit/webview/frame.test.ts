import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FrameLoop, SliceQueue } from '../../../webview/lib/frame';

/** Frames of 16 ms, and work that takes as long as a test says. */
let now = 0;
let callbacks: (() => void)[] = [];

beforeEach(() => {
  now = 10_000;
  callbacks = [];
  vi.stubGlobal('performance', { now: () => now });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => callbacks.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function nextFrame(): void {
  now = Math.ceil((now + 0.01) / 16) * 16;
  for (const callback of callbacks.splice(0)) callback();
}

/** A loop whose every frame costs so many ms, and the times of its frames. */
function loopOf(cost: number) {
  const drawn: number[] = [];
  const loop = new FrameLoop(
    () => {
      drawn.push(now);
      now += cost;
    },
    () => {},
    new SliceQueue(),
  );
  return { loop, drawn };
}

/** Asks for a frame in each frame, as a stream does. */
function stream(loop: FrameLoop, frames: number): void {
  for (let i = 0; i < frames; i++) {
    loop.request();
    nextFrame();
  }
}

describe('the frame loop', () => {
  it('draws cheap frames one after the other', () => {
    const { loop, drawn } = loopOf(2);
    stream(loop, 100);
    expect(drawn).toHaveLength(100);
  });

  it('draws a short burst without a rest', () => {
    const { loop, drawn } = loopOf(15);
    stream(loop, 3);
    expect(drawn).toHaveLength(3);
  });

  it('draws what ends a flood without a rest', () => {
    const { loop, drawn } = loopOf(15);
    let frames = -1;
    for (let i = 0; i < 400 && drawn.length > frames; i++) {
      frames = drawn.length;
      stream(loop, 1);
    }
    expect(drawn).toHaveLength(frames);
    loop.hurry();
    nextFrame();
    expect(drawn).toHaveLength(frames + 1);
  });

  it('leaves most of the time to others while costly frames go on', () => {
    const { loop, drawn } = loopOf(15);
    const start = now;
    stream(loop, 400);
    expect((drawn.length * 15) / (now - start)).toBeLessThan(0.35);
    expect(Math.max(...drawn.slice(1).map((at, i) => at - drawn[i]!))).toBeLessThan(100);
  });

  it('draws less in a frame after one that took long, and the whole share again later', () => {
    const shares: number[] = [];
    let cost = 30;
    const loop = new FrameLoop(
      (deadline) => {
        const start = now;
        while (deadline()) now += 0.25;
        shares.push(now - start);
        now += cost;
      },
      () => {},
      new SliceQueue(),
    );
    stream(loop, 60);
    const least = Math.min(...shares);
    cost = 0;
    stream(loop, 60);
    expect([shares[0], least, shares.at(-1)]).toEqual([4, 1, 4]);
  });

  it('never rests for long, however costly a frame was', () => {
    const { loop, drawn } = loopOf(400);
    stream(loop, 40);
    expect(Math.max(...drawn.slice(1).map((at, i) => at - drawn[i]! - 400))).toBeLessThan(120);
  });

  it('leaves the frame after a key to the key, and only that one', () => {
    const { loop, drawn } = loopOf(10);
    stream(loop, 1);
    loop.letInputThrough();
    loop.letInputThrough();
    stream(loop, 1);
    expect(drawn).toHaveLength(1);
    stream(loop, 1);
    expect(drawn).toHaveLength(2);
  });

  it('loses no frame to a key while frames are cheap', () => {
    const { loop, drawn } = loopOf(2);
    stream(loop, 1);
    loop.letInputThrough();
    stream(loop, 1);
    expect(drawn).toHaveLength(2);
  });

  it('leaves what can wait until no news has come for a moment, and under a stream without end not for ever', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const queue = new SliceQueue();
      const loop = new FrameLoop(
        () => {},
        () => {},
        queue,
      );
      const done: number[] = [];
      const start = now;
      for (let i = 0; i < 6; i++) {
        loop.didHear();
        queue.add(() => done.push(now - start));
        stream(loop, 1);
      }
      expect(done).toEqual([]);
      // Nor is a frame asked for that would draw nothing.
      expect(callbacks).toEqual([]);
      now += 100;
      vi.advanceTimersByTime(100);
      nextFrame();
      expect(done).toHaveLength(6);
      for (let i = 0; i < 60; i++) {
        loop.didHear();
        if (i === 0) queue.add(() => done.push(now - start));
        stream(loop, 1);
      }
      expect(done).toHaveLength(7);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does what the user waits for also while news comes', () => {
    const queue = new SliceQueue();
    const loop = new FrameLoop(
      () => {},
      () => {},
      queue,
    );
    queue.isAwaited = true;
    loop.didHear();
    let isDone = false;
    queue.add(() => (isDone = true));
    nextFrame();
    expect(isDone).toBe(true);
  });
});
