import { Lexer, type Token } from 'marked';
import { expect, it } from 'vitest';
import { BoundedTokenizer } from '../../../webview/markdown/proseTokenizer';
import { workTime } from '../../fakes/workTime';

/* A table costs what its text costs, however many cells its head gives to each row. */

const row = (columns: number, cell: (n: number) => string) =>
  `|${Array.from({ length: columns }, (_, n) => cell(n)).join('|')}|`;
const table = (columns: number, rows: number, line: (n: number) => string) =>
  [row(columns, (n) => `h${n}`), row(columns, () => '-'), ...Array.from({ length: rows }, (_, n) => line(n))].join(
    '\n',
  );
const lex = (text: string) => new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(text);
const types = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => [
    token.type,
    ...('tokens' in token && token.tokens && token.type === 'blockquote' ? types(token.tokens) : []),
  ]);

it.each([
  ['small', table(3, 4, (n) => row(3, (m) => `${n * m}`)), ['table']],
  ['small with rows of one cell', table(9, 30, () => '|x|'), ['table']],
  ['long', table(4, 400, (n) => row(4, (m) => `${n * m}`)), ['table']],
  ['of 100 columns', table(100, 5, (n) => row(100, (m) => `${n * m}`)), ['table']],
  ['of 101 columns', table(101, 5, (n) => row(101, (m) => `${n * m}`)), ['paragraph']],
  ['of 1,300 columns and 300 rows of one cell each', table(1_300, 300, () => '|x|'), ['paragraph']],
  ['the same in a quote', table(1_300, 300, () => '|x|').replaceAll(/^/gm, '> '), ['blockquote', 'paragraph']],
])('a table %s', (_name, text, expected) => {
  const start = workTime();
  const tokens = lex(text);
  expect(types(tokens)).toEqual(expected);
  expect(workTime() - start).toBeLessThan(8_000);
});
