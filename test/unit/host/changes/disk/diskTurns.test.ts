import { expect, it } from 'vitest';
import type { ToolCallFields } from '../../../../../src/acp/decodeUpdate';
import { DiskTurns } from '../../../../../src/host/changes/disk/diskTurns';
import { isWithin } from '../../../../../src/node/isWithin';

const cwd = '/home/me/work/app';
const edit = (id: string, path: string): ToolCallFields => ({ toolCallId: id, kind: 'edit', status: 'completed', locations: [{ path }], content: [{ type: 'diff', path, oldText: 'a', newText: 'b' }] }) as unknown as ToolCallFields;

it('a formatter run after hundreds of edits is told from them without keeping anybody waiting', () => {
  const turns = new DiskTurns((path) => (isWithin(path, cwd) ? path : undefined));
  turns.begin('s', cwd, [cwd], 1_000, {});
  const turn = turns.running('s')!;
  for (let i = 0; i < 1_000; i++) turn.files.take(edit(`call ${i}`, `src/some/folder/file${i}.ts`));
  const started = performance.now();
  for (let i = 0; i < 200; i++) {
    const path = `${cwd}/lib/other${i}.ts`;
    expect([turns.at(path, 2_000, 20), turns.isEdited(turn, path), turns.before(path, { kind: 'text', text: 'x' })]).toEqual([turn, false, undefined]);
  }
  expect(turns.isEdited(turn, `${cwd}/src/some/folder/file7.ts`)).toBe(true);
  expect(performance.now() - started).toBeLessThan(8_000);
});

it('a path counts in whatever spelling, also once it is known where a link leads', () => {
  let isLinkKnown = false;
  const turns = new DiskTurns((path) => (path.startsWith('/link/') ? path : isLinkKnown && path.startsWith('/real/') ? path.replace('/real/', '/link/') : undefined));
  turns.begin('s', '/link', ['/link'], 1_000, {});
  const turn = turns.running('s')!;
  turn.files.take(edit('one', '/real/a.ts'));
  turn.files.take(edit('two', 'b.ts'));
  expect([turns.isEdited(turn, '/link/a.ts'), turns.isEdited(turn, '/real/a.ts'), turns.isEdited(turn, '/link/b.ts')]).toEqual([false, true, true]);
  isLinkKnown = true;
  expect([turns.isEdited(turn, '/link/a.ts'), turns.isEdited(turn, '/link/b.ts'), turns.isEdited(turn, '/link/c.ts')]).toEqual([true, true, false]);
});
