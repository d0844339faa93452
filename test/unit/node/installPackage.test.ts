import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancellationSource } from '../../../src/base/cancellation';
import { InstallFailure, type InstallProblem } from '../../../src/node/installFailure';
import { ProcessTable } from '../../../src/node/processTable';
import { agentPackage, NpmDesk } from '../../fakes/npmDesk';

const problemOf = (installed: Promise<void>): Promise<InstallProblem> =>
  installed.then(
    () => Promise.reject(new Error('It was installed')),
    (error: unknown) => (error instanceof InstallFailure ? error.problem : Promise.reject(error as Error)),
  );

describe('an installation', () => {
  test('happens in a folder of its own, with the user’s npm configuration alone and without scripts', async () => {
    const desk = new NpmDesk();
    const leftByNpm = {
      INIT_CWD: '/work',
      npm_config_local_prefix: '/work',
      npm_package_name: 'evil',
      npm_lifecycle_event: 'start',
      npm_config_registry: 'http://evil.invalid',
      npm_config_userconfig: '/home/me/.npmrc',
    };
    await desk.install({}, { env: { ...leftByNpm, NPM_CONFIG_REGISTRY: 'http://mine.invalid', NPM_TOKEN: 'x' } });
    const [resolve, install] = desk.runs;
    expect(desk.runs.map(({ args }) => args[0])).toEqual(['install', 'install']);
    for (const { args, cwd, env } of [resolve!, install!]) {
      expect(path.dirname(cwd)).toBe(path.join(desk.store.root, '.staging'));
      expect(args).toContain('--ignore-scripts');
      expect(
        Object.keys(env)
          .filter((name) => /^npm_|INIT_CWD/i.test(name))
          .toSorted(),
      ).toEqual(['NPM_CONFIG_REGISTRY', 'npm_config_userconfig']);
    }
    expect(desk.progress).toEqual([
      { step: 'resolving' },
      { step: 'packages', done: 0, total: 2 },
      { step: 'packages', done: 1, total: 2 },
      { step: 'packages', done: 2, total: 2 },
    ]);
    const folder = desk.store.folderOf(agentPackage);
    expect(existsSync(path.join(folder, 'package-lock.json'))).toBe(true);
    expect(existsSync(path.join(folder, '.npm-logs'))).toBe(false);
    expect(await desk.store.programOf(agentPackage)).toMatchObject({
      isScript: true,
      file: path.join(folder, 'node_modules/agent/bin/cli.js'),
      nodeArgs: [],
    });
    expect(desk.staged).toEqual([]);
    // Once installed it needs no npm at all.
    await desk.install({ do: 'E500' });
    expect(desk.runs).toHaveLength(2);
  });

  test('follows a lockfile of ours to the letter', async () => {
    const desk = new NpmDesk();
    const lock = path.join(desk.base, 'shipped.json');
    writeFileSync(
      lock,
      JSON.stringify({ packages: { '': { dependencies: { agent: '1.0.0' } }, 'node_modules/agent': {} } }),
    );
    await desk.install({}, { package: { ...agentPackage, lock } });
    expect(desk.runs.map(({ args }) => args[0])).toEqual(['ci']);
    expect(readFileSync(path.join(desk.store.folderOf(agentPackage), 'package-lock.json'), 'utf8')).toBe(
      readFileSync(lock, 'utf8'),
    );
  });

  test.each(['E401', 'E403', 'E404', 'ETIMEDOUT', 'ENOTFOUND', 'EINTEGRITY', 'ENOSPC'])(
    'that fails with %s says so and leaves nothing behind',
    async (code) => {
      const desk = new NpmDesk();
      expect(await problemOf(desk.install({ do: code }))).toEqual({
        kind: 'npm',
        code,
        output: `npm error code ${code}\nnpm error in words`,
      });
      expect([desk.staged, await desk.store.isInstalled(agentPackage)]).toEqual([[], false]);
      await desk.install();
      expect(await desk.store.isInstalled(agentPackage)).toBe(true);
    },
  );

  test('that npm calls done although the disk was full is none', async () => {
    const desk = new NpmDesk();
    expect(await problemOf(desk.install({ do: 'full' }))).toMatchObject({ kind: 'npm', code: 'ENOSPC' });
    expect([desk.staged, await desk.store.isInstalled(agentPackage)]).toEqual([[], false]);
  });

  test('is refused for a Node.js that is too old, before anything is unpacked, and for a package without a command', async () => {
    const desk = new NpmDesk();
    expect(await problemOf(desk.install({ engines: '>=99.1' }))).toMatchObject({
      kind: 'oldNode',
      wanted: '99.1',
      version: process.versions.node,
    });
    expect(desk.runs).toHaveLength(1);
    expect(await problemOf(desk.install({ bin: null }))).toMatchObject({ kind: 'noProgram' });
    expect(await problemOf(desk.install({ bin: 'gone.js' }))).toMatchObject({ kind: 'noProgram' });
    expect(desk.staged).toEqual([]);
  });

  test('runs the script of the package itself after the user agreed, and none without', async () => {
    const desk = new NpmDesk();
    expect(await problemOf(desk.install({ script: true }))).toEqual({ kind: 'cancelled' });
    expect(desk.runs).toHaveLength(1);
    await desk.install({ script: true }, { mayRunScript: () => Promise.resolve(true) });
    expect(desk.runs.slice(1).map(({ args }) => [args[0], args.includes('--ignore-scripts')])).toEqual([
      ['install', true],
      ['install', true],
      ['rebuild', false],
    ]);
    expect(readFileSync(path.join(desk.store.folderOf(agentPackage), 'rebuilt'), 'utf8')).toMatch(/^rebuild agent /);
  });

  test('that is done twice at once ends well for both', async () => {
    const desk = new NpmDesk();
    await Promise.all([desk.install(), desk.install(), desk.install()]);
    expect([desk.staged, await desk.store.isInstalled(agentPackage)]).toEqual([[], true]);
  });

  test('that is cancelled ends npm with what it started', async () => {
    const desk = new NpmDesk();
    const cancel = new CancellationSource();
    const problem = problemOf(desk.install({ do: 'hang' }, { token: cancel.token }));
    await expect.poll(() => desk.progress).toContainEqual({ step: 'packages', done: 1, total: 2 });
    cancel.cancel();
    expect(await problem).toEqual({ kind: 'cancelled' });
    const { pids } = desk.runs.at(-1)!;
    const running = new Set((await new ProcessTable(undefined).rows()).map(({ pid }) => pid));
    expect(pids.map((pid) => running.has(pid))).toEqual([false, false]);
    expect([desk.staged, await desk.store.isInstalled(agentPackage)]).toEqual([[], false]);
  });

  test('finds no room: a file in the place of the store is told of as such', async () => {
    const desk = new NpmDesk();
    rmSync(desk.store.root, { recursive: true });
    mkdirSync(desk.store.root);
    writeFileSync(path.join(desk.store.root, '.staging'), '');
    expect(await problemOf(desk.install())).toMatchObject({ kind: 'disk', code: expect.stringMatching(/^E/) });
  });
});

