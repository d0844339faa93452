import { describe, expect, it } from 'vitest';
import { readReview } from '../../../../src/host/ask/remarks';

const files = ['a.ts', 'src/b.ts'];
const remark = { path: 'a.ts', line: 3, text: 'Off by one.' };
const json = JSON.stringify([remark]);

describe('a review', () => {
  it.each<[string, string, readonly unknown[], string]>([
    ['an array', json, [remark], ''],
    ['an empty array', '[]', [], ''],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``, [remark], ''],
    ['with words around it', `I looked at [a.ts].\n${json}\nThat is all.`, [remark], ''],
    [
      'paths as in a diff',
      JSON.stringify([
        { ...remark, path: 'b/src/b.ts' },
        { ...remark, path: './a.ts' },
      ]),
      [{ ...remark, path: 'src/b.ts' }, remark],
      '',
    ],
    ['no JSON', 'Looks good to me.', [], 'Looks good to me.'],
    ['broken JSON', '[{"path": "a.ts"', [], '[{"path": "a.ts"'],
    ['another file', JSON.stringify([{ ...remark, path: '/etc/passwd' }]), [], '/etc/passwd: Off by one.'],
    ['a way out of the repository', JSON.stringify([{ ...remark, path: '../a.ts' }]), [], '../a.ts: Off by one.'],
    ['no line', JSON.stringify([{ path: 'a.ts', text: 'Odd.' }]), [], 'a.ts: Odd.'],
    [
      'lines that are none',
      JSON.stringify([-1, 0, 1.5, '3', 1e300].map((line) => ({ ...remark, line }))),
      [],
      Array(5).fill('a.ts: Off by one.').join('\n\n'),
    ],
    ['other values', '[null, 3, "Nice", {"text": 4}, []]', [], 'Nice'],
    [
      'a file with the name of a property',
      JSON.stringify([{ ...remark, path: '__proto__' }]),
      [],
      '__proto__: Off by one.',
    ],
  ])('%s', (_, answer, remarks, rest) => {
    expect(readReview(answer, files)).toEqual({ remarks, rest });
  });

  it('is bounded, and hides nothing', () => {
    const many = readReview(
      JSON.stringify(Array.from({ length: 2_000 }, () => ({ ...remark, text: 'x'.repeat(10_000) }))),
      files,
    );
    expect(many.remarks).toHaveLength(200);
    expect(many.remarks[0]!.text.length).toBeLessThan(4_100);
    expect(many.rest).toBe('… 1800');
    expect(readReview('y'.repeat(10_000_000), files).rest.length).toBeLessThan(50_000);
    expect(readReview('['.repeat(1_000_000), files).remarks).toEqual([]);
    expect(readReview(JSON.stringify([{ ...remark, text: 'a\u202Eb' }]), files).remarks[0]!.text).toContain('⟨U+202E⟩');
  });
});
