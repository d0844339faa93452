import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred';
import { Later, methodsOf } from '../../../src/base/later';

describe('Later', () => {
  it('loads once, with the first need', async () => {
    let loads = 0;
    const later = new Later(async () => ({ number: ++loads }));
    const opened: number[] = [];
    later.onDidOpen(({ number }) => opened.push(number));
    later.ifAsked(() => opened.push(-1));
    expect([loads, later.opened]).toEqual([0, undefined]);
    const [first, second] = await Promise.all([later.get(), later.get()]);
    expect([first, second === first, later.opened === first, opened]).toEqual([{ number: 1 }, true, true, [1]]);
  });

  it('keeps the order of what is asked while it loads', async () => {
    const loaded = new Deferred<{ say(word: string): number }>();
    const later = new Later(() => loaded.promise);
    const { say } = methodsOf(later, 'say');
    const said: string[] = [];
    later.onDidOpen(() => said.push('open'));
    const first = say('a');
    later.ifAsked((opened) => opened.say('b'));
    const third = say('c');
    loaded.resolve({ say: (word) => said.push(word) });
    expect([await first, await third, said]).toEqual([2, 4, ['open', 'a', 'b', 'c']]);
  });

  it('tries a failed load again at the next need', async () => {
    let loads = 0;
    const later = new Later(async () => {
      if (++loads === 1) throw new Error('no such file');
      return { loads };
    });
    const failed = later.get();
    later.ifAsked(() => expect.unreachable());
    await expect(failed).rejects.toThrow('no such file');
    expect(later.opened).toBeUndefined();
    expect(await later.get()).toEqual({ loads: 2 });
  });

  it('disposes what it has loaded, also what comes after its own end', async () => {
    const ended: string[] = [];
    const disposable = (name: string) => new Later(async () => ({ dispose: () => ended.push(name) }));
    const [early, late] = [disposable('early'), disposable('late')];
    await early.get();
    early.dispose();
    const loading = late.get();
    late.dispose();
    await loading;
    expect(ended).toEqual(['early', 'late']);
  });
});
