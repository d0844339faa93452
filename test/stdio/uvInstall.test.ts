import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { decodeAgent } from '../../src/host/agents/agentSettings';
import { AgentPrograms, type Prepared } from '../../src/host/agents/agentPrograms';
import { ProcessTable } from '../../src/node/processTable';
import { processTag } from '../../src/node/processTag';
import { pythonPackage, UvDesk } from '../fakes/uvDesk';
import { temporaryFolder } from './harness';
import { runtimeOptions } from '../fakes/runtimePins';

/* Packages of Python, with a fake uv: the real one is not part of the tests. */

vi.mock('vscode', () => ({
  window: { showWarningMessage: () => Promise.resolve(undefined) },
  ConfigurationTarget: {},
}));

/** A repository that would like to be uv, Python and the agent. Each of its programs leaves a file `ran`. */
function hostileWorkspace(): { readonly folder: string; readonly bin: string; readonly ran: () => boolean } {
  const folder = temporaryFolder();
  const ran = join(folder, 'ran');
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), 0o755);
  };
  for (const command of ['uv', 'uvx', 'python', 'python3', 'agent', 'node', 'sh']) {
    put(`.venv/bin/${command}`, `#!/bin/sh\necho evil >> '${ran}'\n`);
    put(command, `#!/bin/sh\necho evil >> '${ran}'\n`);
  }
  put('uv.toml', 'index-url = "http://evil.invalid/simple"\n');
  put(
    'pyproject.toml',
    '[project]\nname = "app"\nversion = "1"\n[tool.uv]\nindex-url = "http://evil.invalid/simple"\n',
  );
  return { folder, bin: join(folder, '.venv/bin'), ran: () => existsSync(ran) };
}

function programsIn(root: string, workspace: string): AgentPrograms {
  const state = { keys: () => [], get: (_: string, value?: unknown) => value, update: () => Promise.resolve() };
  return new AgentPrograms({
    installation: { root, tree: { mark: processTag }, runtime: runtimeOptions(), log: silentLogger },
    agents: () => [],
    folders: () => [workspace],
    state: state as never,
  });
}

const prepare = (
  programs: AgentPrograms,
  entry: object,
  folder: string,
  progress: string[] = [],
): Promise<Prepared> => {
  const configuration = decodeAgent('Test', entry);
  if (typeof configuration === 'string') throw new Error(configuration);
  return programs.prepare(configuration, folder, neverCancelled, (detail) => progress.push(detail));
};

async function runOf(prepared: Prepared, cwd: string): Promise<string> {
  if (!('configuration' in prepared)) throw new Error(JSON.stringify(prepared));
  const { command, args } = prepared.configuration;
  return (await promisify(execFile)(command, [...args], { cwd, env: prepared.env as NodeJS.ProcessEnv })).stdout.trim();
}

