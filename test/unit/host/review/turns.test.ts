import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision } from '../../../../src/changes/decision';
import { countOf, pendingIn } from '../../../../src/changes/pending';
import { JustKept } from '../../../../src/host/review/panelReview';
import { FakeClock } from '../../../fakes/fakeClock';
import { ReviewWindow } from '../../../fakes/reviewWindow';
import { contentOfText } from '../../../../src/host/storage/contentInHand';

/* A turn's Undo and Keep, where other turns changed the lines beside, or the same ones. */

vi.mock('vscode', async () => (await import('../../../fakes/reviewVscode')).reviewVscode());

let folder: string;
let path: string;
let window: ReviewWindow;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-turns-')));
  path = join(folder, 'a.txt');
  writeFileSync(path, before.join('\n'));
  window = new ReviewWindow('s', path);
});
afterEach(() => {
  window.close();
  rmSync(folder, { recursive: true, force: true });
});

const before = ['1', '2', '3', '4', '5', '6', '7', '8'];
const disk = () => readFileSync(path, 'utf8').split('\n').join(' ');
const pending = (turn?: string) => countOf(pendingIn(window.review.rows, { sessionId: 's', turn }));
const by = (turn: string, lines: string) => window.agent(() => lines.split(' '), turn);

describe('lines beside each other', () => {
  beforeEach(() => {
    by('t8', '1 2 8a 8b 4 5 6 7 8');
    by('t14', '1 2 8a 8b 14a 14b 5 6 7 8');
    by('t20', '1 2 8a 8b 14a 14b 20a 20b 6 7 8');
  });

  it('are one hunk, of which each turn counts what it did', () => {
    expect([pending(), ...['t8', 't14', 't20'].map(pending)]).toEqual([
      { files: 1, changes: 1, added: 6, removed: 3 },
      ...Array.from({ length: 3 }, () => ({ files: 1, changes: 1, added: 2, removed: 1 })),
    ]);
  });

  it.each([
    ['t20', '1 2 8a 8b 14a 14b 5 6 7 8'],
    ['t14', '1 2 8a 8b 4 20a 20b 6 7 8'],
    ['t8', '1 2 3 14a 14b 20a 20b 6 7 8'],
  ])('Undo of %s takes its lines alone, and asks nothing', async (turn, left) => {
    const decided: Decision[] = [];
    window.service.decisions.onDidDecide((decision) => decided.push(decision));
    await window.review.undo({ sessionId: 's', turn });
    expect([disk(), window.asked, window.reported, pending(turn).files]).toEqual([left, [], [], 0]);
    // The agent is told of these lines.
    expect(
      decided.map(({ verdict, hunks }) => [verdict, hunks.map(({ currentLines }) => currentLines.length)]),
    ).toEqual([['undone', [6]]]);
    expect(await window.review.restore(path)).toBe(true);
    expect([disk(), pending(turn).changes]).toEqual(['1 2 8a 8b 14a 14b 20a 20b 6 7 8', 1]);
  });

  it('Keep of a turn keeps its lines alone', async () => {
    await window.review.keep({ sessionId: 's', turn: 't14' });
    expect([disk(), pending('t14').files, pending('t8').changes]).toEqual(['1 2 8a 8b 14a 14b 20a 20b 6 7 8', 0, 1]);
    await window.keeping.undoLast();
    expect([pending('t14'), pending('t8').changes]).toEqual([{ files: 1, changes: 1, added: 2, removed: 1 }, 1]);
    await window.review.keep({ sessionId: 's', turn: 't14' });
    await window.review.undo({ sessionId: 's' });
    expect(disk()).toBe('1 2 3 14a 14b 5 6 7 8');
  });

  it('what the user typed in the lines of another turn stays', async () => {
    writeFileSync(path, '1 2 8a 8b-mine 14a 14b 20a 20b 6 7 8'.split(' ').join('\n'));
    await window.review.undo({ sessionId: 's', turn: 't20' });
    expect([disk(), window.reported]).toEqual(['1 2 8a 8b-mine 14a 14b 5 6 7 8', []]);
    await window.review.undo({ sessionId: 's', turn: 't8' });
    expect([disk(), window.reported]).toEqual([
      '1 2 8a 8b-mine 14a 14b 5 6 7 8',
      [expect.stringMatching(/a\.txt was not undone: you have edited the same lines since\.$/)],
    ]);
  });
});