describe('versions', () => {
  const versioned = (version: string) => ({ ...agentPackage, version });

  test('an update can be taken back; what is neither current nor previous nor wanted goes', async () => {
    const desk = new NpmDesk();
    for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1', '3.0.0'])
      await desk.install({}, { package: versioned(version) });
    const { store } = desk;
    expect(await store.record(agentPackage.key)).toBeUndefined();
    expect(await store.choose(versioned('1.0.0'), ['1.1.0', '2.0.0-rc.1', '3.0.0'])).toEqual({ current: '1.0.0' });
    expect(await store.choose(versioned('2.0.0-rc.1'), ['1.1.0', '3.0.0'])).toEqual({
      current: '2.0.0-rc.1',
      previous: '1.0.0',
    });
    expect(await store.choose(versioned('1.0.0'), ['3.0.0'])).toEqual({ current: '1.0.0', previous: '2.0.0-rc.1' });
    expect(await store.choose(versioned('1.0.0'), ['3.0.0'])).toEqual({ current: '1.0.0', previous: '2.0.0-rc.1' });
    expect(await store.record(agentPackage.key)).toEqual({ current: '1.0.0', previous: '2.0.0-rc.1' });
    expect(
      await Promise.all(
        ['1.0.0', '1.1.0', '2.0.0-rc.1', '3.0.0'].map((version) => store.isInstalled(versioned(version))),
      ),
    ).toEqual([true, false, true, true]);
  });

  test.each(['', '{', '{"current":"../../etc"}', '[]', 'null'])('a record that reads %j is none', async (text) => {
    const desk = new NpmDesk();
    mkdirSync(path.join(desk.store.root, agentPackage.key));
    writeFileSync(path.join(desk.store.root, agentPackage.key, 'current.json'), text);
    expect(await desk.store.record(agentPackage.key)).toBeUndefined();
  });
});
