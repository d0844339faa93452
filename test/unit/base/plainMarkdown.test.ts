import { expect, test } from 'vitest';
import { plainMarkdown } from '../../../src/base/oneLine';

test.each([
  ['**Comment** on `src/a.ts`', 'Comment on src/a.ts'],
  ['### Heading\n> quoted', 'Heading\nquoted'],
  ['- [ ] one\n* two', 'one\ntwo'],
  ['```diff\n-a\n```', '\n-a\n'],
  ['See [the page](https://example.com/a)', 'See the page'],
  ['__init__ and a * b * c', '__init__ and a * b * c'],
  ['2 ** 3 ** 4', '2 ** 3 ** 4'],
])('%j is %j in one line', (text, plain) => expect(plainMarkdown(text)).toBe(plain));