describe('the same lines', () => {
  beforeEach(() => {
    by('t1', '1 2 1a 1b 1c 4 5 6 1d 8');
    by('t2', '1 2 1a 2b 1c 4 5 6 1d 8');
  });

  it('Undo of the later turn brings back those of the earlier one', async () => {
    await window.review.undo({ sessionId: 's', turn: 't2' });
    expect([disk(), window.asked]).toEqual(['1 2 1a 1b 1c 4 5 6 1d 8', []]);
  });

  it.each([
    [true, '1 2 3 4 5 6 7 8'],
    [false, '1 2 1a 2b 1c 4 5 6 7 8'],
    [undefined, '1 2 1a 2b 1c 4 5 6 1d 8'],
  ])('Undo of the earlier one asks, and with the answer %s leaves the right lines', async (answer, left) => {
    window.withOthers = answer;
    await window.review.undo({ sessionId: 's', turn: 't1' });
    expect([disk(), window.asked, window.reported]).toEqual([left, ['undo t2, or the rest'], []]);
  });

  it('Keep of the later one asks about the earlier one', async () => {
    window.withOthers = false;
    await window.review.keep({ sessionId: 's', turn: 't2' });
    expect([window.asked, pending('t2').changes]).toEqual([['keep t1'], 1]);
    window.withOthers = true;
    await window.review.keep({ sessionId: 's', turn: 't2' });
    expect([pending('t2').changes, pending('t1')]).toEqual([0, { files: 1, changes: 1, added: 1, removed: 1 }]);
  });

  it('a turn of which nothing is left has nothing pending', () => {
    by('t3', '1 2 1a 3b 1c 4 5 6 1d 8');
    expect([pending('t2').changes, pending('t1').changes, pending('t3')]).toEqual([
      0,
      2,
      { files: 1, changes: 1, added: 1, removed: 1 },
    ]);
    by('t4', '1 2 3 4 5 6 1d 8');
    expect([pending().changes, pending('t3').changes, pending('t4').changes, pending('t1').changes]).toEqual([
      1, 0, 0, 1,
    ]);
  });
});

it('Undo of a turn that deleted a file brings back what earlier turns made of it', async () => {
  by('t1', '1 2 one 4 5 6 7 8');
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  window.turn = 't2';
  window.service.record('s', path, contentOfText(text), contentOfText(undefined));
  expect([pending('t1').files, pending('t2').files]).toEqual([0, 1]);
  await window.review.undo({ sessionId: 's', turn: 't2' });
  expect([disk(), pending('t1').changes]).toEqual(['1 2 one 4 5 6 7 8', 1]);
});

it('Undo of a later turn leaves a file that an earlier one created', async () => {
  rmSync(path);
  writeFileSync(path, 'a\nb');
  window.turn = 't1';
  window.service.record('s', path, contentOfText(undefined), contentOfText('a\nb'));
  by('t2', 'a b c');
  await window.review.undo({ sessionId: 's', turn: 't2' });
  expect([disk(), pending('t1').changes]).toEqual(['a b', 1]);
});

it('a Keep in the panel can be undone there for ten seconds, as long as no other came after it', async () => {
  const clock = new FakeClock();
  const kept = new JustKept(window.keeping, clock);
  by('t1', 'one 2 3 4 5 6 7 8');
  by('t2', 'one 2 3 4 5 6 7 eight');
  await kept.after('s', () => window.review.keep({ sessionId: 's', turn: 't1' }));
  expect([kept.view('s'), kept.view('other')]).toEqual([{ files: 1 }, undefined]);
  await window.review.keep({ sessionId: 's', turn: 't2' });
  expect(kept.view('s')).toBeUndefined();
  await window.keeping.undoLast();
  expect(kept.view('s')).toEqual({ files: 1 });
  clock.advance(10_000);
  expect(kept.view('s')).toBeUndefined();
});
