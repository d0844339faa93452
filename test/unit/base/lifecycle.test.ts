import { describe, expect, it } from 'vitest';
import { CancellationSource } from '../../../src/base/cancellation';
import { Deferred } from '../../../src/base/deferred';
import { Emitter, handleListenerErrors } from '../../../src/base/event';
import { DisposableStore, MutableDisposable, toDisposable } from '../../../src/base/lifecycle';
import { Coalescer, waitAtMost } from '../../../src/base/scheduler';
import { FakeClock } from '../../fakes/fakeClock';

describe('base', () => {
  it('a store disposes in reverse order, once, and late arrivals at once', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => order.push('a')));
    store.add(toDisposable(() => order.push('b')));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => order.push('late')));
    expect(order).toEqual(['b', 'a', 'late']);
  });

  it('a replaceable disposable disposes what it replaces', () => {
    const order: string[] = [];
    const holder = new MutableDisposable();
    holder.value = toDisposable(() => order.push('a'));
    holder.value = toDisposable(() => order.push('b'));
    holder.dispose();
    holder.value = toDisposable(() => order.push('late'));
    expect(order).toEqual(['a', 'b', 'late']);
  });

  it('a listener that throws stops neither the others nor whoever fires; its error is reported', () => {
    const errors: unknown[] = [];
    const handler = handleListenerErrors((error) => errors.push((error as Error).message));
    const heard: number[] = [];
    const emitter = new Emitter<number>();
    emitter.event(() => {
      throw new Error('broken');
    });
    const second = emitter.event((value) => heard.push(value));
    emitter.fire(1);
    second.dispose();
    emitter.fire(2);
    handler.dispose();
    expect(heard).toEqual([1]);
    expect(errors).toEqual(['broken', 'broken']);
  });

  it('a listener that throws stops nobody when its error cannot be reported either', () => {
    const handler = handleListenerErrors(() => {
      throw new Error('the log is closed');
    });
    const heard: number[] = [];
    const emitter = new Emitter<number>();
    emitter.event(() => {
      throw new Error('broken');
    });
    emitter.event((value) => heard.push(value));
    expect(() => emitter.fire(1)).not.toThrow();
    handler.dispose();
    expect(heard).toEqual([1]);
  });

  it('a deferred settles once', async () => {
    const deferred = new Deferred<number>();
    expect([deferred.resolve(1), deferred.resolve(2), deferred.reject(new Error())]).toEqual([true, false, false]);
    expect(await deferred.promise).toBe(1);
  });

  it('a cancellation fires once', () => {
    let fired = 0;
    const source = new CancellationSource();
    source.token.onCancellationRequested(() => fired++);
    source.cancel();
    source.cancel();
    expect([fired, source.token.isCancellationRequested]).toEqual([1, true]);
  });

  it('a coalescer flushes once per interval', () => {
    const clock = new FakeClock();
    let flushes = 0;
    const coalescer = new Coalescer(clock, 16, () => flushes++);
    for (let i = 0; i < 100; i++) coalescer.schedule();
    clock.advance(15);
    expect(flushes).toBe(0);
    clock.advance(1);
    expect(flushes).toBe(1);
    coalescer.schedule();
    coalescer.flushNow();
    coalescer.flushNow();
    expect(flushes).toBe(2);
    coalescer.schedule();
    coalescer.dispose();
    coalescer.schedule();
    clock.advance(100);
    expect(flushes).toBe(2);
  });

  it('a wait with a limit ends with the work or when the time is up, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    expect([await waitAtMost(clock, 10, Promise.resolve()), clock.running]).toEqual([true, 0]);
    await expect(waitAtMost(clock, 10, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(clock.running).toBe(0);
    const work = new Deferred<void>();
    const late = waitAtMost(clock, 10, work.promise);
    clock.advance(10);
    work.resolve();
    expect([await late, clock.running]).toEqual([false, 0]);
  });
});
