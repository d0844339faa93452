import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
import { AgentStore } from '../../src/node/agentStore';
import { archivePackages } from '../../src/node/archivePackages';
import { installPackage } from '../../src/node/installPackage';
import { archivePackage } from '../../src/registry/packageNames';
import { tarGzOf } from '../fakes/archives';
import { startFileServer } from '../fakes/fileServer';
import { agentPackage, NpmDesk } from '../fakes/npmDesk';
import { type PublishedPackage, startRegistry } from '../fakes/npmRegistry.mjs';
import { temporaryFolder } from './harness';
import { runtimeOptions } from '../fakes/runtimePins';

/* Which program an agent's name comes to, whatever the open folder holds: with the real npm and a registry on loopback. */

const warnings: string[] = [];
vi.mock('vscode', () => ({
  window: { showWarningMessage: (words: string) => (warnings.push(words), Promise.resolve(undefined)) },
  ConfigurationTarget: {},
}));

const name = '@parley-test/agent';
const published = (said: string): PublishedPackage => ({
  name,
  version: '1.0.0',
  bin: 'cli.js',
  files: { 'cli.js': `#!/usr/bin/env node\nconsole.log(${JSON.stringify(said)}, process.argv[2]);\n` },
  fields: { dependencies: { '@parley-test/part': '1.0.0' } },
});
const part: PublishedPackage = { name: '@parley-test/part', version: '1.0.0', files: {} };

async function registry(packages: readonly PublishedPackage[]) {
  const started = await startRegistry(packages);
  onTestFinished(() => started.close());
  return started;
}

/** A repository that puts programs of its own everywhere it can. Each of them leaves a file `ran`. */
function hostileWorkspace(evilRegistry: string): { readonly folder: string; readonly ran: () => boolean } {
  const folder = temporaryFolder();
  const ran = join(folder, 'ran');
  const program = `#!/bin/sh\necho evil >> '${ran}'\n`;
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), 0o755);
  };
  for (const command of ['node', 'npm', 'npx', 'agent', 'sh']) {
    put(`node_modules/.bin/${command}`, program);
    put(command, program);
  }
  put(
    '.npmrc',
    `registry=${evilRegistry}\n@parley-test:registry=${evilRegistry}\nscript-shell=${join(folder, 'sh')}\n`,
  );
  put(
    'package.json',
    JSON.stringify({
      name: 'app',
      overrides: { [name]: 'file:./node_modules/@parley-test/agent' },
      dependencies: { [name]: '1.0.0' },
    }),
  );
  put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', bin: 'cli.js' }));
  put(
    `node_modules/${name}/cli.js`,
    `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(ran)}, 'evil');\n`,
  );
  return { folder, ran: () => existsSync(ran) };
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

