import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../fakes/fakeClock';
import { TurnWindow } from '../../../../fakes/turnWindow';
import { session } from '../../../../fakes/wholeWindow';
import { until } from '../../../../launch/poll.mjs';
import { contentOfText } from '../../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

/** No event comes in these tests: what an agent does is found when somebody looks. */
describe('what an agent did and is seen late', () => {
  let top: string;
  let window: TurnWindow;
  /** How far the clock of the window is ahead of the files. */
  let ahead: number;
  beforeEach(async () => {
    top = mkdtempSync(join(tmpdir(), 'parley-late-'));
    ahead = 0;
    window = new TurnWindow(top);
    window.clock = Object.assign(new FakeClock(), { now: () => Date.now() + ahead });
    for (const name of ['a.txt', 'b.txt']) writeFileSync(window.at(name), 'before\n');
    await window.open();
  });
  afterEach(() => {
    window.end();
    rmSync(top, { recursive: true, force: true });
  });

  /** Time goes on for as long as something is waited for. */
  async function over<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const done = work.finally(() => (isOver = true));
    await until('the look to end', () => {
      (window.clock as FakeClock).advance(20);
      return isOver;
    });
    return done;
  }

  it('belongs to the turn in which it happened, also once the next prompt is sent', async () => {
    await over(window.begin());
    writeFileSync(window.at('a.txt'), 'agent\n');
    window.endTurn();
    Object.assign(window, { prompt: 2 });
    Object.assign(window.mark, { turn: 'next', prompt: 2 });
    await over(window.begin());
    writeFileSync(window.at('b.txt'), 'agent\n');
    await over(window.turns.settle());
    const turnsIn = (name: string) => window.ledger.get(window.at(name))?.hunks.map(({ turns }) => turns.at(-1));
    expect([turnsIn('a.txt'), turnsIn('b.txt')]).toEqual([['turn'], ['next']]);
    const log = await window.checkpoints.log(session);
    expect(log.prompts.map((prompt) => [prompt, log.touchedBy(prompt)])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('is found before anybody restores', async () => {
    await over(window.begin());
    writeFileSync(window.at('new.txt'), 'agent\n');
    await over(window.turns.settle());
    expect(window.waits()).toEqual(['created new.txt']);
  });

  it('is a deletion of the turn that made it, however late it is found', async () => {
    await over(window.begin());
    rmSync(window.at('a.txt'));
    window.endTurn();
    ahead = 60_000;
    await over(window.seen('a.txt'));
    expect(window.waits()).toEqual(['deleted a.txt']);
  });

  it('is a deletion of the turn also where an event of something before it came just before the prompt', async () => {
    const begun = window.turns.begin(session);
    // The queue has the path, and looks at it once what was before is known.
    await until('the watch', () => window.turns.isFollowing, { interval: 0 });
    ahead = -5_000;
    const looked = window.seen('a.txt');
    await nextTask();
    ahead = 0;
    await over(begun);
    window.sends();
    rmSync(window.at('a.txt'));
    window.endTurn();
    await over(looked);
    await over(window.turns.settle());
    expect(window.waits()).toEqual(['deleted a.txt']);
  });

  it('is not a deletion by the user after the turn', async () => {
    await over(window.begin());
    writeFileSync(window.at('a.txt'), 'agent\n');
    await over(window.seen('a.txt'));
    // The clock of the file system ticks coarsely.
    window.endTurn(Date.now() - 20);
    rmSync(window.at('b.txt'));
    await over(window.seen('b.txt'));
    expect(window.waits()).toEqual(['modified a.txt']);
  });

  it('leaves no timer behind for each write of a long turn', async () => {
    await over(window.turns.begin(session));
    const clock = window.clock as FakeClock;
    for (let i = 0; i < 20; i++) {
      writeFileSync(window.at('a.txt'), `agent ${i}\n`);
      await over(window.turns.catchUp(window.at('a.txt'), contentOfText(`agent ${i}\n`)));
    }
    clock.advance(500);
    // Those of the turn, however many writes it has.
    expect(clock.running).toBeLessThan(10);
  });
});