test('a Python package is installed by the user’s own uv, whatever the open folder holds, and starts without uv and network', async () => {
  const desk = new UvDesk();
  const { folder, bin, ran } = hostileWorkspace();
  for (const [name, value] of Object.entries({
    ...desk.env(),
    SHLVL: '1',
    VIRTUAL_ENV: join(folder, '.venv'),
    UV_PROJECT: folder,
    UV_PYTHON: join(bin, 'python'),
    UV_PYTHON_SEARCH_PATH: bin,
    UV_CONFIG_FILE: join(folder, 'uv.toml'),
    UV_INDEX: 'http://mine.invalid',
  }))
    vi.stubEnv(name, value);
  vi.stubEnv('PATH', ['', '.', bin, folder, desk.bin].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { root } = desk.store;
  const progress: string[] = [];
  const prepared = await prepare(programsIn(root, folder), { uv: 'agent==1.0.0', args: ['--acp'] }, folder, progress);
  expect(await runOf(prepared, folder)).toBe('started agent==1.0.0 --acp');
  expect(prepared).toMatchObject({
    configuration: {
      command: expect.stringMatching(/\/\.uv\/[0-9a-f]{8}\/tools\/agent\/bin\/agent$/),
      args: ['--acp'],
      programFolders: expect.stringMatching(/\/tools\/agent\/bin$/),
    },
  });
  expect(progress).toEqual([
    'Looking up the packages of agent==1.0.0 with uv',
    'First start downloads agent==1.0.0 with uv: 2 packages',
    'Starting agent==1.0.0',
  ]);
  const { env, cwd } = desk.runs[0]!;
  expect(env['UV_INDEX']).toBe('http://mine.invalid');
  expect(
    Object.entries(env).filter(([name, value]) => /^UV_|^PATH$|VIRTUAL_ENV/.test(name) && value.includes(folder)),
  ).toEqual([]);
  expect([cwd.startsWith(root), ran()]).toEqual([true, false]);
  // What was started can be started again as it was.
  expect(
    'configuration' in prepared &&
      (await programsIn(root, folder).prepare(prepared.configuration, folder, neverCancelled, () => undefined)),
  ).toEqual(prepared);

  // Later windows need no uv, and no Node.js either.
  const nothing = temporaryFolder();
  vi.stubEnv('PATH', nothing);
  progress.length = 0;
  expect(
    await runOf(
      await prepare(programsIn(root, folder), { uv: 'agent==1.0.0', args: ['again'] }, folder, progress),
      folder,
    ),
  ).toBe('started agent==1.0.0 again');
  expect([progress, desk.runs.length]).toEqual([['Starting agent==1.0.0'], 1]);
  // What is not there yet says what it lacks; the repository's uv does not count.
  vi.stubEnv('PATH', bin);
  expect(await prepare(programsIn(root, folder), { uv: 'agent==2.0.0' }, folder)).toMatchObject({
    failure: { title: 'Test could not be installed', detail: expect.stringMatching(/can’t find uv/) },
  });
  symlinkSync(join(bin, 'uv'), join(nothing, 'uv'));
  vi.stubEnv('PATH', nothing);
  expect(await prepare(programsIn(root, folder), { uv: 'agent==2.0.0' }, folder)).toMatchObject({
    failure: { detail: expect.stringMatching(/can’t find uv/) },
  });
  expect(await prepare(programsIn(root, folder), { uv: 'agent==1.0.0', program: 'gone' }, folder)).toMatchObject({
    failure: { detail: expect.stringMatching(/no program named “gone”\. Its programs are: agent\./) },
  });
  expect(ran()).toBe(false);
});

test('an installation with uv whose window is killed leaves nothing that runs, and the next one is whole', async () => {
  const desk = new UvDesk();
  const programs = temporaryFolder();
  const bundle = (entry: string, outfile: string) =>
    build({
      entryPoints: [resolve(import.meta.dirname, entry)],
      outfile: join(programs, outfile),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    });
  await Promise.all([
    bundle('../fakes/installHost.ts', 'installHost.js'),
    bundle('../../src/node/watchdogMain.ts', 'watchdog.js'),
  ]);
  const host = spawn(
    process.execPath,
    [join(programs, 'installHost.js'), join(programs, 'watchdog.js'), desk.store.root, JSON.stringify(pythonPackage)],
    { env: desk.env({ do: 'hang' }), stdio: 'inherit' },
  );
  const half = () =>
    desk.environments.filter((item) => existsSync(join(desk.store.root, '.uv', item, 'tools/agent/bin/one')));
  await expect.poll(half, { timeout: 60_000 }).toHaveLength(1);
  const [left] = half();
  const { pids } = desk.runs.at(-1)!;
  const ended = new Promise((done) => host.once('exit', done));
  host.kill('SIGKILL');
  await ended;
  const running = async () => (await new ProcessTable(undefined).rows()).filter(({ pid }) => pids.includes(pid)).length;
  await expect.poll(running, { timeout: 60_000 }).toBe(0);
  expect([desk.staged.length, desk.environments.length, await desk.store.isInstalled(pythonPackage)]).toEqual([
    1,
    1,
    false,
  ]);
  await desk.install();
  expect([
    desk.staged,
    desk.environments.length,
    desk.environments.includes(left!),
    await desk.store.isInstalled(pythonPackage),
  ]).toEqual([[], 1, false, true]);
  // What a removal leaves behind that was ended between its two steps goes as well.
  mkdirSync(join(desk.store.root, '.staging'), { recursive: true });
  renameSync(desk.store.folderOf(pythonPackage), join(desk.store.root, `.staging/${host.pid}~00000000~removed`));
  await desk.store.sweep();
  expect([desk.staged, desk.environments]).toEqual([[], []]);
});
