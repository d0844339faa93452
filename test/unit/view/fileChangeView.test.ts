import { describe, expect, it } from 'vitest';
import type { ToolContent } from '../../../src/acp/decodeUpdate';
import { fileChangeView } from '../../../src/view/projectDiff';

type FileChange = Extract<ToolContent, { type: 'fileChange' }>;

const view = (fields: Partial<FileChange>) =>
  fileChangeView({ type: 'fileChange', operation: 'modify', path: 'src/a.ts', ...fields }, '/work');
const hunk = '@@ -3,2 +3,3 @@ f\n same\r\n-old\n+new\n+more\n';

describe('one file of a diff of version 2', () => {
  it.each<[string, Partial<FileChange>, readonly unknown[]]>([
    [
      'a change',
      { patch: `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n${hunk}` },
      [false, 2, 1, undefined, 'file'],
    ],
    ['a change without lines', {}, [false, 0, 0, 'Changed (the agent did not send the lines)', 'file']],
    [
      'another operation without lines',
      { operation: 'other' },
      [false, 0, 0, 'Changed (the agent did not send the lines)', 'file'],
    ],
    ['a new file', { operation: 'add', patch: '@@ -0,0 +1 @@\n+x\n' }, [true, 1, 0, undefined, 'file']],
    [
      'a new file without lines',
      { operation: 'add' },
      [true, 0, 0, 'Created (the agent did not send the lines)', 'file'],
    ],
    ['an empty new file', { operation: 'add', patch: '' }, [true, 0, 0, 'Created', 'file']],
    ['a deleted file', { operation: 'delete', patch: '@@ -1 +0,0 @@\n-x\n' }, [false, 0, 1, 'Deleted', 'nothing']],
    ['a moved file', { operation: 'move', oldPath: '/work/b.ts' }, [false, 0, 0, 'Moved from b.ts', 'file']],
    ['a moved file whose old path is unknown', { operation: 'move' }, [false, 0, 0, 'Moved', 'file']],
    ['a copied file', { operation: 'copy', oldPath: 'b.ts' }, [false, 0, 0, 'Copied from b.ts', 'file']],
  ])('%s', (_name, fields, expected) => {
    const { path, label, isNew, added, removed, remark, opens, truncated } = view(fields);
    expect([isNew, added, removed, remark, opens]).toEqual(expected);
    expect([path, label, truncated]).toEqual(['/work/src/a.ts', 'src/a.ts', false]);
  });

  it('has the lines of its hunks, and no others', () => {
    const noNewline = '\\ No newline at end of file\n';
    expect(
      view({
        patch: `index 1..2\n${hunk}similarity index\n@@ -9,2 +10,2 @@\n---\n+++\n\n@@ -12 +13 @@\n-a\n${noNewline}+b\n${noNewline}`,
      }).hunks,
    ).toEqual([
      { oldStart: 3, newStart: 3, lines: [' same', '-old', '+new', '+more'] },
      { oldStart: 9, newStart: 10, lines: ['---', '+++', ' '] },
      { oldStart: 12, newStart: 13, lines: ['-a', '+b'] },
    ]);
  });

  it('is bounded', () => {
    const { added, hunks, truncated } = view({ patch: `@@ -1,0 +1,5000 @@\n${'+x\n'.repeat(5_000)}` });
    expect([added, hunks[0]!.lines.length, truncated]).toEqual([5_000, 400, true]);
  });
});
