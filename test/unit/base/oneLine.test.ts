import { expect, test } from 'vitest';
import { clip, plainMarkdown } from '../../../src/base/oneLine';

test.each([
  ['**Comment** on `src/a.ts`', 'Comment on src/a.ts'],
  ['### Heading\n> quoted', 'Heading\nquoted'],
  ['- [ ] one\n* two', 'one\ntwo'],
  ['```diff\n-a\n```', '\n-a\n'],
  ['See [the page](https://example.com/a)', 'See the page'],
  ['__init__ and a * b * c', '__init__ and a * b * c'],
  ['2 ** 3 ** 4', '2 ** 3 ** 4'],
])('%j is %j in one line', (text, plain) => expect(plainMarkdown(text)).toBe(plain));

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab👩d', 3, 'ab…'],
  ['ab cd', 3, 'ab…'],
  ['a👩d', 3, 'a👩…'],
])('%j in %i characters is %j', (text, limit, short) => expect(clip(text, limit)).toBe(short));
