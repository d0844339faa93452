import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { AgentPrograms, type Prepared } from '../../src/host/agents/agentPrograms';
import { decodeAgent } from '../../src/host/agents/agentSettings';
import { processTag } from '../../src/node/processTag';
import { tarGzOf } from '../fakes/archives';
import { type Answer, startFileServer } from '../fakes/fileServer';
import { type PublishedPackage, startRegistry } from '../fakes/npmRegistry.mjs';
import { runtimeOptions } from '../fakes/runtimePins';
import { temporaryFolder } from './harness';

/* Agents on a machine without Node.js and npm, or with old ones: Parley downloads its own from a registry on loopback. */

const dialogs = vi.hoisted(() => ({ shown: [] as string[], answer: '' }));
vi.mock('vscode', () => {
  const ask = (words: string, { detail = '' }: { readonly detail?: string }) => {
    dialogs.shown.push([words, detail].filter(Boolean).join('\n'));
    return Promise.resolve(dialogs.answer || undefined);
  };
  return { window: { showWarningMessage: ask, showInformationMessage: ask }, ConfigurationTarget: {} };
});
beforeEach(() => Object.assign(dialogs, { shown: [], answer: 'Download Node.js' }));

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** The Node.js that runs this test, as a package; it says that it was started. */
const nodeArchive = tarGzOf([
  { name: 'package/bin/node', text: `#!/bin/sh\nOWN_NODE=1 exec '${process.execPath}' "$@"\n`, mode: 0o755 },
]);

/** The npm of this machine, as a package. */
const npmArchive = (async () => {
  const { stdout } = await promisify(execFile)('npm', ['root', '--global']);
  const cli = join(realpathSync(stdout.trim()), 'npm/bin/npm-cli.js');
  return tarGzOf([{ name: 'package/bin/npm-cli.js', text: `require(${JSON.stringify(cli)});\n` }]);
})();

const agent: PublishedPackage = {
  name: '@parley-test/agent',
  version: '1.0.0',
  bin: 'cli.js',
  files: { 'cli.js': "#!/usr/bin/env node\nconsole.log('own', process.env.OWN_NODE, process.argv[2]);\n" },
  fields: { engines: { node: '>=20' } },
};

async function machine(
  more: {
    readonly node?: Answer;
    readonly hasPins?: boolean;
    readonly path?: string;
    /** Of an agent's own program. */
    readonly standalone?: Answer;
  } = {},
) {
  const npm = await npmArchive;
  const files = await startFileServer({
    'mirror/node-test/-/node-test-99.1.0.tgz': more.node ?? nodeArchive,
    'mirror/npm/-/npm-11.0.0.tgz': npm,
    ...(more.standalone === undefined ? {} : { 'mirror/@parley-test/program/-/program-1.0.0.tgz': more.standalone }),
  });
  const registry = await startRegistry([agent]);
  onTestFinished(async () => {
    await files.close();
    await registry.close();
    vi.unstubAllEnvs();
  });
  const home = temporaryFolder();
  writeFileSync(join(home, '.npmrc'), `registry=${registry.url}\ncache=${join(home, 'cache')}\n`);
  vi.stubEnv('HOME', home);
  // What the shell of a real machine has, without any package manager.
  const bin = temporaryFolder();
  for (const name of ['sh', 'env', 'ps']) symlinkSync(`/bin/${name}`, join(bin, name));
  vi.stubEnv('PATH', [more.path, bin].filter(Boolean).join(':'));
  for (const key of Object.keys(process.env).filter((item) => /^npm_/i.test(item))) vi.stubEnv(key, undefined);
  const pin = (name: string, version: string, bytes: Buffer) => ({
    package: name,
    version,
    integrity: integrityOf(bytes),
    bytes: bytes.length,
  });
  const runtime = runtimeOptions({
    address: `${files.url}mirror`,
    pins: {
      node:
        more.hasPins === false
          ? {}
          : { [`${process.platform}-${process.arch}`]: pin('node-test', '99.1.0', nodeArchive) },
      npm: pin('npm', '11.0.0', npm),
    },
  });
  const [root, folder] = [temporaryFolder(), temporaryFolder()];
  const state = { keys: () => [], get: (_: string, value?: unknown) => value, update: () => Promise.resolve() };
  const progress: string[] = [];
  const prepare = (
    entry: object = { npm: '@parley-test/agent@1.0.0', args: ['--acp'] },
    builtIn?: Parameters<typeof decodeAgent>[2],
  ): Promise<Prepared> => {
    const configuration = decodeAgent('Test', entry, builtIn);
    if (typeof configuration === 'string') throw new Error(configuration);
    return new AgentPrograms({
      installation: { root, tree: { mark: processTag }, runtime, log: silentLogger },
      agents: () => [],
      folders: () => [folder],
      state: state as never,
    }).prepare(configuration, folder, neverCancelled, (detail) => progress.push(detail));
  };
  return { files, registry, prepare, progress, runtime, home };
}

