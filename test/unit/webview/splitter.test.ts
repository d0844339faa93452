import { readdirSync, readFileSync } from 'node:fs';
import { Lexer } from 'marked';
import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { BlockSplitter } from '../../../webview/markdown/splitter';
import type { MarkdownBlock } from '../../../webview/markdown/splitter';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

type Piece = MarkdownBlock | { readonly info: string; text: string };

function split(text: string, cuts: readonly number[] = []): Piece[] {
  const pieces: Piece[] = [];
  let code: { info: string; text: string } | undefined;
  const splitter = new BlockSplitter({
    block: (block) => pieces.push(block),
    codeOpen: (info) => pieces.push((code = { info, text: '' })),
    codeText: (part) => (code!.text += part),
    codeClose: () => (code = undefined),
  });
  let at = 0;
  for (const cut of [...cuts, text.length]) {
    splitter.push(text.slice(at, cut));
    at = cut;
  }
  splitter.finish();
  expect(code).toBeUndefined();
  return pieces;
}

/** The parser's view of all blocks, each parsed alone. */
function parseBlocks(pieces: readonly Piece[], links: object): unknown {
  return normalize(
    pieces.flatMap((piece): Token[] => {
      if ('info' in piece) return [{ type: 'code', raw: '', lang: piece.info, text: piece.text }];
      const lexer = new Lexer({ gfm: true });
      Object.assign(lexer.tokens.links, links);
      return lexer.lex(piece.raw);
    }),
  );
}

