import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../src/base/cancellation';
import { InstallFailure, type InstallProblem } from '../../../src/node/installFailure';
import { ProcessTable } from '../../../src/node/processTable';
import { processTag } from '../../../src/node/processTag';
import { uvEnvironment } from '../../../src/node/uv';
import { findManager } from '../../fakes/findManager';
import { pythonPackage, UvDesk } from '../../fakes/uvDesk';

const problemOf = (done: Promise<unknown>): Promise<InstallProblem> =>
  done.then(
    () => Promise.reject(new Error('It went well')),
    (error: unknown) => (error instanceof InstallFailure ? error.problem : Promise.reject(error as Error)),
  );

const startedBy = async (desk: UvDesk, item = pythonPackage) =>
  execFileSync((await desk.store.programOf(item)).file, ['--acp'], { encoding: 'utf8', env: {} }).trim();

describe('an installation with uv', () => {
  test('happens in folders of Parley’s own, outside any project, without build scripts, and starts by its own file', async () => {
    const desk = new UvDesk();
    const ofProject = {
      VIRTUAL_ENV: '/work/.venv',
      CONDA_PREFIX: '/work/conda',
      UV_PROJECT: '/work',
      UV_WORKING_DIR: '/work',
      UV_TOOL_DIR: '/home/me/tools',
      UV_TOOL_BIN_DIR: '/home/me/bin',
      UV_INTERNAL__PARENT_INTERPRETER: '/work/python',
    };
    await desk.install(
      {},
      {
        env: {
          ...ofProject,
          UV_INDEX: 'http://mine.invalid',
          UV_CONFIG_FILE: '/home/me/uv.toml',
          HTTPS_PROXY: 'http://proxy.invalid',
        },
      },
    );
    const [run] = desk.runs;
    expect(desk.runs).toHaveLength(1);
    expect(run!.args).toEqual([
      'tool',
      'install',
      'agent==1.0.0',
      '--no-build',
      '--link-mode=copy',
      '--no-progress',
      '--color=never',
    ]);
    expect(path.dirname(run!.cwd)).toBe(path.join(desk.store.root, '.staging'));
    expect(run).toMatchObject({ project: '[tool.uv]\nmanaged = false\n' });
    const place = path.join(desk.store.root, '.uv', desk.environments[0]!);
    expect(run!.env).toMatchObject({
      UV_TOOL_DIR: path.join(place, 'tools'),
      UV_TOOL_BIN_DIR: path.join(place, 'bin'),
      XDG_BIN_HOME: path.join(place, 'bin'),
      UV_INDEX: 'http://mine.invalid',
      UV_CONFIG_FILE: '/home/me/uv.toml',
      HTTPS_PROXY: 'http://proxy.invalid',
    });
    expect(
      ['VIRTUAL_ENV', 'CONDA_PREFIX', 'UV_PROJECT', 'UV_WORKING_DIR', 'UV_INTERNAL__PARENT_INTERPRETER'].filter(
        (name) => name in run!.env,
      ),
    ).toEqual([]);
    expect(desk.progress).toEqual([{ step: 'resolving' }, { step: 'packages', total: 2 }]);
    expect([desk.staged, desk.environments.length]).toEqual([[], 1]);
    expect(await startedBy(desk)).toBe('started agent==1.0.0 --acp');
    expect(await desk.store.programOf(pythonPackage)).toMatchObject({
      isScript: false,
      file: path.join(place, 'tools/agent/bin/agent'),
      binFolder: path.join(place, 'tools/agent/bin'),
    });
    // Once installed it needs no uv at all.
    rmSync(path.join(desk.bin, 'uv'));
    expect(await desk.store.isInstalled(pythonPackage)).toBe(true);
    expect(await startedBy(desk)).toBe('started agent==1.0.0 --acp');
  });

  test.each<[string, InstallProblem]>([
    ['missing', { kind: 'uv', code: 'missing', output: expect.stringMatching(/^× No solution found/) }],
    ['unknown', { kind: 'uv', code: 'missing', output: expect.any(String) }],
    ['refused', { kind: 'uv', code: 'refused', output: expect.any(String) }],
    ['forbidden', { kind: 'uv', code: 'refused', output: expect.any(String) }],
    ['network', { kind: 'uv', code: 'network', output: expect.any(String) }],
    ['offline', { kind: 'uv', code: 'network', output: expect.any(String) }],
    ['certificate', { kind: 'uv', code: 'certificate', output: expect.any(String) }],
    ['full', { kind: 'uv', code: 'ENOSPC', output: expect.stringMatching(/No space left/) }],
    ['readonly', { kind: 'uv', code: 'EACCES', output: expect.any(String) }],
    ['integrity', { kind: 'uv', code: 'integrity', output: expect.any(String) }],
    ['source', { kind: 'uv', code: 'source', output: expect.any(String) }],
    ['python', { kind: 'uv', code: 'noPython', output: expect.any(String) }],
    ['old', { kind: 'uv', code: 'oldUv', output: expect.any(String) }],
    ['odd', { kind: 'uv', code: '', output: 'error: Something odd' }],
  ])('that fails (%s) says so and leaves nothing behind', async (trouble, problem) => {
    const desk = new UvDesk();
    expect(await problemOf(desk.install({ do: trouble }))).toEqual(problem);
    expect([desk.staged, desk.environments, await desk.store.isInstalled(pythonPackage)]).toEqual([[], [], false]);
    await desk.install();
    expect(await startedBy(desk)).toBe('started agent==1.0.0 --acp');
  });

  test('needs the program that the entry names, else the one with the package’s name', async () => {
    const desk = new UvDesk();
    expect(await problemOf(desk.install({ programs: [] }))).toEqual({
      kind: 'noProgram',
      output: 'The package has no command that starts the agent.',
    });
    expect(await problemOf(desk.install({ programs: ['other', 'more'] }))).toEqual({
      kind: 'noProgram',
      output: 'It has no program named “agent”. Its programs are: more, other.',
    });
    expect(desk.environments).toEqual([]);
    const other = { ...pythonPackage, program: 'other' };
    await desk.install({ programs: ['other', 'more'] }, { package: other });
    expect(path.basename((await desk.store.programOf(other)).file)).toBe('other');
    expect(await problemOf(desk.store.programOf({ ...pythonPackage, program: 'gone' }))).toMatchObject({
      kind: 'noProgram',
      output: expect.stringContaining('“gone”'),
    });
    // uvx runs a program of a needed package too where it is named.
    expect(path.basename((await desk.store.programOf({ ...pythonPackage, program: 'one' })).file)).toBe('one');
  });

  test('finds a program that spells the package’s name in another way, also with extras', async () => {
    const desk = new UvDesk();
    const item = { ...pythonPackage, key: 'uv+my-agent[acp]', name: 'My.Agent[acp]' };
    await desk.install({ programs: ['my-agent'] }, { package: item });
    expect(desk.runs[0]!.args[2]).toBe('My.Agent[acp]==1.0.0');
    expect(path.basename((await desk.store.programOf(item)).file)).toBe('my-agent');
  });

  test('that is done twice at once ends well for both, with one environment', async () => {
    const desk = new UvDesk();
    await Promise.all([desk.install(), desk.install(), desk.install()]);
    expect([desk.staged, desk.environments.length]).toEqual([[], 1]);
    expect(await startedBy(desk)).toBe('started agent==1.0.0 --acp');
  });

  test('that is cancelled ends uv with what it started', async () => {
    const desk = new UvDesk();
    const cancel = new CancellationSource();
    const problem = problemOf(desk.install({ do: 'hang' }, { token: cancel.token }));
    await expect.poll(() => desk.progress).toContainEqual({ step: 'packages', total: 2 });
    cancel.cancel();
    expect(await problem).toEqual({ kind: 'cancelled' });
    const { pids } = desk.runs.at(-1)!;
    const running = new Set((await new ProcessTable(undefined).rows()).map(({ pid }) => pid));
    expect(pids.map((pid) => running.has(pid))).toEqual([false, false]);
    expect([desk.staged, desk.environments]).toEqual([[], []]);
  });

  test('is done again where its Python is gone', async () => {
    const desk = new UvDesk();
    const python = path.join(desk.base, 'python');
    symlinkSync(process.execPath, python);
    await desk.install({ python });
    expect(await desk.store.isInstalled(pythonPackage)).toBe(true);
    rmSync(python);
    expect(await desk.store.isInstalled(pythonPackage)).toBe(false);
    const [before] = desk.environments;
    await desk.install();
    expect(await startedBy(desk)).toBe('started agent==1.0.0 --acp');
    expect([desk.environments.length, desk.environments[0] === before, desk.staged]).toEqual([1, false, []]);
  });

  test('leaves no environment of versions that go', async () => {
    const desk = new UvDesk();
    const inVersion = (version: string) => ({ ...pythonPackage, version });
    for (const version of ['1.0', '1.1', '2.0rc1']) {
      await desk.install({}, { package: inVersion(version) });
      await desk.store.choose(inVersion(version));
    }
    expect(await desk.store.record(pythonPackage.key)).toEqual({ current: '2.0rc1', previous: '1.1' });
    expect(
      await Promise.all(['1.0', '1.1', '2.0rc1'].map((version) => desk.store.isInstalled(inVersion(version)))),
    ).toEqual([false, true, true]);
    expect([desk.environments.length, desk.staged]).toEqual([2, []]);
  });

  test.each(['', '{', 'null', '{"folder":"/etc"}', '{"folder":"../../.uv/ab"}', '{"folder":1}'])(
    'is none where its file reads %j',
    async (text) => {
      const desk = new UvDesk();
      await desk.install();
      writeFileSync(path.join(desk.store.folderOf(pythonPackage), 'environment.json'), text);
      expect(await desk.store.isInstalled(pythonPackage)).toBe(false);
      expect(await problemOf(desk.store.programOf(pythonPackage))).toMatchObject({ kind: 'noProgram' });
    },
  );

  test('that names a folder outside the store removes nothing there', async () => {
    const desk = new UvDesk();
    const precious = path.join(desk.base, 'precious');
    mkdirSync(precious);
    const staged = await desk.store.stage(pythonPackage);
    writeFileSync(path.join(staged, 'environment.json'), JSON.stringify({ folder: precious }));
    await desk.store.discard(staged);
    expect([statSync(precious).isDirectory(), desk.staged]).toEqual([true, []]);
  });
});

