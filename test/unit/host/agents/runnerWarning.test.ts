import { rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { AgentInstaller } from '../../../../src/host/agents/agentInstaller';
import { warnOfRunner } from '../../../../src/host/agents/runnerWarning';
import { type AgentConfiguration, decodeAgent } from '../../../../src/host/agents/agentSettings';
import { processTag } from '../../../../src/node/processTag';
import { NpmDesk } from '../../../fakes/npmDesk';
import { UvDesk } from '../../../fakes/uvDesk';
import { runtimeOptions } from '../../../fakes/runtimePins';

const told = vi.hoisted(() => ({
  shown: [] as string[],
  answer: undefined as string | undefined,
  agents: {} as Record<string, unknown>,
}));
vi.mock('vscode', () => {
  const show = (words: string, ...actions: string[]) => (
    told.shown.push([words, ...actions].join(' | ')),
    Promise.resolve(actions.find((action) => action === told.answer))
  );
  return {
    window: {
      showWarningMessage: show,
      showInformationMessage: show,
      showErrorMessage: show,
      withProgress: (_: unknown, act: (...args: unknown[]) => unknown) =>
        act(
          { report: () => undefined },
          { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
        ),
    },
    workspace: {
      getConfiguration: () => ({
        inspect: () => ({ globalValue: told.agents }),
        update: (_key: string, value: Record<string, unknown>) => void (told.agents = value),
      }),
    },
    ConfigurationTarget: { Global: 1 },
    ProgressLocation: { Notification: 15 },
  };
});
beforeEach(() => Object.assign(told, { shown: [], answer: undefined, agents: {} }));

function warn(
  desk: NpmDesk,
  state: Map<string, unknown>,
  plan: object = {},
  started: { readonly command: string; readonly args: readonly string[] } = {
    command: '/usr/bin/npx',
    args: ['-y', 'agent@^1.2', '--acp'],
  },
): Promise<void> {
  const entry = { ...started, env: { KEY: 'x' } };
  told.agents = { Other: { command: 'other' }, Test: entry };
  const configuration: AgentConfiguration = { name: 'Test', capabilities: {}, ...entry };
  const memento = {
    keys: () => [],
    get: (key: string, value?: unknown) => state.get(key) ?? value,
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  };
  const installer = new AgentInstaller({
    root: desk.store.root,
    tree: { mark: processTag },
    runtime: runtimeOptions(),
    log: silentLogger,
  });
  return warnOfRunner(configuration, {
    installer: () => Promise.resolve(installer),
    surroundings: { env: desk.env(plan), avoid: [] },
    state: memento as never,
    log: silentLogger,
  });
}

test('an entry with npx is warned of once, and nothing changes unless the user agrees', async () => {
  const [desk, state] = [new NpmDesk(), new Map<string, unknown>()];
  for (let start = 0; start < 3; start++) await warn(desk, state);
  expect(told.shown).toEqual(['npx starts Test. A repository can change what npx runs. | Install with Parley']);
  expect([desk.runs, Object.keys(told.agents['Test'] as object)]).toEqual([[], ['command', 'args', 'env']]);
});

test('“Install with Parley” pins the exact version, installs it and rewrites that entry alone', async () => {
  const desk = new NpmDesk();
  told.answer = 'Install with Parley';
  await warn(desk, new Map(), { view: ['1.2.0', '1.2.9'] });
  expect(told.agents).toEqual({
    Other: { command: 'other' },
    Test: { npm: 'agent@1.2.9', args: ['--acp'], env: { KEY: 'x' } },
  });
  expect(desk.runs.map(({ args }) => args.slice(0, 2))).toEqual([
    ['view', 'agent@^1.2'],
    ['install', '--package-lock-only'],
    ['install', '--ignore-scripts'],
  ]);
  expect(await desk.store.record('npm+agent')).toEqual({ current: '1.2.9' });
  expect([told.shown.at(-1), desk.staged]).toEqual(['agent@1.2.9 is installed. Test uses it from now on.', []]);
});

test('where it fails the entry stays, and the user reads why', async () => {
  const desk = new NpmDesk();
  told.answer = 'Install with Parley';
  await warn(desk, new Map(), { do: 'E404' });
  expect(told.shown.at(-1)).toMatch(/^Test could not be installed\. Your npm registry does not have agent@\^1\.2/);
  expect(Object.keys(told.agents['Test'] as object)).toContain('command');
});

test('an entry with bunx is offered the same', async () => {
  const desk = new NpmDesk();
  told.answer = 'Install with Parley';
  await warn(desk, new Map(), {}, { command: 'bunx', args: ['--bun', 'agent', '--acp'] });
  expect(told.shown[0]).toBe('bunx starts Test. A repository can change what bunx runs. | Install with Parley');
  expect(told.agents['Test']).toEqual({ npm: 'agent@1.2.3', args: ['--acp'], env: { KEY: 'x' } });
});

test.each<[string, readonly string[], object, object]>([
  ['uvx', ['agent==1.0.0', '--acp'], {}, { uv: 'agent==1.0.0', args: ['--acp'] }],
  ['uvx', ['agent@1.1'], {}, { uv: 'agent==1.1', args: [] }],
  ['uvx', ['agent'], { newest: '1.4.2' }, { uv: 'agent==1.4.2', args: [] }],
  [
    'uvx',
    ['--from', 'agent>=1,<2', 'prog', 'acp'],
    { newest: '1.9', programs: ['prog'] },
    { uv: 'agent==1.9', program: 'prog', args: ['acp'] },
  ],
  [
    '/opt/bin/uv',
    ['tool', 'run', 'agent[acp]@latest'],
    { newest: '1.4.2', programs: ['agent'] },
    { uv: 'agent[acp]==1.4.2', args: [] },
  ],
])('“Install with Parley” does for %s %j what it does for npx', async (command, args, plan, changed) => {
  const desk = new UvDesk();
  told.answer = 'Install with Parley';
  await warn(desk, new Map(), plan, { command, args });
  const runner = command.endsWith('uvx') ? 'uvx' : 'uv';
  expect(told.shown[0]).toBe(`${runner} starts Test, and can run a different version each time. | Install with Parley`);
  expect(told.agents).toEqual({ Other: { command: 'other' }, Test: { ...changed, env: { KEY: 'x' } } });
  const { uv } = changed as { uv: string };
  expect(told.shown.slice(1)).toEqual([`${uv} is installed. Test uses it from now on.`]);
  expect(desk.runs.map(({ args: [first] }) => first)).toEqual('newest' in plan ? ['pip', 'tool'] : ['tool']);
  expect([desk.environments.length, desk.staged]).toEqual([1, []]);
  // What it wrote is an entry that starts what it installed.
  const decoded = decodeAgent('Test', told.agents['Test']);
  expect(typeof decoded !== 'string' && decoded.source && (await desk.store.isInstalled(decoded.source))).toBe(true);
});

test('where uv fails the entry stays, and the user reads why', async () => {
  const desk = new UvDesk();
  told.answer = 'Install with Parley';
  const started = { command: 'uvx', args: ['agent==1.0.0'] };
  await warn(desk, new Map(), { do: 'missing' }, started);
  expect(told.shown.at(-1)).toMatch(/^Test could not be installed\. Your package index does not have agent==1\.0\.0/);
  await warn(desk, new Map(), { programs: ['other'] }, started);
  expect(told.shown.at(-1)).toMatch(
    /agent==1\.0\.0 can’t be started: It has no program named “agent”\. Its programs are: other\./,
  );
  rmSync(path.join(desk.bin, 'uv'));
  await warn(desk, new Map(), {}, started);
  expect(told.shown.at(-1)).toMatch(/Parley can’t find uv on your PATH/);
  expect(told.agents['Test']).toEqual({ ...started, env: { KEY: 'x' } });
});

test('a package runner whose package Parley cannot install leads to the settings', async () => {
  await warn(new UvDesk(), new Map(), {}, { command: 'uvx', args: ['--with', 'more', 'agent'] });
  expect(told.shown).toEqual(['uvx starts Test, and can run a different version each time. | Edit Settings']);
});
