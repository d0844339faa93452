import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findText } from '../../../src/base/findText';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'a'.repeat(300), 'ab'.repeat(200)), { maxLength: 12 })
  .map((parts) => parts.join(''));

it('finds what the engine finds', () => {
  fc.assert(
    fc.property(texts, texts, texts, fc.nat(400), (before, part, after, from) => {
      for (const text of [before, before + part + after]) {
        const found = findText(text, part, from);
        if (found !== undefined) expect(found).toBe(text.indexOf(part, from));
      }
    }),
    { numRuns: tries(1_000) },
  );
  expect(findText('x'.repeat(1_000) + 'y'.repeat(1_000), `x${'y'.repeat(1_000)}`)).toBe(999);
});

it('takes no longer for texts that are made to take long', () => {
  const started = workTime();
  const text = 'a'.repeat(4_000_000);
  const half = 'a'.repeat(500_000);
  for (const part of [`${half}b${half}`, `b${half}`, `${half}b`, `${'a'.repeat(300)}b`.repeat(3) + half])
    expect(findText(text, part) ?? -1).toBe(-1);
  expect(workTime() - started).toBeLessThan(10_000);
});
