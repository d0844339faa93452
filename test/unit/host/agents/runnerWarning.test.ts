import { beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { AgentInstaller } from '../../../../src/host/agents/agentInstaller';
import { warnOfRunner } from '../../../../src/host/agents/runnerWarning';
import type { AgentConfiguration } from '../../../../src/host/configuration';
import { treeMark } from '../../../../src/node/treeMark';
import { NpmDesk } from '../../../fakes/npmDesk';

const told = vi.hoisted(() => ({ shown: [] as string[], answer: undefined as string | undefined, agents: {} as Record<string, unknown> }));
vi.mock('vscode', () => {
  const show = (words: string, ...actions: string[]) => (told.shown.push([words, ...actions].join(' | ')), Promise.resolve(actions.find((action) => action === told.answer)));
  return {
    window: { showWarningMessage: show, showInformationMessage: show, showErrorMessage: show, withProgress: (_: unknown, act: (...args: unknown[]) => unknown) => act({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) }) },
    workspace: { getConfiguration: () => ({ inspect: () => ({ globalValue: told.agents }), update: (_key: string, value: Record<string, unknown>) => void (told.agents = value) }) },
    ConfigurationTarget: { Global: 1 },
    ProgressLocation: { Notification: 15 },
  };
});
beforeEach(() => Object.assign(told, { shown: [], answer: undefined, agents: {} }));

function warn(desk: NpmDesk, state: Map<string, unknown>, plan: object = {}): Promise<void> {
  const entry = { command: '/usr/bin/npx', args: ['-y', 'agent@^1.2', '--acp'], env: { KEY: 'x' } };
  told.agents = { Other: { command: 'other' }, Test: entry };
  const configuration: AgentConfiguration = { name: 'Test', capabilities: {}, ...entry };
  const memento = { keys: () => [], get: (key: string, value?: unknown) => state.get(key) ?? value, update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)) };
  const installer = new AgentInstaller({ root: desk.store.root, tree: { mark: treeMark }, log: silentLogger });
  return warnOfRunner(configuration, { installer, surroundings: { env: desk.env(plan), avoid: [] }, state: memento as never, log: silentLogger });
}

test('an entry with npx is warned of once, and nothing changes unless the user agrees', async () => {
  const [desk, state] = [new NpmDesk(), new Map<string, unknown>()];
  for (let start = 0; start < 3; start++) await warn(desk, state);
  expect(told.shown).toEqual(['Test starts with npx. A repository can change what npx runs. | Install It with Parley']);
  expect([desk.runs, Object.keys(told.agents['Test'] as object)]).toEqual([[], ['command', 'args', 'env']]);
});

test('“Install It with Parley” pins the exact version, installs it and rewrites that entry alone', async () => {
  const desk = new NpmDesk();
  told.answer = 'Install It with Parley';
  await warn(desk, new Map(), { view: ['1.2.0', '1.2.9'] });
  expect(told.agents).toEqual({ Other: { command: 'other' }, Test: { npm: 'agent@1.2.9', args: ['--acp'], env: { KEY: 'x' } } });
  expect(desk.runs.map(({ args }) => args.slice(0, 2))).toEqual([['view', 'agent@^1.2'], ['install', '--package-lock-only'], ['install', '--ignore-scripts']]);
  expect(await desk.store.record('npm+agent')).toEqual({ current: '1.2.9' });
  expect([told.shown.at(-1), desk.staged]).toEqual(['agent@1.2.9 is installed. Test starts it from now on.', []]);
});

test('where it fails the entry stays, and the user reads why', async () => {
  const desk = new NpmDesk();
  told.answer = 'Install It with Parley';
  await warn(desk, new Map(), { do: 'E404' });
  expect(told.shown.at(-1)).toMatch(/^Test could not be installed\. Your npm registry does not have agent@\^1\.2/);
  expect(Object.keys(told.agents['Test'] as object)).toContain('command');
});
