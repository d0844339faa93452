import { beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { AgentInstaller } from '../../../../src/host/agents/agentInstaller';
import { updateAgents } from '../../../../src/host/agents/agentUpdates';
import type { AgentConfiguration } from '../../../../src/host/agents/agentSettings';
import type { AgentPackage } from '../../../../src/registry/packageNames';
import { processTag } from '../../../../src/node/processTag';
import { NpmDesk } from '../../../fakes/npmDesk';
import { UvDesk } from '../../../fakes/uvDesk';
import { runtimeOptions } from '../../../fakes/runtimePins';

const told = vi.hoisted(() => ({ shown: [] as string[], pick: '', answer: '', agents: {} as Record<string, unknown> }));
vi.mock('vscode', () => {
  const show = (words: string, ...actions: string[]) => (
    told.shown.push(words),
    Promise.resolve(actions.find((action) => action === told.answer))
  );
  return {
    window: {
      showInformationMessage: show,
      showErrorMessage: show,
      showQuickPick: (items: readonly { readonly label: string }[]) => (
        told.shown.push(items.map(({ label }) => label).join(' | ')),
        Promise.resolve(items.find(({ label }) => label.includes(told.pick)))
      ),
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
    QuickPickItemKind: { Separator: -1 },
  };
});
beforeEach(() => Object.assign(told, { shown: [], pick: '', answer: '', agents: {} }));

const builtIn: AgentConfiguration = {
  name: 'Test',
  command: 'agent@1.2.0',
  args: [],
  env: {},
  capabilities: {},
  source: { manager: 'npm', key: 'test', name: 'agent', version: '1.2.0', pinned: false },
};

function update(
  desk: NpmDesk,
  agent: AgentConfiguration,
  pick: string,
  plan: object = {},
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  told.pick = pick;
  const installer = new AgentInstaller({
    root: desk.store.root,
    tree: { mark: processTag },
    runtime: runtimeOptions(),
    proxy: () => 'http://proxy.invalid:3128',
    log: silentLogger,
  });
  return updateAgents({
    installer,
    surroundings: { env: { ...desk.env(plan), ...more }, avoid: [] },
    agents: [agent],
    log: silentLogger,
  });
}

test('an agent is updated to what Parley knows, to what npm has, and back; each only when the user chooses it', async () => {
  const desk = new NpmDesk();
  await update(desk, builtIn, 'Update');
  expect(told.shown).toEqual([
    'No agent is installed yet. Parley installs an agent when you start it for the first time.',
  ]);
  const old: AgentPackage = { manager: 'npm', key: 'test', name: 'agent', version: '1.0.0' };
  await desk.install({}, { package: old });
  await desk.store.choose(old);

  await update(desk, builtIn, 'Update to 1.2.0');
  expect(told.shown.slice(1)).toEqual([
    'Test 1.0.0 | $(arrow-up) Update to 1.2.0 | $(search) Check npm for a Newer Version',
    'Test 1.2.0 is installed. Parley uses it the next time the agent starts.',
  ]);
  expect(await desk.store.record('test')).toEqual({ current: '1.2.0', previous: '1.0.0' });

  told.answer = 'Update to 1.3.0';
  await update(desk, builtIn, 'Check npm', { view: '1.3.0' });
  expect(await desk.store.record('test')).toEqual({ current: '1.3.0', previous: '1.2.0' });
  await update(desk, builtIn, 'Check npm', { view: '1.3.0' });
  expect(told.shown.at(-1)).toBe('Test 1.3.0 is the newest version.');
  const runs = desk.runs.length;
  await update(desk, builtIn, 'Go Back to 1.2.0');
  expect(await desk.store.record('test')).toEqual({ current: '1.2.0', previous: '1.3.0' });
  // Going back needs no npm, and what is older is gone.
  expect([desk.runs.length, await desk.store.isInstalled(old)]).toEqual([runs, false]);

  await update(desk, builtIn, 'Check npm', { do: 'ENOTFOUND' });
  expect(told.shown.at(-1)).toMatch(/^Test could not be installed\. npm can’t reach your registry/);
  expect(await desk.store.record('test')).toEqual({ current: '1.2.0', previous: '1.3.0' });
});

test('a version that the setting names is changed in the setting', async () => {
  const desk = new NpmDesk();
  const own: AgentPackage = { manager: 'npm', key: 'npm+agent', name: 'agent', version: '1.0.0' };
  await desk.install({}, { package: own });
  await desk.store.choose(own);
  told.agents = { Other: null, Mine: { npm: 'agent@1.0.0', args: ['--acp'] } };
  told.answer = 'Update to 2.0.0';
  const mine: AgentConfiguration = { ...builtIn, name: 'Mine', source: { ...own, pinned: true } };
  await update(desk, mine, 'Check npm', { view: '2.0.0' });
  expect(told.agents).toEqual({ Other: null, Mine: { npm: 'agent@2.0.0', args: ['--acp'] } });
  await update(desk, { ...mine, source: { ...own, version: '2.0.0', pinned: true } }, 'Go Back to 1.0.0');
  expect(told.agents).toEqual({ Other: null, Mine: { npm: 'agent@1.0.0', args: ['--acp'] } });
});

test('a Python package is updated and taken back in the same way', async () => {
  const desk = new UvDesk();
  const own: AgentPackage = { manager: 'uv', key: 'uv+agent', name: 'agent', version: '1.0', program: 'prog' };
  const plan = { newest: '1.1.post1', programs: ['prog'] };
  await desk.install(plan, { package: own });
  await desk.store.choose(own);
  told.agents = { Mine: { uv: 'agent==1.0', program: 'prog', args: ['--acp'] } };
  told.answer = 'Update to 1.1.post1';
  const mine: AgentConfiguration = { ...builtIn, name: 'Mine', source: { ...own, pinned: true } };
  await update(desk, mine, 'Check uv', plan);
  expect(told.shown).toEqual([
    'Mine 1.0 | $(search) Check uv for a Newer Version',
    'Mine 1.1.post1 is available. Version 1.0 is installed.',
    'Mine 1.1.post1 is installed. Parley uses it the next time the agent starts.',
  ]);
  expect(told.agents).toEqual({ Mine: { uv: 'agent==1.1.post1', program: 'prog', args: ['--acp'] } });
  const runs = desk.runs.length;
  await update(desk, { ...mine, source: { ...own, version: '1.1.post1', pinned: true } }, 'Go Back to 1.0');
  expect(told.agents).toEqual({ Mine: { uv: 'agent==1.0', program: 'prog', args: ['--acp'] } });
  expect([desk.runs.length, desk.environments.length]).toEqual([runs, 2]);
});

test('npm gets VS Code’s proxy, unless the environment names one', async () => {
  const desk = new NpmDesk();
  const old: AgentPackage = { manager: 'npm', key: 'test', name: 'agent', version: '1.0.0' };
  await desk.install({}, { package: old });
  await desk.store.choose(old);
  await update(desk, builtIn, 'Update');
  expect(desk.runs.at(-1)?.env).toMatchObject({ HTTPS_PROXY: 'http://proxy.invalid:3128' });
  await update(desk, builtIn, 'Check npm', { view: '1.2.0' }, { https_proxy: 'http://mine.invalid' });
  expect(desk.runs.at(-1)?.env).not.toHaveProperty('HTTPS_PROXY');
});