test(
  'an agent from npm is what the user’s registry has, whatever the open folder says, and starts without a network',
  { timeout: 180_000 },
  async () => {
    const [mine, evil] = [await registry([published('mine'), part]), await registry([published('evil'), part])];
    const { folder, ran } = hostileWorkspace(evil.url);
    const home = temporaryFolder();
    writeFileSync(join(home, '.npmrc'), `registry=${mine.url}\ncache=${join(home, 'cache')}\n`);
    vi.stubEnv('HOME', home);
    vi.stubEnv(
      'PATH',
      ['', '.', 'node_modules/.bin', folder, join(folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    );
    for (const key of Object.keys(process.env).filter((item) => /^npm_/i.test(item))) vi.stubEnv(key, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = temporaryFolder();
    const progress: string[] = [];
    const prepared = await prepare(
      programsIn(store, folder),
      { npm: `${name}@1.0.0`, args: ['--acp'] },
      folder,
      progress,
    );
    expect(await runOf(prepared, folder)).toBe('mine --acp');
    // What was started can be started again as it was.
    expect(
      'configuration' in prepared &&
        (await programsIn(store, folder).prepare(prepared.configuration, folder, neverCancelled, () => undefined)),
    ).toEqual({ ...prepared, node: undefined });
    expect(progress).toContain(`First start downloads ${name}@1.0.0 with npm: 2 of 2 packages`);
    expect([ran(), evil.asked, mine.asked.length > 0]).toEqual([false, [], true]);
    expect(readdirSync(store).toSorted()).toEqual(['.staging', 'npm+@parley-test+agent']);
    // The agent's own children find no program of the folder by name either.
    expect(
      'env' in prepared &&
        prepared.env['PATH']?.split(delimiter).filter((item) => !item.startsWith('/') || item.startsWith(folder)),
    ).toEqual([]);

    // Later windows ask no registry, and need no npm.
    await mine.close();
    const onlyNode = temporaryFolder();
    symlinkSync(process.execPath, join(onlyNode, 'node'));
    vi.stubEnv('PATH', onlyNode);
    const asked = mine.asked.length;
    expect(
      await runOf(await prepare(programsIn(store, folder), { npm: `${name}@1.0.0`, args: ['again'] }, folder), folder),
    ).toBe('mine again');
    expect(mine.asked).toHaveLength(asked);
    // What is not there yet says what it lacks.
    expect(await prepare(programsIn(store, folder), { npm: `${name}@2.0.0` }, folder)).toMatchObject({
      failure: { title: 'Test could not be installed', detail: expect.stringMatching(/can’t find npm/) },
    });
    vi.stubEnv('PATH', join(folder, 'node_modules/.bin'));
    expect(await prepare(programsIn(store, folder), { npm: `${name}@1.0.0` }, folder)).toMatchObject({
      failure: { detail: expect.stringMatching(/can’t find Node\.js/) },
    });
    expect(ran()).toBe(false);
  },
);

test('a command of the user’s is looked up by name outside the open folder, and runs as written where it is a path', async () => {
  const { folder, ran } = hostileWorkspace('http://127.0.0.1:9/');
  const programs = programsIn(temporaryFolder(), folder);
  const bin = join(folder, 'node_modules/.bin');
  vi.stubEnv('PATH', ['.', bin].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await prepare(programs, { command: 'agent' }, folder)).toMatchObject({
    failure: { detail: expect.stringContaining(`is only inside the workspace, at ${join(bin, 'agent')}`) },
  });
  expect(await prepare(programs, { command: 'nobody' }, folder)).toEqual({ missing: 'nobody' });
  vi.stubEnv('PATH', dirname(process.execPath));
  expect(await prepare(programs, { command: 'agent' }, folder)).toEqual({ missing: 'agent' });
  expect(await prepare(programs, { command: './agent' }, folder)).toMatchObject({
    configuration: { command: join(folder, 'agent') },
  });
  expect(await prepare(programs, { command: join(bin, 'agent') }, folder)).toMatchObject({
    configuration: { command: join(bin, 'agent') },
  });
  expect(await prepare(programs, { command: 'node' }, folder)).toMatchObject({
    configuration: { command: join(dirname(process.execPath), 'node') },
  });
  expect(ran()).toBe(false);
  // A package runner is the user's choice, but one to know of.
  const runner = temporaryFolder();
  symlinkSync(process.execPath, join(runner, 'npx'));
  vi.stubEnv('PATH', runner);
  await prepare(programs, { command: 'npx', args: ['-y', name] }, folder);
  await expect.poll(() => warnings).toEqual(['npx starts Test. A repository can change what npx runs.']);
});

test('an installation whose window is killed leaves nothing that runs, and the next one is whole', async () => {
  const desk = new NpmDesk();
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
    [join(programs, 'installHost.js'), join(programs, 'watchdog.js'), desk.store.root, JSON.stringify(agentPackage)],
    { env: desk.env({ do: 'hang' }), stdio: 'inherit' },
  );
  await expect
    .poll(
      () =>
        desk.staged.filter((item) =>
          existsSync(join(desk.store.root, '.staging', item, 'node_modules/one/package.json')),
        ),
      { timeout: 60_000 },
    )
    .toHaveLength(1);
  const { pids } = desk.runs.at(-1)!;
  const ended = new Promise((done) => host.once('exit', done));
  host.kill('SIGKILL');
  await ended;
  const running = async () => (await new ProcessTable(undefined).rows()).filter(({ pid }) => pids.includes(pid)).length;
  await expect.poll(running, { timeout: 60_000 }).toBe(0);
  expect([desk.staged.length, await desk.store.isInstalled(agentPackage)]).toEqual([1, false]);
  await desk.install();
  expect([desk.staged, await desk.store.isInstalled(agentPackage)]).toEqual([[], true]);
  expect(JSON.parse(readFileSync(join(desk.store.folderOf(agentPackage), 'package.json'), 'utf8'))).toMatchObject({
    dependencies: { agent: '1.0.0' },
  });
});

test('a host that is killed while it downloads an archive leaves nothing that starts, and the next installation clears up', async () => {
  const archive = tarGzOf([
    { name: 'agent', text: '#!/bin/sh\necho agent\n', mode: 0o755 },
    { name: 'data', text: 'x'.repeat(200_000) },
  ]);
  let isHeld = true;
  const server = await startFileServer({
    'agent.tar.gz': (_, response) => {
      response.writeHead(200, { 'content-length': archive.length });
      if (isHeld) response.write(archive.subarray(0, archive.length / 2));
      else response.end(archive);
    },
  });
  onTestFinished(() => server.close());
  const programs = temporaryFolder();
  await build({
    entryPoints: [resolve(import.meta.dirname, '../fakes/installHost.ts')],
    outfile: join(programs, 'installHost.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const store = new AgentStore(join(temporaryFolder(), 'store'));
  const item = archivePackage('agent', 'Agent', '1.0.0', 'agent', { address: `${server.url}agent.tar.gz` });
  const host = spawn(
    process.execPath,
    [join(programs, 'installHost.js'), join(programs, 'watchdog.js'), store.root, JSON.stringify(item)],
    { stdio: 'inherit' },
  );
  const staging = join(store.root, '.staging');
  const staged = () => (existsSync(staging) ? readdirSync(staging) : []);
  await expect
    .poll(() => staged().filter((name) => existsSync(join(staging, name, 'download'))), { timeout: 60_000 })
    .toHaveLength(1);
  const ended = new Promise((done) => host.once('exit', done));
  host.kill('SIGKILL');
  await ended;
  expect([staged().length, await store.isInstalled(item)]).toEqual([1, false]);
  isHeld = false;
  await installPackage({
    package: item,
    store,
    manager: archivePackages(''),
    token: neverCancelled,
    tree: { mark: processTag },
    onProgress: () => undefined,
    mayRunScript: () => Promise.resolve(false),
  });
  expect([staged(), await store.isInstalled(item)]).toEqual([[], true]);
  expect((await promisify(execFile)((await store.programOf(item)).file)).stdout).toBe('agent\n');
});
