import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { removeUnusedRuntimes } from '../../src/host/gallery/galleryMachine';
import { AgentPrograms, type Prepared } from '../../src/host/agents/agentPrograms';
import { decodeAgent } from '../../src/host/agents/agentSettings';
import { processTag } from '../../src/node/processTag';
import { tarGzOf } from '../fakes/archives';
import { type Answer, startFileServer } from '../fakes/fileServer';
import { runtimeOptions } from '../fakes/runtimePins';
import { temporaryFolder } from './harness';

/* Agents of Python on a machine without uv: Parley downloads its own from a mirror on loopback. It runs the fake uv. */

const dialogs = vi.hoisted(() => ({ shown: [] as string[], answer: '' }));
vi.mock('vscode', () => {
  const ask = (words: string, { detail = '' }: { readonly detail?: string }) => {
    dialogs.shown.push([words, detail].filter(Boolean).join('\n'));
    return Promise.resolve(dialogs.answer || undefined);
  };
  return { window: { showWarningMessage: ask, showInformationMessage: ask }, ConfigurationTarget: {} };
});
beforeEach(() => Object.assign(dialogs, { shown: [], answer: 'Download uv' }));

const fakeUv = join(import.meta.dirname, '../fakes/fakeUv.mjs');
const archive = tarGzOf([
  {
    name: 'uv-test/uv',
    text: `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec '${process.execPath}' '${fakeUv}' "$@"\n`,
    mode: 0o755,
  },
]);
const released = 'https://github.com/astral-sh/uv/releases/download/99.1.0/uv-test.tar.gz';

async function machine(more: { readonly file?: Answer; readonly hasPins?: boolean; readonly sum?: Buffer } = {}) {
  const files = await startFileServer({
    'mirror/astral-sh/uv/releases/download/99.1.0/uv-test.tar.gz': more.file ?? archive,
  });
  onTestFinished(async () => {
    await files.close();
    vi.unstubAllEnvs();
  });
  const [home, bin, root, folder] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()];
  for (const name of ['sh', 'env', 'ps']) symlinkSync(`/bin/${name}`, join(bin, name));
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', bin);
  const log = join(home, 'uv.log');
  vi.stubEnv('FAKE_UV_LOG', log);
  const sha256 = createHash('sha256')
    .update(more.sum ?? archive)
    .digest('hex');
  const pin = { [`${process.platform}-${process.arch}`]: { address: released, version: '99.1.0', sha256 } };
  const runtime = runtimeOptions({
    address: `${files.url}mirror`,
    pins: { node: {}, npm: {}, uv: more.hasPins === false ? {} : pin },
  });
  const state = { keys: () => [], get: (_: string, value?: unknown) => value, update: () => Promise.resolve() };
  const configuration = decodeAgent('Test', { uv: 'agent==1.0.0', args: ['--acp'] });
  if (typeof configuration === 'string') throw new Error(configuration);
  const programs = new AgentPrograms({
    installation: { root, tree: { mark: processTag }, runtime, log: silentLogger },
    agents: () => [],
    folders: () => [folder],
    state: state as never,
  });
  const progress: string[] = [];
  const prepare = () => programs.prepare(configuration, folder, neverCancelled, (detail) => progress.push(detail));
  return { files, runtime, programs, configuration, prepare, progress, log };
}

async function outputOf(prepared: Prepared): Promise<string> {
  if (!('configuration' in prepared)) throw new Error(JSON.stringify(prepared));
  const { command, args } = prepared.configuration;
  return (await promisify(execFile)(command, [...args], { env: prepared.env as NodeJS.ProcessEnv })).stdout.trim();
}

test('without uv, Parley’s own is downloaded once the user agreed, installs the agent, and goes with it', async () => {
  const { files, runtime, programs, configuration, prepare, progress, log } = await machine();
  expect(await outputOf(await prepare())).toBe('started agent==1.0.0 --acp');
  expect(dialogs.shown).toEqual([
    'Test needs uv. Use Parley’s own?\n' +
      [
        'Parley can’t find uv on your PATH. Parley downloads uv 99.1.0 for its agents and does not add it to your PATH.',
        `From: ${new URL(files.url).host}\nuv-test.tar.gz\nThe file must match the SHA-256 that Parley knows.`,
        'If this machine has no suitable Python, uv downloads one, too, and verifies it. Parley removes both with the ' +
          'last agent that needs them.',
      ].join('\n\n'),
  ]);
  expect(progress).toContain('Downloading uv 99.1.0: 0.0 of 0.0 MB');
  const { env } = JSON.parse(readFileSync(log, 'utf8').split('\n')[0]!) as { readonly env: Record<string, string> };
  // Its Python and its cache are removed with it.
  expect([env['UV_PYTHON_INSTALL_DIR'], env['UV_CACHE_DIR'], env['UV_PYTHON_INSTALL_BIN']]).toEqual([
    join(runtime.root, 'uv/python'),
    join(runtime.root, 'uv/cache'),
    '0',
  ]);
  await files.close();
  expect(await outputOf(await prepare())).toBe('started agent==1.0.0 --acp');
  expect(dialogs.shown).toHaveLength(1);

  const { installer } = await programs.desk();
  await removeUnusedRuntimes(programs, installer, [configuration]);
  expect(existsSync(join(runtime.root, 'uv'))).toBe(true);
  await removeUnusedRuntimes(programs, installer, []);
  expect(existsSync(join(runtime.root, 'uv'))).toBe(false);
});

