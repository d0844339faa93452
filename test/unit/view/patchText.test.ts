import { describe, expect, it } from 'vitest';
import { mayHavePatch, patchDiffs } from '../../../src/view/patchText';
import { prettyJson } from '../../../src/view/toolCallParts';

const own =
  '*** Begin Patch\n*** Update File: src/a.ts\n@@ function f\n const a = 1;\n-const b = 2;\n+const b = 3;\n@@\n-x\n*** Add File: b.ts\n+one\n+two\n*** Delete File: c.ts\n*** End Patch';
const unified =
  'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -3,2 +3,2 @@ f\n same\n-old\n+new\n--- a/b.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n';
const brief = (raw: unknown) =>
  patchDiffs(raw, '/work').map(({ path, isNew, added, removed, remark, hunks }) => [
    path,
    isNew,
    added,
    removed,
    remark,
    hunks.map(({ oldStart, lines }) => `${oldStart}:${lines.map(([sign]) => sign).join('')}`).join(' '),
  ]);

describe('a patch in raw input', () => {
  const expected = [
    ['/work/src/a.ts', false, 1, 2, undefined, '0: -+ 0:-'],
    ['/work/b.ts', true, 2, 0, undefined, '0:++'],
    ['/work/c.ts', false, 0, 0, 'Deleted', ''],
  ];

  it.each([own, { input: own }, { path: 'x', patch: own }, own.replaceAll('\n', '\\n')])('in its own format', (raw) =>
    expect(brief(raw)).toEqual(expected),
  );

  it('as a unified diff, with its lines', () => {
    expect(brief({ diff: unified })).toEqual([
      ['/work/src/a.ts', false, 1, 1, undefined, '3: -+'],
      ['/work/b.ts', false, 0, 1, 'Deleted', '1:-'],
    ]);
  });

  it('keeps what follows “No newline at end of file”, and takes no line of a hunk for a heading', () => {
    const noNewline = '\\ No newline at end of file';
    expect(brief(`--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n${noNewline}\n+new\n${noNewline}\n`)).toEqual([
      ['/work/x', false, 1, 1, undefined, '1: -+'],
    ]);
    expect(brief(`Applies to @@ -1,40 +1,40 @@\n@@ -1,40 +1,40 @@\n${unified}`)).toHaveLength(2);
    expect(brief('--- a/x\n+++ b/x\n@@ -4,2 +4,0 @@\n-one\n--- two\n+++ b/y\n@@ -9 +9 @@\n-nine\n+9\n')).toEqual([
      ['/work/x', false, 1, 3, undefined, '4:-- 9:-+'],
    ]);
  });

  it.each([undefined, 3, 'text', '--- a\n+++ b', '*** Begin Patch', { a: { b: own } }, [own]])('%j is none', (raw) =>
    expect(brief(raw)).toEqual([]),
  );

  it('is looked for only where it can be', () => {
    expect([own, { input: own }, own.replaceAll('\n', '\\n'), { diff: unified }].every(mayHavePatch)).toBe(true);
    expect([undefined, 3, 'text', { path: 'a.ts' }, { a: { b: own } }].some(mayHavePatch)).toBe(false);
  });

  it('is never all that a card shows: the text stays', () => {
    expect(patchDiffs(own, '/work').every(({ isFromInput, opens }) => isFromInput && opens === 'nothing')).toBe(true);
  });

  it('is bounded', () => {
    expect(brief(`--- a\n+++ ${'\t'.repeat(400_000)}\rx\n@@ -1 +1 @@\n-a\n+b`)).toHaveLength(1);
    const [view] = patchDiffs(`*** Begin Patch\n*** Add File: a\n${'+x\n'.repeat(5_000)}`, '/work');
    expect([view!.added, view!.hunks[0]!.lines.length, view!.truncated]).toEqual([5_000, 400, true]);
  });
});

it.each(['{"a":1,"a":2}', '{"a":12345678901234567890}', '{"a":1', 'text', '{}', '[]', '{\n"a":1}'])(
  '%s is not written anew as JSON',
  (text) => expect(prettyJson(text)).toBeUndefined(),
);
it('JSON with spaces is', () =>
  expect(prettyJson('{ "a": [1, "b c"] }')).toBe('{\n  "a": [\n    1,\n    "b c"\n  ]\n}'));
