import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReviewWindow } from '../../../fakes/reviewWindow';
import { tries } from '../../../fakes/tries';
import { contentOfText, textIn } from '../../../../src/host/storage/contentInHand';

/* Two windows on one folder: neither hears of what the other does but by the files. */

vi.mock('vscode', async () => (await import('../../../fakes/reviewVscode')).reviewVscode());

let folder: string;
let path: string;
let windows: ReviewWindow[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-two-')));
  path = join(folder, 'a.txt');
  windows = [];
});
afterEach(() => {
  for (const window of windows) window.close();
  rmSync(folder, { recursive: true, force: true });
});

const opened = (sessionId: string): ReviewWindow => {
  const window = new ReviewWindow(sessionId, path);
  windows.push(window);
  return window;
};
const disk = () => readFileSync(path, 'utf8');
const lines = () => disk().split('\n');

const replaced = (line: string, by: string) => (all: string[]) => all.map((one) => (one === line ? by : one));
const numbered = () => Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');

describe('a decision in one window after the other has changed the file', () => {
  it('Undo All undoes at the first time, and leaves the lines of the other window', async () => {
    writeFileSync(path, numbered());
    const window = opened('here');
    window.agent(replaced('line 3', 'agent 3'));
    writeFileSync(path, replaced('line 9', 'mine')(lines()).join('\n'));
    const chosen = await window.review.chosen({ sessionId: 'here' });
    await window.review.undoTargets(await chosen());
    expect([disk(), window.reported]).toEqual([replaced('line 9', 'mine')(numbered().split('\n')).join('\n'), []]);
  });

  it('what the other window edits elsewhere while Parley asks is no reason to do nothing', async () => {
    writeFileSync(path, numbered());
    const window = opened('here');
    window.agent(replaced('line 3', 'agent 3'));
    const chosen = await window.review.chosen({ sessionId: 'here' });
    writeFileSync(path, ['mine', ...lines()].join('\n'));
    await window.review.undoTargets(await chosen());
    expect([disk(), window.reported]).toEqual([`mine\n${numbered()}`, []]);
  });

  it('what is no longer as it was when Parley asked is left, and said', async () => {
    writeFileSync(path, numbered());
    const window = opened('here');
    window.agent(replaced('line 3', 'agent 3'));
    window.agent(replaced('line 9', 'agent 9'));
    const chosen = await window.review.chosen({ sessionId: 'here' });
    writeFileSync(path, replaced('agent 9', 'agent 9, mine')(lines()).join('\n'));
    await window.review.undoTargets(await chosen());
    expect(lines().filter((line) => line.includes('agent'))).toEqual(['agent 9, mine']);
    expect(window.reported).toEqual([
      'Parley left some changes in a.txt as they are, because they changed in the meantime.',
    ]);
  });

  it.each(['undo', 'keep'] as const)(
    '%s of what the other window has taken out says that there is nothing',
    async (wish) => {
      writeFileSync(path, numbered());
      const window = opened('here');
      window.agent(replaced('line 3', 'agent 3'));
      const places = window.review.placesIn(path);
      writeFileSync(path, numbered());
      if (wish === 'keep') await window.review.keepPlaces(places);
      else await window.review.undoTargets(window.review.targets({ sessionId: 'here' }));
      expect(window.reported).toEqual(['No longer pending, because the file was changed: a.txt']);
      await window.review[wish]({ sessionId: 'here' });
      expect(window.reported.at(-1)).toBe('These changes are no longer pending.');
      expect(disk()).toBe(numbered());
    },
  );
});

describe('decisions and restores in both windows at once', () => {
  /** What restores have replaced. */
  let backups: string[] = [];
  type Act = {
    readonly window: 0 | 1;
    readonly what: 'undo' | 'undoHunk' | 'keepHunk' | 'undoTurn' | 'restore' | 'checkpoint';
    readonly which: number;
  };
  const act: fc.Arbitrary<Act> = fc.record({
    window: fc.constantFrom(0, 1),
    what: fc.constantFrom('undo', 'undoHunk', 'keepHunk', 'undoTurn', 'restore', 'checkpoint'),
    which: fc.nat(9),
  });

  it('lose no line of the user, and what was undone without a word is gone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          writeFileSync(path, numbered());
          const both = [opened('first'), opened('second')];
          let typed = 0;
          backups = [];
          for (const [i, window] of both.entries()) {
            for (let n = 0; n < 4; n++) {
              window.turn = `e${n}`;
              window.agent(replaced(`line ${2 + 4 * n + i}`, `agent ${i}.${n}`));
              await Promise.all(both.map((other) => other.review.look()));
            }
          }
          for (const round of rounds) {
            // The user types in a third program, before both windows act.
            writeFileSync(path, [`mine ${typed++}`, ...lines()].join('\n'));
            const expected = await Promise.all(round.map((one) => decided(both[one.window]!, one)));
            await Promise.all(both.map((window) => window.review.look()));
            const now = lines();
            // What a restore of the file replaces is in its backup.
            const somewhere = new Set([...now, ...backups.flatMap((text) => text.split('\n'))]);
            expect(Array.from({ length: typed }, (_, n) => `mine ${n}`).filter((line) => !somewhere.has(line))).toEqual(
              [],
            );
            for (const [n, { gone, isSilent }] of expected.entries()) {
              // Another decision of the same window may have come before, or after.
              if (
                isSilent &&
                !round.some(
                  ({ what, window }, other) =>
                    other !== n && window === round[n]!.window && (what === 'restore' || what === 'keepHunk'),
                )
              )
                expect(now.filter((line) => gone.includes(line))).toEqual([]);
            }
          }
          for (const window of windows.splice(0)) window.close();
        },
      ),
      { numRuns: tries(80) },
    );
  }, 120_000);

  /** @returns the lines that it takes out, and whether the user was told nothing */
  async function decided(
    { review, reported, service, sessionId }: ReviewWindow,
    { what, which }: Act,
  ): Promise<{ gone: string[]; isSilent: boolean }> {
    const before = reported.length;
    const places = review.placesIn(path).filter((place) => place.sessionId === sessionId && place.hunk);
    const place = places[which % Math.max(1, places.length)];
    const linesOf = (some: typeof places) => some.flatMap(({ hunk }) => [...hunk!.agentLines]);
    let gone: string[] = [];
    if (what === 'restore') await review.restore(path);
    else if (what === 'checkpoint') {
      const standing = await service.recorder.standing(sessionId, path);
      backups.push(textIn(standing.content) ?? '');
      await service.recorder
        .bringBack(sessionId, path, {}, contentOfText(numbered()), standing)
        .catch((error: Error) => reported.push(error.message));
    } else if (!place) return { gone, isSilent: false };
    else if (what === 'keepHunk') await review.keepPlaces([place]);
    else if (what === 'undoHunk') {
      gone = linesOf([place]);
      await review.decide([place], 'undo');
    } else if (what === 'undoTurn') {
      const turn = `e${which % 4}`;
      gone = linesOf(places.filter(({ hunk }) => hunk!.turns.includes(turn)));
      await review.undo({ sessionId, turn });
    } else {
      gone = linesOf(places);
      await review.undo({ sessionId });
    }
    return { gone, isSilent: reported.length === before };
  }
});
