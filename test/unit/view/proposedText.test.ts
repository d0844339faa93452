import { describe, expect, it } from 'vitest';
import type { ToolContent } from '../../../src/acp/decodeUpdate';
import { comparison, proposedEdits } from '../../../src/view/proposedText';
import { workTime } from '../../fakes/workTime';

const cwd = '/work';
const file = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const diff = (oldText: string | null, newText: string, path = '/work/a.ts'): ToolContent => ({
  type: 'diff',
  path,
  oldText,
  newText,
});
const compare = (content: readonly ToolContent[], current: string | undefined, rawInput?: unknown) =>
  comparison(proposedEdits({ content, rawInput }, '/work/a.ts', cwd), current);
const own = (body: string) => `*** Begin Patch\n*** Update File: a.ts\n${body}\n*** Add File: b.ts\n+x\n*** End Patch`;

describe('a file as a request proposes it', () => {
  it('is made in bounded time, whatever the texts', () => {
    const half = 'a'.repeat(500_000);
    const patch = (lines: number) => `@@ -0,0 +0,0 @@\n@@ -2,${lines + 1} +2,${lines} @@\n${' a\n'.repeat(lines)}-b\n`;
    const started = workTime();
    expect(compare([diff(`${half}b${half}`, 'x')], 'a'.repeat(4_000_000)).isWholeFile).toBe(false);
    expect(
      compare(
        [{ type: 'fileChange', operation: 'modify', path: '/work/a.ts', patch: patch(300_000) }],
        'a\n'.repeat(600_000),
      ).isWholeFile,
    ).toBe(false);
    expect(
      compare(
        Array.from({ length: 2_000 }, (_, at) => diff(at === 0 ? null : `<${at - 1}>`, `${'a'.repeat(8_000)}<${at}>`)),
        '',
      ).isWholeFile,
    ).toBe(false);
    expect(workTime() - started).toBeLessThan(15_000);
  });

  it.each<[string, readonly ToolContent[], string]>([
    ['the whole file', [diff(file, 'new\n')], 'new\n'],
    ['a new file over one that is there', [diff(null, 'new\n')], 'new\n'],
    ['a snippet', [diff('two\nthree', '2\n3')], 'one\n2\n3\nfour\nfive\nsix\n'],
    [
      'several snippets, by relative and absolute path',
      [diff('two', '2'), diff('x', 'y', '/work/b.ts'), diff('five', '5', 'a.ts')],
      'one\n2\nthree\nfour\n5\nsix\n',
    ],
    [
      'a patch of v2',
      [
        {
          type: 'fileChange',
          operation: 'modify',
          path: '/work/a.ts',
          patch: 'diff --git a/a.ts b/a.ts\n@@ -2,1 +2,2 @@\n-two\n+2\n+2.5\n@@ -5,1 +6,0 @@\n-five\n',
        },
      ],
      'one\n2\n2.5\nthree\nfour\nsix\n',
    ],
    [
      'a patch of v2 for a file that does not end with a new line',
      [
        {
          type: 'fileChange',
          operation: 'modify',
          path: '/work/a.ts',
          patch: '@@ -5,2 +5,2 @@\n five\n-six\n\\ No newline at end of file\n+6\n\\ No newline at end of file\n',
        },
      ],
      'one\ntwo\nthree\nfour\nfive\n6\n',
    ],
    [
      'a new file of v2',
      [{ type: 'fileChange', operation: 'add', path: '/work/a.ts', patch: '@@ -0,0 +1,2 @@\n+n\n+m\n' }],
      'n\nm\n',
    ],
  ])('%s', (_name, content, after) => {
    expect(compare(content, file)).toEqual({ before: file, after, isWholeFile: true });
  });

  it.each<[string, string, string]>([
    ['its own format', own('@@\n two\n-three\n+3\n@@\n five\n+5.5'), 'one\ntwo\n3\nfour\nfive\n5.5\nsix\n'],
    [
      'a unified diff',
      '--- a/a.ts\n+++ b/a.ts\n@@ -2,2 +2,1 @@\n two\n-three\n@@ -5,0 +5,1 @@\n+5.5\n',
      'one\ntwo\nfour\nfive\n5.5\nsix\n',
    ],
    [
      'a unified diff of an earlier file',
      '--- a/a.ts\n+++ b/a.ts\n@@ -12,2 +12,1 @@\n two\n-three\n@@ -15,1 +14,1 @@\n-five\n+5\n',
      'one\ntwo\nfour\n5\nsix\n',
    ],
  ])('by a patch in raw input, in %s', (_name, patch, after) => {
    expect(compare([], file, { patch })).toEqual({ before: file, after, isWholeFile: true });
  });

  it('is compared whatever the line ends are', () => {
    expect(compare([diff('two\nthree', '2')], file.replaceAll('\n', '\r\n'))).toEqual({
      before: file,
      after: 'one\n2\nfour\nfive\nsix\n',
      isWholeFile: true,
    });
  });

  it('that is not there yet', () => {
    expect(compare([diff(null, 'new\n')], undefined)).toEqual({ before: '', after: 'new\n', isWholeFile: true });
    expect(compare([], undefined, own('@@\n-gone'))).toMatchObject({ isWholeFile: false });
    expect(comparison(proposedEdits({ content: [], rawInput: own('') }, '/work/b.ts', cwd), undefined)).toEqual({
      before: '',
      after: 'x\n',
      isWholeFile: true,
    });
  });

  it('is given up where that would take long', () => {
    const long = 'line\n'.repeat(100_000);
    expect(
      compare(
        Array.from({ length: 1_000 }, () => diff('x', 'y')),
        long,
      ),
    ).toMatchObject({ isWholeFile: false });
    expect(compare([diff(long, 'y')], long)).toMatchObject({ isWholeFile: true });
  });

  it.each<[string, readonly ToolContent[], unknown]>([
    ['at no place', [diff('zwei', '2')], undefined],
    ['at several places', [diff('e', '3')], undefined],
    ['nowhere in particular', [diff('', 'x')], undefined],
    ['after another that does not', [diff('zwei', '2'), diff('two', '2')], undefined],
    ['at no place, of a patch', [], own('@@\n-zwei\n+2')],
    ['at no line, of a patch', [], own('@@\n+2')],
  ])('only shows what was sent where an edit fits %s', (_name, content, rawInput) => {
    const { isWholeFile, before, after } = compare(content, file, rawInput);
    expect([isWholeFile, before.includes('one'), after.includes('one'), after === before]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
