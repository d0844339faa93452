import { describe, expect, it } from 'vitest';
import { type ChangedFile, type ChangeGroup, changeGroups, firstText } from '../../../src/changes/changeGroups';
import { Ledger } from '../../../src/changes/ledger';
import { type SessionChanges, targetsIn, targetsOf } from '../../../src/changes/scope';
import { workTime } from '../../fakes/workTime';

/** Two turns in one session: `a.ts` was touched by both, `b.ts` made by the first, `gone.ts` removed by the second. */
function session(sessionId = 's1'): SessionChanges {
  const ledger = new Ledger();
  ledger.agentWrote('/p/a.ts', '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', 'e0');
  ledger.agentWrote('/p/b.ts', undefined, 'x\n', 'e0');
  ledger.agentWrote('/p/a.ts', 'one\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n', 'e12');
  ledger.agentWrote('/p/gone.ts', 'x\ny\n', undefined, 'e12');
  return { sessionId, changes: ledger.changes };
}

const told = (rows: readonly (ChangeGroup | ChangedFile)[]): unknown[] =>
  rows.map((row) =>
    row.kind === 'file'
      ? `${row.path} +${row.added} -${row.removed}`
      : [`${row.kind} ${row.turn ?? row.sessionId} ${row.files} +${row.added} -${row.removed}`, ...told(row.children)],
  );

describe('the tree of changes', () => {
  it('by file: files in the order in which they were changed', () => {
    expect(told(changeGroups([session()], 'file'))).toEqual(['/p/a.ts +2 -2', '/p/b.ts +1 -0', '/p/gone.ts +0 -2']);
  });

  it('by turn: the latest first, and of each file what the turn did', () => {
    expect(told(changeGroups([session()], 'turn'))).toEqual([
      ['turn e12 2 +1 -3', '/p/a.ts +1 -1', '/p/gone.ts +0 -2'],
      ['turn e0 2 +2 -1', '/p/a.ts +1 -1', '/p/b.ts +1 -0'],
    ]);
  });

  it('by session where there are several', () => {
    expect(told(changeGroups([session('s1'), { sessionId: 's2', changes: [] }, session('s3')], 'file'))).toEqual([
      ['session s1 3 +3 -4', '/p/a.ts +2 -2', '/p/b.ts +1 -0', '/p/gone.ts +0 -2'],
      ['session s3 3 +3 -4', '/p/a.ts +2 -2', '/p/b.ts +1 -0', '/p/gone.ts +0 -2'],
    ]);
  });

  it('a row has the same id after another change, and no other row has it', () => {
    const ids = (rows: readonly (ChangeGroup | ChangedFile)[]): string[] =>
      rows.flatMap((row) => [row.id, ...(row.kind === 'file' ? [] : ids(row.children))]);
    const all = ids(changeGroups([session('s1'), session('s3')], 'turn'));
    expect(new Set(all).size).toBe(all.length);
    expect(ids(changeGroups([session('s1'), session('s3')], 'turn'))).toEqual(all);
  });

  it('says what a hunk is about with its first text, of lines that are gone too', () => {
    const ledger = new Ledger();
    ledger.agentWrote('/p/a.ts', 'a\n  gone();\nb\nc\n', 'a\nb\n\n  fresh();\nc\n');
    expect(ledger.get('/p/a.ts')!.hunks.map(firstText)).toEqual(['gone();', 'fresh();']);
  });

  it('puts 5,000 files together in no time', () => {
    const ledger = new Ledger();
    for (let i = 0; i < 5_000; i++) ledger.agentWrote(`/p/f${i}.ts`, 'a\n', 'b\n', `e${i % 7}`);
    // The fastest of some, because others use the machine too.
    const times = Array.from({ length: 5 }, () => {
      const started = workTime();
      expect(changeGroups([{ sessionId: 's', changes: ledger.changes }], 'turn').length).toBe(7);
      return workTime() - started;
    });
    expect(Math.min(...times)).toBeLessThan(2_500);
  });
});

describe('which changes are meant', () => {
  const ids = (path: string, turn: string) =>
    session()
      .changes.find((change) => change.path === path)!
      .hunks.filter((hunk) => hunk.turns.at(-1) === turn)
      .map(({ id }) => id);

  it('all, of a session, of a turn, of a file', () => {
    const sessions = [session('s1'), session('s2')];
    const paths = (scope: Parameters<typeof targetsIn>[1]) =>
      targetsIn(sessions, scope).map(({ sessionId, path }) => `${sessionId} ${path}`);
    expect(paths({}).length).toBe(6);
    expect(paths({ sessionId: 's2' })).toEqual(['s2 /p/a.ts', 's2 /p/b.ts', 's2 /p/gone.ts']);
    expect(paths({ sessionId: 's1', turn: 'e12' })).toEqual(['s1 /p/a.ts', 's1 /p/gone.ts']);
    expect(paths({ path: '/p/b.ts' })).toEqual(['s1 /p/b.ts', 's2 /p/b.ts']);
    expect(paths({ sessionId: 's1', turn: 'e99' })).toEqual([]);
  });

  it('a file of which a turn made everything is meant as a whole, else its hunks are', () => {
    expect(targetsIn([session()], { turn: 'e0' })).toEqual([
      { sessionId: 's1', path: '/p/a.ts', ids: ids('/p/a.ts', 'e0') },
      { sessionId: 's1', path: '/p/b.ts', ids: undefined },
    ]);
  });

  it('places that were chosen one by one are one step for each file', () => {
    const [first, second] = session().changes[0]!.hunks;
    const place = (path: string, hunk: typeof first) => ({ sessionId: 's1', path, hunk });
    expect(targetsOf([place('/p/a.ts', first), place('/p/gone.ts', undefined), place('/p/a.ts', second)])).toEqual([
      { sessionId: 's1', path: '/p/a.ts', ids: [first!.id, second!.id] },
      { sessionId: 's1', path: '/p/gone.ts', ids: undefined },
    ]);
  });
});
