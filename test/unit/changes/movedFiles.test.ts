import { describe, expect, it } from 'vitest';
import { changeGroups } from '../../../src/changes/changeGroups';
import { Ledger } from '../../../src/changes/ledger';
import { originOf, Renames, withMoves } from '../../../src/changes/movedFiles';
import { joinRenames } from '../../../src/view/changeRows';

const moves: Readonly<Record<string, string>> = { '/p/new.ts': '/p/old.ts', '/p/kept.ts': '/p/agreed.ts' };
const movedFrom = (path: string): string | undefined => moves[path];

function ledger(): Ledger {
  const made = new Ledger();
  const by = 'e1';
  made.agentWrote('/p/a.ts', 'x\n', 'y\n', by);
  made.agentWrote('/p/old.ts', '1\n2\n', undefined, by);
  made.agentWrote('/p/new.ts', undefined, '1\n2\n3\n', by);
  made.agentWrote('/p/kept.ts', undefined, 'k\n', by);
  return made;
}

describe('a file that was moved', () => {
  const sessions = [{ sessionId: 's', changes: ledger().changes }];
  const [joined] = withMoves(sessions, movedFrom);

  it('is one change, with what differs from where it was', () => {
    expect(
      joined!.changes.map((change) => [
        change.path,
        originOf(change),
        change.added,
        change.removed,
        change.hunks.length,
      ]),
    ).toEqual([
      ['/p/a.ts', undefined, 1, 1, 1],
      ['/p/new.ts', '/p/old.ts', 1, 0, 0],
      ['/p/kept.ts', undefined, 1, 0, 1],
    ]);
  });

  it('is counted once in the tree, whichever way it is grouped, and as often as in the bar', () => {
    const rows = joinRenames(
      sessions[0]!.changes.map(({ path, kind, added, removed }) => ({
        path,
        label: path,
        kind,
        added,
        removed,
        hunks: 0,
        conflicts: 0,
      })),
      movedFrom,
    );
    const [turn] = changeGroups([joined!], 'turn');
    expect([changeGroups([joined!], 'file').length, turn, rows.length]).toMatchObject([
      3,
      { files: 3, added: 3, removed: 1 },
      3,
    ]);
  });

  it('is two changes where only one of both waits, and in another session', () => {
    const only = ledger();
    only.keep('/p/old.ts');
    expect(
      withMoves([{ sessionId: 's', changes: only.changes }], movedFrom)[0]!.changes.some(
        (change) => originOf(change) !== undefined,
      ),
    ).toBe(false);
    const apart = ['/p/old.ts', '/p/new.ts'].map((path) => ({ sessionId: path, changes: [ledger().get(path)!] }));
    expect(withMoves(apart, movedFrom)).toEqual(apart);
  });
});

it.each([
  [
    'its folder',
    '/p/src',
    '/p/lib',
    { '/p/lib/a.ts': '/p/lib/old/a.ts', '/p/b.ts': '/p/lib/b.ts', '/p/src2/c.ts': '/p/c.ts' },
  ],
  [
    'the folder where it was',
    '/p/src/old',
    '/q',
    { '/p/src/a.ts': '/q/a.ts', '/p/b.ts': '/p/src/b.ts', '/p/src2/c.ts': '/p/c.ts' },
  ],
  [
    'it to a file that was moved, too',
    '/p/src/a.ts',
    '/p/b.ts',
    { '/p/b.ts': '/p/src/old/a.ts', '/p/src2/c.ts': '/p/c.ts' },
  ],
  [
    'the file',
    '/p/src/a.ts',
    '/p/z.ts',
    { '/p/z.ts': '/p/src/old/a.ts', '/p/b.ts': '/p/src/b.ts', '/p/src2/c.ts': '/p/c.ts' },
  ],
])('a move is still known once the user has renamed %s', (_what, from, to, moves) => {
  const renames = new Renames();
  renames.restore(
    new Map([
      ['/p/src/a.ts', '/p/src/old/a.ts'],
      ['/p/b.ts', '/p/src/b.ts'],
      ['/p/src2/c.ts', '/p/c.ts'],
    ]),
  );
  renames.moved(from, to);
  expect(Object.fromEntries(renames.moves)).toEqual(moves);
});
