import { expect, it } from 'vitest';
import type { ToolCallFields } from '../../../../../src/acp/decodeUpdate';
import { DiskTurns } from '../../../../../src/host/changes/disk/diskTurns';
import { isWithin } from '../../../../../src/node/isWithin';
import { contentOfText } from '../../../../../src/host/storage/contentInHand';
import { workTime } from '../../../../fakes/workTime';

const cwd = '/home/me/work/app';
const text = contentOfText('x');
const edit = (id: string, path: string): ToolCallFields => ({
  toolCallId: id,
  kind: 'edit',
  status: 'completed',
  locations: [{ path }],
  content: [{ type: 'diff', path, oldText: 'a', newText: 'b' }],
});

it('a formatter run after hundreds of edits is told from them without keeping anybody waiting', () => {
  const turns = new DiskTurns((path) => (isWithin(path, cwd) ? path : undefined));
  const turn = turns.begin('s', cwd, [cwd], 1_000, {});
  turns.sent('s', 1_000);
  for (let i = 0; i < 1_000; i++)
    turn.evidence.take(edit(`call ${i}`, `src/some/folder/file${i}.ts`), { since: 1_100, at: 1_100 });
  const started = workTime();
  for (let i = 0; i < 200; i++) {
    const path = `${cwd}/lib/other${i}.ts`;
    expect([
      turns.claim(path, undefined, text, { at: 2_000, early: 0 }),
      turns.isNamed(turn, path),
      turns.before(path, text),
    ]).toEqual([{ turn, isAgents: false }, false, undefined]);
  }
  expect(turns.isNamed(turn, `${cwd}/src/some/folder/file7.ts`)).toBe(true);
  expect(workTime() - started).toBeLessThan(8_000);
});

it('a path counts in whatever spelling, also once it is known where a link leads', () => {
  let isLinkKnown = false;
  const turns = new DiskTurns((path) =>
    path.startsWith('/link/')
      ? path
      : isLinkKnown && path.startsWith('/real/')
        ? path.replace('/real/', '/link/')
        : undefined,
  );
  const turn = turns.begin('s', '/link', ['/link'], 1_000, {});
  for (const [id, path] of [
    ['one', '/real/a.ts'],
    ['two', 'b.ts'],
  ] as const)
    turn.evidence.take(edit(id, path), { since: 1_100, at: 1_100 });
  expect([
    turns.isNamed(turn, '/link/a.ts'),
    turns.isNamed(turn, '/real/a.ts'),
    turns.isNamed(turn, '/link/b.ts'),
  ]).toEqual([false, true, true]);
  isLinkKnown = true;
  expect([
    turns.isNamed(turn, '/link/a.ts'),
    turns.isNamed(turn, '/link/b.ts'),
    turns.isNamed(turn, '/link/c.ts'),
  ]).toEqual([true, true, false]);
});
