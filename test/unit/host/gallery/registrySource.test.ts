import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { RegistrySource } from '../../../../src/host/gallery/registrySource';
import { startFileServer } from '../../../fakes/fileServer';

vi.mock('vscode', () => ({ env: { language: 'en' } }));

const icon = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h16v16z"/></svg>';
const index = (id: string) =>
  JSON.stringify({
    agents: [
      {
        id,
        name: id,
        version: '1.0.0',
        icon: `${id}.svg`,
        distribution: { npx: { package: `${id}@1.0.0` } },
      },
    ],
  });

async function desk() {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  const server = await startFileServer({
    'one/index.json': index('oak'),
    'one/oak.svg': icon,
    'two/index.json': index('elm'),
    'broken/index.json': 'oops',
  });
  const address = (file: string) => `${server.url}${file}`;
  const settings = { address: address('one/index.json') };
  const source = new RegistrySource({
    address: () => settings.address,
    file: path.join(folder, 'index.json'),
    now: () => 1,
    log: silentLogger,
  });
  onTestFinished(async () => {
    source.dispose();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const names = () => source.agents.map(({ id }) => id);
  return { source, settings, names, address };
}

test('agents and icons of an index are not shown as those of another one', async () => {
  const { source, settings, names, address } = await desk();
  await source.load();
  expect([names(), Object.keys(source.icons)]).toEqual([['oak'], ['oak']]);
  settings.address = address('broken/index.json');
  await source.load();
  expect(source.problem).toContain('The list shows only agents that Parley knows.');
  expect([names(), source.icons]).toEqual([[], {}]);
});

test.each(['http://example.com/index.json', 'no address'])('nor of an address that is none: %s', async (wrong) => {
  const { source, settings, names } = await desk();
  await source.load();
  settings.address = wrong;
  await source.load();
  expect([names(), source.icons]).toEqual([[], {}]);
});

test('the list of the same index stays if it cannot be asked for', async () => {
  const { source, names } = await desk();
  await source.load();
  const loading = source.load();
  expect([names(), Object.keys(source.icons)]).toEqual([['oak'], ['oak']]);
  await loading;
});

test.each([
  ['another index', 'two/index.json', ['elm']],
  ['none', '', []],
])('an index that is asked for does not come back after the user chose %s', async (_, other, shown) => {
  const { source, settings, names, address } = await desk();
  // It is stored, so that a later look finds it at once.
  await source.load();
  const first = source.load();
  settings.address = other === '' ? '' : address(other);
  await Promise.all([first, source.load()]);
  expect(names()).toEqual(shown);
});