/** Without what says where a token stood, and without the empty lines at the end of code, which are not shown. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((t: Token | null) => t?.type !== 'space' && t?.type !== 'def').map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  const token = value as Record<string, unknown>;
  if (token['type'] === 'code')
    return { type: 'code', lang: token['lang'] ?? '', text: String(token['text']).trimEnd() };
  return Object.fromEntries(
    Object.entries(token)
      .filter(([key]) => key !== 'raw' && key !== 'pre')
      .map(([key, inner]) => [key, normalize(inner)]),
  );
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

function randomCuts(text: string, next: () => number, longest: number): number[] {
  const cuts: number[] = [];
  for (let at = 1 + Math.floor(next() * longest); at < text.length; at += 1 + Math.floor(next() * longest))
    cuts.push(at);
  return cuts;
}

const folder = new URL('../../fixtures/markdown/', import.meta.url);
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

const readmes = [
  'marked',
  'dompurify',
  'highlight.js',
  'vitest',
  'playwright-core',
  'mocha',
  'diff',
  'ajv',
  'esbuild',
  'cross-spawn',
  'ignore',
  'lit-html',
  'fuzzysort',
].flatMap((name) => {
  try {
    return [
      [
        `${name}/README.md`,
        readFileSync(new URL(`../../../node_modules/${name}/README.md`, import.meta.url), 'utf8'),
      ] as const,
    ];
  } catch {
    return [];
  }
});

const odd = [
  '',
  '   ',
  'text',
  'more text',
  '- item',
  '  - nested',
  '    code or more',
  '* star',
  '1. one',
  '2) two',
  '   in the item',
  '> quote',
  '> - in quote',
  '```',
  '```js',
  '~~~',
  '  ```',
  '<div>',
  '</div>',
  '<pre>',
  '</pre>',
  '<!-- c',
  '-->',
  '<b>x</b>',
  '<https://a.b>',
  '| a | b |',
  '|---|---|',
  '---',
  '===',
  '# head',
  '***',
  '[r]: https://r.example',
  '[r]',
  '\ttab',
  '`',
  '**',
  '- ```',
  '  code',
  '1986. a year',
  '+',
  '-',
  '<Component',
  '<a-b c="d">',
];

describe('block splitter', () => {
  it.each([...fixtures, ...readmes])(
    'cuts %s into blocks that parse alone as they do in their place',
    (_name, source) => {
      const text = source.replace(/\r\n?/g, '\n');
      const pieces = split(text);
      // What was cut for its length is meant to differ.
      if (
        pieces.some(
          (p) => 'raw' in p && (p.listStart !== undefined || p.tableHead !== undefined || p.raw.length > 4000),
        )
      )
        return;
      const whole = Lexer.lex(text, { gfm: true });
      expect(parseBlocks(pieces, whole.links)).toEqual(normalize([...whole]));
    },
  );

  it.each([...fixtures, ...readmes])('cuts %s at the same places however it arrives', (_name, text) => {
    const once = split(text);
    const next = random(text.length);
    for (const longest of [3, 40, 900]) expect(split(text, randomCuts(text, next, longest))).toEqual(once);
  });

  it('cuts nonsense at the same places however it arrives, and loses nothing of it', () => {
    for (let seed = 1; seed <= tries(2_400); seed++) {
      const next = random(seed);
      const text = Array.from({ length: 3 + Math.floor(next() * 14) }, () => odd[Math.floor(next() * odd.length)]).join(
        next() < 0.1 ? '\r\n' : '\n',
      );
      const once = split(text);
      expect(split(text, randomCuts(text, next, 5)), JSON.stringify(text)).toEqual(once);
      const letters = (s: string) => s.replace(/[\s`~]/g, '');
      const kept = once.map((p) => ('info' in p ? p.info + p.text : p.raw)).join('\n');
      expect(letters(kept), JSON.stringify(text)).toBe(letters(text));
    }
  });

  it.each([
    '<details>\n<summary>More</summary>\n\nInside **it**\n\n```\ncode\n```\n',
    '<details><summary>a</summary>\n\n<details>\n\nb\n</details>\n\nc',
  ])('keeps what is folded together, blank lines included: %j', (folded) => {
    const text = `${folded}\n</details>\n\nAfter`;
    expect(split(text)).toEqual([{ raw: `${folded}\n</details>\n\n` }, { raw: 'After' }]);
    for (const longest of [1, 3, 40]) expect(split(text, randomCuts(text, random(7), longest))).toEqual(split(text));
  });

  const unified = [
    'diff --git a/x b/x',
    'index 1..2 100644',
    '--- a/x',
    '+++ b/x',
    '@@ -1,3 +1,3 @@ f',
    ' a',
    '',
    '-```',
    '+- b',
    '\\ No newline at end of file',
    '@@ -9 +9,0 @@',
    '-c',
  ].join('\n');
  const envelope = '*** Begin Patch\n*** Update File: x\n@@ f\n-a\n\n+b\n*** End Patch';
  it.each([
    ['Look:\n', unified, '\nThis is *it*.'],
    ['- item\n\n', unified, '\n\n- item\n'],
    ['', envelope, '\nAnd then.\n'],
    ['', `${unified}\n${unified}`, ''],
    ['a\n\n', `${unified.split('\n').slice(0, 6).join('\n')}`, ''],
  ])('takes a patch without a fence for code, and ends it where it ends: %j', (before, patch, after) => {
    const text = before + patch + after;
    const words = (part: string) => (part.trim() === '' ? [] : [part.trim()]);
    expect(split(text).map((piece) => ('info' in piece ? piece : piece.raw.trim()))).toEqual([
      ...words(before),
      { info: 'diff', text: patch },
      ...words(after),
    ]);
    const next = random(3);
    for (const longest of [1, 3, 40]) expect(split(text, randomCuts(text, next, longest))).toEqual(split(text));
  });

  it.each(['diff --git is a command', '--- a\n+++ b', ' *** Begin Patch', '    diff --git a/x b/x'])(
    'takes no other text for one: %j',
    (text) => {
      expect(split(text)).toEqual([{ raw: text }]);
    },
  );

  it('keeps every block short, whatever the text', () => {
    const long: Record<string, string> = {
      paragraph: 'word '.repeat(40_000),
      word: 'x'.repeat(200_000),
      lines: 'a line of a log\n'.repeat(10_000),
      list: '- an item with words\n'.repeat(10_000),
      nested: `- an item\n${'  - a nested item\n'.repeat(10_000)}`,
      table: `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(10_000)}`,
      html: `<div>\n${'text\n'.repeat(20_000)}`,
      comment: `<!-- never closed\n${'text\n\n'.repeat(20_000)}`,
      quote: '> quoted\n'.repeat(10_000),
      'code in a list': `- item\n\n  \`\`\`js\n${'  let a;\n'.repeat(10_000)}  \`\`\`\n`,
    };
    for (const [name, text] of Object.entries(long)) {
      const pieces = split(text);
      for (const piece of pieces) if ('raw' in piece) expect(piece.raw.length, name).toBeLessThan(34_000);
      expect(split(text, randomCuts(text, random(5), 3000)), name).toEqual(pieces);
    }
  });

  it('goes on counting where a long ordered list was cut', () => {
    const pieces = split(Array.from({ length: 500 }, (_, i) => `${i + 1}. item number ${i + 1}`).join('\n'));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces.slice(1)) {
      const block = piece as MarkdownBlock;
      expect(block.raw.startsWith(`${block.listStart}. item`)).toBe(true);
    }
  });

  it('repeats the header where a long table was cut', () => {
    const head = '| a | b |\n|---|---|\n';
    const [first, ...rest] = split(head + '| c | d |\n'.repeat(2000)) as MarkdownBlock[];
    expect(first!.tableHead).toBeUndefined();
    expect(rest.length).toBeGreaterThan(1);
    for (const block of rest) expect(block.tableHead).toBe(head);
  });

  it('looks at each character once: a long text costs what it is long', () => {
    const cost = (size: number) => {
      const text = 'A paragraph of some words.\n\n```js\nlet a = 1;\n```\n\n- item\n- item\n\n'.repeat(size);
      const start = performance.now();
      split(
        text,
        Array.from({ length: Math.floor(text.length / 32) }, (_, i) => (i + 1) * 32),
      );
      return performance.now() - start;
    };
    cost(500);
    // By turns, so that a machine that is busy for a while is so for both.
    const rounds = Array.from({ length: 5 }, () => [cost(250), cost(8_000)] as const);
    const fastest = (which: 0 | 1) => Math.min(...rounds.map((both) => both[which]));
    // 32 times the text. The machine may be many times as slow in one of both; were it quadratic, it would be 1,024.
    expect(fastest(1) / fastest(0)).toBeLessThan(500);
  });

  it('looks at a long blank line of code once', () => {
    const started = workTime();
    split(`\`\`\`\n${' '.repeat(1_000_000)}x`);
    expect(workTime() - started).toBeLessThan(5_000);
  });
});