test('the newest version is asked for without an installation, and without the project in a folder above', async () => {
  const desk = new UvDesk();
  const folder = path.join(desk.store.root, 'asks');
  mkdirSync(folder);
  const ask = async (spec: string, plan: object) =>
    (await findManager('uv', desk.store.root, desk.env(plan))).newest(spec, folder, {
      token: neverCancelled,
      tree: { mark: processTag },
    });
  expect(await ask('agent[acp]>=1,<3', { newest: '2.1rc1' })).toBe('2.1rc1');
  expect(readFileSync(path.join(folder, 'requirements.in'), 'utf8')).toBe('agent[acp]>=1,<3\n');
  expect(desk.runs[0]).toMatchObject({
    cwd: folder,
    project: '[tool.uv]\nmanaged = false\n',
    args: [
      'pip',
      'compile',
      'requirements.in',
      '--system',
      '--no-deps',
      '--no-header',
      '--no-annotate',
      '--resolution=highest',
      '--no-build',
      '--no-progress',
      '--color=never',
    ],
  });
  expect([desk.environments, existsSync(path.join(folder, 'environment.json'))]).toEqual([[], false]);
  expect(await problemOf(ask('agent', { do: 'unknown' }))).toMatchObject({ kind: 'uv', code: 'missing' });
  expect(await problemOf(ask('agent', { newest: '1!2.0' }))).toMatchObject({ kind: 'uv', code: 'missing' });
  expect(await problemOf(ask('agent', { newest: '../x' }))).toMatchObject({
    kind: 'uv',
    code: 'missing',
    output: 'uv found no version of agent',
  });
});

test('no variable of uv or Python leads into the workspace', async () => {
  const desk = new UvDesk();
  const workspace = path.join(desk.base, 'app');
  mkdirSync(workspace);
  symlinkSync(workspace, path.join(desk.base, 'link'));
  const env = {
    UV_PYTHON: path.join(workspace, '.venv/bin/python'),
    UV_CONFIG_FILE: path.join(desk.base, 'link/uv.toml'),
    UV_INDEX: `mine=http://mine.invalid file://${workspace}/wheels`,
    uv_default_index: `file://${workspace}`,
    PYTHONHOME: workspace,
    UV_PYTHON_PREFERENCE: 'managed',
    UV_FIND_LINKS: '/home/me/wheels',
    OTHER: workspace,
  };
  expect(Object.keys(await uvEnvironment(env, [workspace]))).toEqual([
    'UV_PYTHON_PREFERENCE',
    'UV_FIND_LINKS',
    'OTHER',
  ]);
});