test('before an agent is installed, the user reads that uv is downloaded with it', async () => {
  const { programs, configuration } = await machine();
  const { installer, surroundings } = await programs.desk();
  const missing = () => installer.missingRuntime(configuration.source!, surroundings);
  expect(await missing()).toMatchObject({ name: 'uv', versions: ['99.1.0'], packages: ['uv-test.tar.gz'] });
  dialogs.answer = '';
  const task = { name: 'Test', surroundings, token: neverCancelled, onProgress: () => undefined };
  await installer.install(configuration.source!, { ...task, mayDownloadRuntime: true });
  expect([dialogs.shown, await missing()]).toEqual([[], undefined]);
});

test('without a mirror, uv comes from its own releases', async () => {
  const { programs, configuration, runtime } = await machine();
  Object.assign(runtime, { address: () => '' });
  const { installer, surroundings } = await programs.desk();
  expect(await installer.missingRuntime(configuration.source!, surroundings)).toMatchObject({ host: 'github.com' });
});

test('a user who declines gets no download, and is asked again at the next start', async () => {
  const { files, prepare } = await machine();
  dialogs.answer = '';
  expect(await prepare()).toEqual({ cancelled: true });
  expect([await prepare(), dialogs.shown.length, files.asked]).toEqual([{ cancelled: true }, 2, []]);
});

test('a machine for which there is none is told so, without a question', async () => {
  const { prepare } = await machine({ hasPins: false });
  expect(await prepare()).toMatchObject({
    failure: { kind: 'noUv', detail: expect.stringMatching(/has none of its own for this system\. Install uv/) },
  });
  expect(dialogs.shown).toEqual([]);
});

test('a file with a wrong checksum starts nothing, and the next start is whole', async () => {
  let answer = tarGzOf([{ name: 'uv-test/uv', text: '#!/bin/sh\nexit 0\n', mode: 0o755 }]);
  const { prepare, runtime, log } = await machine({ file: (_, response) => response.end(answer) });
  expect(await prepare()).toMatchObject({
    failure: { detail: expect.stringMatching(/does not have the published checksum/) },
  });
  expect([existsSync(log), readdirSync(join(runtime.root, 'uv/.staging'))]).toEqual([false, []]);
  answer = archive;
  expect(await outputOf(await prepare())).toBe('started agent==1.0.0 --acp');
});

test('a uv that does not run here is removed, and the user is told', async () => {
  const broken = tarGzOf([{ name: 'uv-test/uv', text: '#!/nowhere/loader\n', mode: 0o755 }]);
  const { runtime, prepare } = await machine({ file: broken, sum: broken });
  expect(await prepare()).toMatchObject({
    failure: { detail: expect.stringMatching(/^uv 99\.1\.0 does not run on this system.* Install uv yourself/) },
  });
  expect(existsSync(join(runtime.root, 'uv'))).toBe(false);
});

test('Parley has uv for each system that it supports, with a checksum and no registry', () => {
  const { uv } = JSON.parse(readFileSync(join(import.meta.dirname, '../../media/runtime.json'), 'utf8')) as {
    readonly uv: Readonly<Record<string, { readonly address: string; readonly sha256: string }>>;
  };
  const machines = ['linux-x64', 'linux-arm64', 'linux-x64-musl', 'linux-arm64-musl', 'darwin-x64', 'darwin-arm64'];
  expect(Object.keys(uv)).toEqual([...machines, 'win32-x64', 'win32-arm64']);
  for (const { address, sha256 } of Object.values(uv)) {
    expect(address).toMatch(
      /^https:\/\/github\.com\/astral-sh\/uv\/releases\/download\/[\d.]+\/uv-[\w-]+\.(?:zip|tar\.gz)$/,
    );
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});
