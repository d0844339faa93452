import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allFeatures,
  clientCapabilities,
  decodeSwitches,
  type FeatureName,
  featureNames,
  featuresWith,
} from '../../../src/acp/clientFeatures';

const without = (...off: FeatureName[]) => featuresWith(Object.fromEntries(off.map((name) => [name, false])));
/** What stands at a feature's path. */
const advertised = (name: FeatureName) =>
  name
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      clientCapabilities(allFeatures),
    );
const served = featureNames.filter((name) => allFeatures[name]);

describe('what Parley can', () => {
  it('26 is advertised where the schema wants it, and nothing else', () => {
    for (const name of featureNames) expect([name, Boolean(advertised(name))]).toEqual([name, allFeatures[name]]);
  });

  it.each(served)('26 %s can be switched off alone', (name) => {
    expect(clientCapabilities(without(name))).not.toEqual(clientCapabilities(allFeatures));
    for (const other of served) expect([other, without(name)[other]]).toEqual([other, other !== name]);
  });

  it('26 a switch cannot turn on what is not built', () => {
    const eager = featuresWith(Object.fromEntries(featureNames.map((name) => [name, true])));
    expect(eager).toEqual(allFeatures);
  });

  it('is what the setting knows', () => {
    const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'));
    const [, entry] = manifest.contributes.configuration.properties['parley.agents'].additionalProperties.anyOf;
    expect(Object.keys(entry.properties.capabilities.properties)).toEqual(featureNames);
  });

  it.each<[unknown, string | object]>([
    [undefined, {}],
    [{ terminal: false }, { terminal: false }],
    [{ terminal: 'no' }, 'capabilities: “terminal” must be true or false'],
    [{ teminal: false }, expect.stringContaining('no switch “teminal”')],
    [[], 'capabilities must map names to true or false'],
    [null, 'capabilities must map names to true or false'],
  ])('switches %j are read as %j', (raw, expected) => expect(decodeSwitches(raw)).toEqual(expected));
});
