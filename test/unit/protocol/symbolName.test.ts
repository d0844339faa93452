import { expect, it } from 'vitest';
import { symbolParts } from '../../../src/protocol/symbolName';

it('knows what reads as the name of a symbol', () => {
  const parts = (text: string) => symbolParts(text)?.join(' ');
  expect(
    ['parseExpr', 'Foo.bar', 'foo()', 'std::vector', 'Foo#bar', '#private', '$el', 'größe', 'a1'].map(parts),
  ).toEqual(['parseExpr', 'Foo bar', 'foo', 'std vector', 'Foo bar', 'private', '$el', 'größe', 'a1']);
  expect(
    [
      'npm test',
      'src/a.ts',
      '',
      '12',
      '--flag',
      'f(x)',
      'a.b.',
      'a..b',
      '<T>',
      'a\nb',
      'x'.repeat(201),
      '$(rm)',
      `${'a.'.repeat(11)}b`,
    ].map(parts),
  ).toEqual(Array.from({ length: 13 }, () => undefined));
});
