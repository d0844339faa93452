import { describe, expect, it } from 'vitest';
import { findPaths } from '../../../webview/markdown/pathLinks';
import { workTime } from '../../fakes/workTime';

const found = (text: string) => findPaths(text).map(({ at: _at, text: whole }) => whole);

describe('paths in a text', () => {
  it.each([
    ['See src/evaluate.ts:5 and src/a.ts:5:12.', ['src/evaluate.ts:5', 'src/a.ts:5:12']],
    ['(a.ts:7), "b/c.d.ts", ./x/y.md; ../z.json', ['a.ts:7', 'b/c.d.ts', './x/y.md', '../z.json']],
    ['/work/src/a.ts:3 C:\\d\\e.ts:4 c:/d/e.ts', ['/work/src/a.ts:3', 'C:\\d\\e.ts:4', 'c:/d/e.ts']],
    ['.github/workflows/ci.yml', ['.github/workflows/ci.yml']],
    ['src/a.ts(12,3): error; b.ts(4)', ['src/a.ts(12,3)', 'b.ts(4)']],
    ['src/a.ts:12-20, a.ts#L5, src/a.ts#L10-L20', ['src/a.ts:12-20', 'a.ts#L5', 'src/a.ts#L10-L20']],
    ['src/a.ts:12:3-14:5 and src/a.ts:L12', ['src/a.ts:12:3-14:5', 'src/a.ts:L12']],
    ['see ~/.config/x.json', ['~/.config/x.json']],
    ['app/[id]/page.tsx and app/(group)/[...all]/page.tsx', ['app/[id]/page.tsx', 'app/(group)/[...all]/page.tsx']],
    ['(see)src/a.ts [x]src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['文件src/a.ts已修改，在src/b.ts:3处', ['src/a.ts', 'src/b.ts:3']],
    ['src/日本語/a.ts', []],
    ['v1.a(3) f.call(x) a.b (1)', ['v1.a(3)']],
    ['a.ts and Node.js, e.g. this', []],
    ['https://example.com/a.html:80', []],
    ['and/or 1/2.5 3:45 v1.2.3:4', []],
  ])('%j names %j', (text, expected) => expect(found(text)).toEqual(expected));

  it('have a line and a column', () => {
    expect(findPaths('in src/a.ts:5:12')).toEqual([
      { at: 3, text: 'src/a.ts:5:12', path: 'src/a.ts', line: 5, column: 12 },
    ]);
  });

  it('cost what the text is long', () => {
    for (const text of [
      'a/'.repeat(20_000),
      'a.'.repeat(20_000),
      'a.b:1'.repeat(8_000),
      '../'.repeat(12_000),
      'x'.repeat(40_000) + '.ts/',
      'a.b/c '.repeat(6_000),
      'a/[b]'.repeat(10_000),
      'a/(b)/'.repeat(10_000),
      'a/((('.repeat(10_000),
      'a.b:1-'.repeat(8_000),
    ]) {
      const start = workTime();
      findPaths(text);
      expect(workTime() - start, text.slice(0, 10)).toBeLessThan(8_000);
    }
  });
});
