import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checklist } from '../conformance/checklist.mjs';
import { proofOf } from '../conformance/item.mjs';

const root = resolve(import.meta.dirname, '../..');

/* What `npm run conformance` reports on. A test that is renamed must be renamed in test/conformance/items as well. */
describe('the conformance checklist', () => {
  it('has every rule once', () => {
    expect(checklist.map(({ number }) => number)).toEqual(Array.from({ length: 207 }, (_, index) => index + 1));
    expect(new Set(checklist.map(({ name }) => name)).size).toBe(checklist.length);
    for (const { name } of checklist) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it.each(checklist)('$number-$name is proven, or says what is open', ({ proofs, open }) => {
    expect(proofs.length > 0 || open !== undefined, 'neither a proof nor a word on what is open').toBe(true);
    for (const proof of proofs) {
      const { file, title } = proofOf(proof);
      expect(existsSync(join(root, file)), `${file} is there`).toBe(true);
      expect(
        titlesIn(file).some((text) => text.includes(title)),
        `${file} has a test “${title}”`,
      ).toBe(true);
    }
  });
});

/** Where the titles of a file's tests are written. */
function titlesIn(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  // The scenarios of threads are files.
  return file === 'test/unit/thread/scenarios.test.ts'
    ? [...readdirSync(join(root, 'test/fixtures/thread')), source]
    : [source];
}