async function outputOf(prepared: Prepared): Promise<string> {
  if (!('configuration' in prepared)) throw new Error(JSON.stringify(prepared));
  const { command, args } = prepared.configuration;
  const run = promisify(execFile)(command, [...args], { env: prepared.env as NodeJS.ProcessEnv });
  return (await run).stdout.trim();
}

test('without Node.js, Parley’s own is downloaded once the user agreed, installs the agent and runs it, also offline', async () => {
  const { files, registry, prepare, progress, runtime } = await machine();
  const prepared = await prepare();
  expect(await outputOf(prepared)).toBe('own 1 --acp');
  const host = new URL(files.url).host;
  expect(dialogs.shown).toEqual([
    'Test needs Node.js. Use Parley’s own?\n' +
      [
        'Parley can’t find Node.js on your PATH. ' +
          'Parley downloads Node.js 99.1.0 and npm 11.0.0 (0.0 MB) for its agents and does not add them to your PATH.',
        `From: ${host}\nnode-test@99.1.0, npm@11.0.0\nThe files must match the SHA-512 that Parley knows.`,
      ].join('\n\n'),
  ]);
  expect(progress[0]).toBe('Waiting for you');
  expect(progress).toContain('Downloading Node.js 99.1.0: 0.0 of 0.0 MB');
  expect(progress).toContain('First start downloads @parley-test/agent@1.0.0 with npm: 1 of 1 packages');
  expect('configuration' in prepared && prepared.configuration.command).toContain(runtime.root);
  // It is on nobody's PATH, but a sign-in of the agent's that asks for node by name finds it, after all others.
  expect('env' in prepared && prepared.env['PATH']).not.toContain(runtime.root);
  expect('configuration' in prepared && prepared.configuration.programFolders?.split(':')).toEqual([
    expect.stringMatching(/node_modules\/\.bin$/),
    expect.stringMatching(/runtime\/.*\/package\/bin$/),
  ]);
  await files.close();
  await registry.close();
  expect(await outputOf(await prepare())).toBe('own 1 --acp');
  expect(dialogs.shown).toHaveLength(1);
});

test('with a Node.js that is too old, Parley offers its own, and uses it from then on', async () => {
  const old = temporaryFolder();
  writeFileSync(join(old, 'node'), '#!/bin/sh\necho \'["/old/bin/node","18.1.0"]\'\n', { mode: 0o755 });
  writeFileSync(join(old, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { prepare } = await machine({ path: old });
  // With a lockfile of Parley's, that is known before anything is downloaded.
  const lock = join(old, 'lock.json');
  writeFileSync(
    lock,
    JSON.stringify({
      name: 'parley-agent',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'parley-agent', dependencies: { [agent.name]: '1.0.0' } },
        [`node_modules/${agent.name}`]: { version: '1.0.0', bin: { agent: 'cli.js' }, engines: { node: '>=20' } },
      },
    }),
  );
  const builtIn = { id: 'test', name: 'Test', package: agent.name, version: '1.0.0', args: ['--acp'], env: {} };
  const prepared = () => prepare({}, { ...builtIn, locked: true, lock });
  expect(await outputOf(await prepared())).toBe('own 1 --acp');
  expect(dialogs.shown).toEqual([
    expect.stringMatching(
      /^Test needs Node\.js 20\. Use Parley’s own\?\n\/old\/bin\/node is version 18\.1\.0\. Parley downloads /,
    ),
  ]);
  // What is installed says itself which Node.js it needs.
  expect(await outputOf(await prepared())).toBe('own 1 --acp');
  expect(dialogs.shown).toHaveLength(1);
});

