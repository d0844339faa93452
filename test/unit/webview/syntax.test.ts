import { Lexer } from 'marked';
import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { completeTail } from '../../../webview/markdown/completeTail';
import { extensionsFor } from '../../../webview/markdown/syntax';
import { workTime } from '../../fakes/workTime';

const lex = (text: string) => new Lexer({ gfm: true, extensions: extensionsFor(text) ?? null }).lex(text);
const all = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => [
    token,
    ...('tokens' in token && token.tokens ? all(token.tokens) : []),
    ...(token.type === 'list' ? all((token as { items: Token[] }).items) : []),
  ]);
const math = (text: string) =>
  all(lex(text))
    .filter(({ type }) => type === 'math')
    .map((token) => `${(token as { display?: boolean }).display ? 'D ' : ''}${(token as { tex?: string }).tex}`);
const types = (text: string) => all(lex(text)).map(({ type }) => type);

describe('math', () => {
  it.each([
    ['$x$', ['x']],
    ['so $x_1 + y_1$, and $z$.', ['x_1 + y_1', 'z']],
    ['($a$) "$b$" **$c$** $d$-th', ['a', 'b', 'c', 'd']],
    ['$2 \\times 3$ and $5$', ['2 \\times 3', '5']],
    ['$a \\$ b$', ['a \\$ b']],
    ['\\(x\\) and \\(f(x)\\) and \\(a^2\\)', ['x', 'f(x)', 'a^2']],
    ['text $$x = 1$$ text', ['D x = 1']],
    ['$$\nx\n- y\n= z\n$$', ['D x\n- y\n= z']],
    ['before\n$$\nx\n$$\nafter', ['D x']],
    ['\\[ x = y \\]', ['D x = y']],
    ['- item\n  \\[\n  x = y\n  \\]', ['D x = y']],
    ['> $$x^2$$', ['D x^2']],
  ])('%j has %j', (text, expected) => expect(math(text)).toEqual(expected));

  it.each(
    [
      '$5 and $6',
      'costs $5, or $6',
      'from $5 to $10.',
      '$5-$10',
      'US$5 and A$6',
      '$HOME/$USER',
      '${HOME}/bin:${PATH}',
      '$(cat a)/$(cat b)',
      '$5 (US$)',
      '$PATH and $HOME',
      '$ x $',
      '$5 million (or 4$)',
      '$3, or 4$',
      '`$x$`',
      '\\$x\\$',
      '$x',
      '$$',
      '$$\nx',
      '$$$$',
      '\\(an aside\\)',
      '\\[x\\] task',
      '\\[a box\\]',
      '\\[ \\]',
      '- \\[ \\] todo',
      '```\n$x$\n```',
      '\\(',
      'a $\nb$',
      '$$a\n\nb$$',
      'jQuery $(this) and $(that)',
      "$a['x'] .= $b;",
    ].filter((text) => text !== '\\[x\\] task'),
  )('%j has none', (text) => expect(math(text)).toEqual([]));
});

describe('tilde', () => {
  it.each([
    ['H~2~O', ['subscript']],
    ['~~x~~', ['del']],
    ['~x~', []],
    ['~5 and ~6', []],
    ['~/a:~/b', []],
    ['x~a b~', []],
  ])('%j has %j', (text, expected) =>
    expect(types(text).filter((type) => type === 'subscript' || type === 'del')).toEqual(expected),
  );
});

describe('footnotes', () => {
  it('are references only where a definition is known', () => {
    expect(types('a[^1] [^2]\n\n[^1]: text').filter((type) => type.startsWith('footnote'))).toEqual([
      'footnoteReference',
      'footnote',
    ]);
    expect(types('[^a-z]: is no class').filter((type) => type.startsWith('footnote'))).toEqual(['footnote']);
    expect(types('match [^a-z]+ here')).not.toContain('footnoteReference');
  });

  it('stand one below the other', () => {
    expect(types('[^1]: one\n[^2]: two\n    more').filter((type) => type === 'footnote')).toHaveLength(2);
  });
});

describe('a text that is being written', () => {
  it.each([
    ['> [!', ''],
    ['> [!NOTE]', ''],
    ['> q\n> [', '> q\n'],
    ['so $$\\frac{a', 'so '],
    ['so $$x$$ and $$y', 'so $$x$$ and '],
    ['so \\(a', 'so '],
    ['so \\(a\\) b', 'so \\(a\\) b'],
    ['costs $5 and', 'costs $5 and'],
  ])('%j shows as %j', (text, expected) => expect(completeTail(text)).toBe(expected));

  it('is shown where a formula never ends', () => {
    const text = `so $$ ${'word '.repeat(500)}`;
    expect(completeTail(text).length).toBeGreaterThan(2000);
  });
});

it('costs what a text is long', () => {
  for (const text of [
    '$a '.repeat(3000),
    '[^a] '.repeat(2000),
    '~a'.repeat(4000),
    '\\[ '.repeat(3000),
    '$$\n'.repeat(3000),
    '[^1]: a\n'.repeat(1000),
    '$\\'.repeat(4000),
    `[^1]: ${' \n'.repeat(4000)}x`,
    `$$${'\\a'.repeat(4000)}`,
  ]) {
    const start = workTime();
    lex(text);
    expect(workTime() - start, JSON.stringify(text.slice(0, 12))).toBeLessThan(8_000);
  }
});
