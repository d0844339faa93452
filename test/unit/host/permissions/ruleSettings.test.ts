import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { showRules } from '../../../../src/host/permissions/permissionViews';
import { RuleSettings } from '../../../../src/host/permissions/ruleSettings';
import { resetVscode, told } from '../../../fakes/fakeVscode';
import { MemoryState } from '../../../fakes/memoryState';

const setting = vi.hoisted(() => ({
  rules: undefined as unknown,
  repository: undefined as unknown,
  changed: undefined as unknown,
}));
const events = new Emitter<{ affectsConfiguration(key: string): boolean }>();
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  ConfigurationTarget: { Global: 1 },
  workspace: {
    getConfiguration: () => ({
      inspect: () => ({
        globalValue: setting.rules,
        workspaceValue: setting.repository,
        workspaceFolderValue: setting.repository,
      }),
      update: async (_key: string, value: unknown) => write(value),
    }),
    onDidChangeConfiguration: (listener: never) => events.event(listener),
  },
}));

/** Somebody changes the settings. */
function write(rules: unknown): void {
  setting.rules = rules;
  events.fire({ affectsConfiguration: (key) => key === 'parley.permissions.rules' });
}

const allowing = { answer: 'allowOnce', command: 'npm test *' } as const;
const rejecting = { answer: 'rejectOnce', command: 'git push *' } as const;
const asking = { answer: 'ask', command: 'git rebase *' } as const;
const namesOf = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);

let state: MemoryState;
let settings: RuleSettings;

beforeEach(() => {
  [setting.rules, setting.repository] = [undefined, undefined];
  state = new MemoryState();
  settings = new RuleSettings(state);
});

describe('a rule that comes into the settings by itself', () => {
  it('waits where it allows, and counts at once where it restrains', () => {
    write([allowing, rejecting, asking]);
    expect([namesOf(settings.active), namesOf(settings.pending)]).toEqual([
      ['git push *', 'git rebase *'],
      ['npm test *'],
    ]);
  });

  it('waits also where it was there before Parley looked for the first time, as on a machine to which settings are synced', () => {
    setting.rules = [allowing];
    expect(namesOf(new RuleSettings(state).active)).toEqual([]);
  });

  it('counts once the user has confirmed it, also in the next window', async () => {
    write([allowing]);
    await settings.confirm(settings.pending[0]!);
    expect([namesOf(settings.active), namesOf(settings.pending)]).toEqual([['npm test *'], []]);
    expect(namesOf(new RuleSettings(state).active)).toEqual(['npm test *']);
  });

  it.each<[change: string, rule: object]>([
    ['allows more', { ...allowing, command: 'npm *' }],
    ['has another pattern beside', { ...allowing, command: ['npm test *', 'rm *'] }],
    ['loses its agent', { answer: 'allowOnce', command: 'npm test *', name: 'x' }],
    ['is for files', { answer: 'allowOnce', kind: 'edit', paths: ['**'] }],
  ])('waits again when a confirmed one %s', async (_change, rule) => {
    write([{ ...allowing, agent: 'Demo' }]);
    await settings.confirm(settings.pending[0]!);
    write([rule]);
    expect(namesOf(settings.active)).toEqual([]);
    expect(settings.pending).toHaveLength(1);
  });

  it('stays confirmed when it is only called something else or moved', async () => {
    write([allowing]);
    await settings.confirm(settings.pending[0]!);
    write([asking, { ...allowing, name: 'Tests' }]);
    expect(namesOf(settings.active)).toEqual(['git rebase *', 'Tests']);
  });

  it.each<[what: string, meanwhile: unknown]>([
    ['removed', []],
    ['switched off', [{ ...allowing, enabled: false }]],
    ['lost with the whole setting', undefined],
  ])('waits again after the user had it %s', async (_what, meanwhile) => {
    write([allowing]);
    await settings.confirm(settings.pending[0]!);
    write(meanwhile);
    expect(namesOf(settings.pending)).toEqual([]);
    write([allowing]);
    expect([namesOf(settings.active), namesOf(settings.pending)]).toEqual([[], ['npm test *']]);
  });

  it('of a repository is not even looked at', () => {
    setting.repository = [allowing];
    expect([settings.active, settings.pending]).toEqual([[], []]);
  });

  it('is told once, by whichever window sees it first', () => {
    write([allowing, rejecting]);
    expect(namesOf(settings.takeUntold())).toEqual(['npm test *']);
    expect(settings.takeUntold()).toEqual([]);
    write([allowing, { answer: 'allowOnce', command: 'make' }]);
    expect(namesOf(new RuleSettings(state).takeUntold())).toEqual(['make']);
  });

  it('is not confirmed by anything in the settings', () => {
    write([{ ...allowing, confirmed: true }, allowing]);
    setting.rules = [allowing];
    expect(settings.active).toEqual([]);
  });
});

describe('a rule that the user writes through Parley', () => {
  it('counts at once, and no listener ever sees it wait', async () => {
    const seen: number[] = [];
    events.event(() => seen.push(new RuleSettings(state).pending.length));
    await settings.add(allowing);
    expect([namesOf(settings.active), setting.rules, seen]).toEqual([['npm test *'], [allowing], [0]]);
  });

  it('takes along no other that waits', async () => {
    write([{ answer: 'allowOnce', command: 'rm *' }]);
    await settings.add(allowing);
    expect([namesOf(settings.active), namesOf(settings.pending)]).toEqual([['npm test *'], ['rm *']]);
  });

  it('is off and on as the user says', async () => {
    await settings.add(allowing);
    const all = () => true;
    await settings.enable(all, false);
    expect([namesOf(settings.active.filter(({ enabled }) => enabled)), setting.rules]).toEqual([
      [],
      [{ ...allowing, enabled: false }],
    ]);
    await settings.enable(all, true);
    expect(namesOf(settings.active)).toEqual(['npm test *']);
    await settings.remove(all);
    expect([settings.active, setting.rules]).toEqual([[], []]);
  });
});

it('the list says which rules are not active, and which pattern with a wildcard can allow nothing', () => {
  resetVscode();
  write([rejecting, { answer: 'allowOnce', command: ['*', 'ls *'] }, { answer: 'allowOnce', command: 'mytool *' }]);
  showRules(settings);
  expect(told.picker!.items.slice(0, 3)).toMatchObject([
    { description: 'not active', detail: 'commands *, ls *' },
    {
      description: 'not active',
      detail: '$(warning) Never allows mytool *: write this command out, without * · commands mytool *',
    },
    { label: '$(error) Reject git push *', description: '', detail: '' },
  ]);
});
