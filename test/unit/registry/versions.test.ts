import { expect, test } from 'vitest';
import { compareVersions, isNewer, isVersion } from '../../../src/registry/versions';

test.each([
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.0.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.1', false],
  ['0.9.0', '1.0.0', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.1', '1.0.0', false],
  ['1.0.0-rc.2', '1.0.0-rc.1', true],
  ['1.0.0-rc.10', '1.0.0-rc.9', true],
  ['1.0.0-beta', '1.0.0-alpha', true],
  ['1.0.0-alpha.1', '1.0.0-alpha', true],
  ['1.0.0-alpha.beta', '1.0.0-alpha.1', true],
  ['1.0.0+build2', '1.0.0+build1', false],
  ['1.1', '1.0.5', true],
  ['1.0.1', '1.0', true],
  ['1.0', '1.0.0', false],
  ['1.0.post2', '1.0.post1', true],
  ['1.0.post1', '1.0', true],
  ['1.0', '1.0.post1', false],
  ['2.0rc1', '1.9', true],
  ['2.0', '2.0rc1', true],
  ['2.0rc10', '2.0rc9', true],
  ['2.0a1', '2.0rc1', false],
  ['1.0+post.post2', '1.0', false],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

test('the order has one direction', () => {
  const sorted = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.0.post1',
    '1.0.1',
  ];
  for (const [at, left] of sorted.entries()) {
    for (const [other, right] of sorted.entries())
      expect(Math.sign(compareVersions(left, right)), `${left} and ${right}`).toBe(Math.sign(at - other));
  }
});

test.each(['1.0.0', '1', '1.2.3-rc.1', '1.2.3+abc', '2.0rc1', '1.0.post2', '0.0.1-nightly.20261101'])(
  '%s is a version',
  (text) => expect(isVersion(text)).toBe(true),
);
test.each(['', 'latest', 'v1.0.0', '../1', '1/2', '1.0 0', '1..0', '1.0.0\n', `1.${'0'.repeat(80)}`])(
  '%j is none',
  (text) => expect(isVersion(text)).toBe(false),
);
