import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/host/agents/catalogue';
import { manifestFor } from '../../../src/node/npmPackages';

const folder = path.join(import.meta.dirname, '../../../media/agents');

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly resolved?: string;
        readonly dependencies?: object;
        readonly optionalDependencies?: object;
      }
    >
  >;
}

test('there is a lockfile for each built-in agent that is said to have one, and no other', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.lock.json'))
      .toSorted(),
  ).toEqual(
    catalogue
      .filter(({ locked }) => locked)
      .map(({ id }) => `${id}.lock.json`)
      .toSorted(),
  );
});

test.each(
  catalogue
    .filter(({ id }) => existsSync(path.join(folder, `${id}.lock.json`)))
    .map((agent) => [agent.id, agent] as const),
)('the lockfile of %s pins every package by its content, for every system, and names no registry', (id, agent) => {
  const { packages } = JSON.parse(readFileSync(path.join(folder, `${id}.lock.json`), 'utf8')) as Lock;
  const { '': root, ...locked } = packages;
  expect(root).toEqual({
    name: 'parley-agent',
    dependencies: (manifestFor({ name: agent.package, version: agent.version }) as { dependencies: object })
      .dependencies,
  });
  expect(packages[`node_modules/${agent.package}`]?.version).toBe(agent.version);
  for (const [place, { integrity, resolved }] of Object.entries(locked))
    expect([place, integrity, resolved]).toEqual([place, expect.stringMatching(/^sha512-/), undefined]);
  const present = new Set(
    Object.keys(locked).map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const missing = Object.values(locked)
    .flatMap(({ dependencies, optionalDependencies }) => Object.keys({ ...dependencies, ...optionalDependencies }))
    .filter((name) => !present.has(name));
  expect(missing).toEqual([]);
});