test('an agent that is a program by itself is downloaded as such, and needs no Node.js', async () => {
  const archive = tarGzOf([{ name: 'package/bin/agent', text: '#!/bin/sh\necho "program $1"\n', mode: 0o755 }]);
  const { files, prepare, registry } = await machine({ standalone: archive });
  const lock = join(temporaryFolder(), 'lock.json');
  const program = (os: string) => ({
    version: '1.0.0',
    integrity: integrityOf(archive),
    bin: { p: 'bin/agent' },
    os: [os],
  });
  const packages = {
    '': { dependencies: { [agent.name]: '1.0.0' } },
    [`node_modules/${agent.name}`]: {
      version: '1.0.0',
      optionalDependencies: { '@parley-test/other': '1.0.0', '@parley-test/program': '1.0.0' },
    },
    'node_modules/@parley-test/other': program('aix'),
    'node_modules/@parley-test/program': program(process.platform),
  };
  writeFileSync(lock, JSON.stringify({ packages }));
  const builtIn = { id: 'test', name: 'Test', package: agent.name, version: '1.0.0', args: ['--acp'], env: {} };
  const start = () => prepare({}, { ...builtIn, locked: true, lock });
  expect(await outputOf(await start())).toBe('program --acp');
  await files.close();
  expect(await outputOf(await start())).toBe('program --acp');
  expect([dialogs.shown, registry.asked, files.asked.length]).toEqual([[], [], 1]);
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
    failure: { detail: expect.stringMatching(/has none of its own for this system/) },
  });
  expect(dialogs.shown).toEqual([]);
});

test.each<[string, Answer, RegExp]>([
  ['another file', tarGzOf([{ name: 'package/bin/node', text: 'other' }]), /does not have the published checksum/],
  [
    'no network',
    (_, response) => response.destroy(),
    /^Parley can’t reach 127\.0\.0\.1:\d+\. Check your connection and the http\.proxy/,
  ],
  ['a server with a problem', (_, response) => response.writeHead(500).end(), /has a problem \(HTTP 500\)/],
  [
    'a download that ends too early',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100_000 });
      response.write('x', () => response.destroy());
    },
    /connection .* was interrupted/,
  ],
])('%s is said in words, and the next start is whole', async (_name, node, words) => {
  let answer = node;
  const { prepare, runtime } = await machine({
    node: (request, response) => (typeof answer === 'function' ? answer(request, response) : response.end(answer)),
  });
  expect(await prepare()).toMatchObject({ failure: { detail: expect.stringMatching(words) } });
  expect(readdirSync(join(runtime.root, 'node/.staging'))).toEqual([]);
  answer = nodeArchive;
  // What is there of another file has the wrong checksum, and goes.
  const next = await prepare();
  expect(await outputOf('configuration' in next ? next : await prepare())).toBe('own 1 --acp');
});

test('a Node.js that does not run here is removed, and the user is told', async () => {
  const broken = tarGzOf([{ name: 'package/bin/node', text: '#!/nowhere/loader\n', mode: 0o755 }]);
  const { runtime, prepare } = await machine({ node: broken });
  const pins = JSON.parse(readFileSync(runtime.pins, 'utf8')) as { node: Record<string, { integrity: string }> };
  for (const pin of Object.values(pins.node)) pin.integrity = integrityOf(broken);
  writeFileSync(runtime.pins, JSON.stringify(pins));
  expect(await prepare()).toMatchObject({
    failure: { detail: expect.stringMatching(/^Node\.js 99\.1\.0 does not run on this system/) },
  });
  expect(existsSync(join(runtime.root, 'node/archive+node'))).toBe(false);
});

test('the user’s registry and key are used where no mirror is set, and the key goes to no other server', async () => {
  const keys: (string | undefined)[] = [];
  const other = await startFileServer({
    'node.tgz': (request, response) => {
      keys.push(request.headers.authorization);
      response.end(nodeArchive);
    },
  });
  onTestFinished(() => other.close());
  const { files, prepare, runtime, home } = await machine({
    node: (request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(302, { location: `${other.url}node.tgz` }).end();
    },
  });
  const npmrc = join(home, '.npmrc');
  const mirror = `${files.url}mirror`;
  vi.stubEnv('MIRROR_KEY', 'secret');
  vi.stubEnv('NPM_CONFIG_REGISTRY', mirror);
  // As in a VS Code that was started by a script of a repository.
  vi.stubEnv('npm_lifecycle_event', 'start');
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  writeFileSync(npmrc, `${readFileSync(npmrc, 'utf8')}${mirror.replace('http:', '')}/:_authToken=\${MIRROR_KEY}\n`);
  Object.assign(runtime, { address: () => '' });
  await prepare();
  expect(keys).toEqual(['Bearer secret', undefined]);
});
