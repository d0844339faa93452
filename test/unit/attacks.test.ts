import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attacks } from '../attacks/attacks.mjs';
import { proofOf } from '../conformance/item.mjs';

const root = resolve(import.meta.dirname, '../..');

/* What `npm run test:attacks` reports on. A test that is renamed must be renamed in test/attacks/items as well. */
describe('the list of attacks', () => {
  it('names each attack once', () => {
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
    for (const { name } of attacks) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it.each(attacks)('$name has tests that make it', ({ proofs }) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const proof of proofs) {
      const { file, title } = proofOf(proof);
      expect(existsSync(join(root, file)), `${file} is there`).toBe(true);
      // A title may be made of data.
      if (!/ (?:inert|names that)$/.test(title))
        expect(
          readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'").includes(title),
          `${file} has a test “${title}”`,
        ).toBe(true);
    }
  });

  it('holds every promise of SECURITY.md: each names an attack of the list', () => {
    const named = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/\[`([a-z0-9-]+)`\]/g)].map(
      ([, name]) => name!,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !attacks.some((attack) => attack.name === name))).toEqual([]);
    expect(
      attacks.filter(({ name }) => !named.includes(name)).map(({ name }) => name),
      'attacks that SECURITY.md does not name',
    ).toEqual([]);
  });
});
