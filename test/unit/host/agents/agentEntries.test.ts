import { beforeEach, expect, test, vi } from 'vitest';
import { changeEntry, changeListedEntry, removeEntry } from '../../../../src/host/agents/agentEntries';

const setting = vi.hoisted(() => ({ agents: undefined as Record<string, Record<string, unknown> | null> | undefined }));
vi.mock('vscode', () => ({
  workspace: {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: setting.agents }),
      // Settings are written to a file before they count.
      update: (_key: string, value: never) =>
        new Promise<void>((resolve) => setImmediate(() => ((setting.agents = value), resolve()))),
    }),
  },
  ConfigurationTarget: { Global: 1 },
}));
beforeEach(() => (setting.agents = undefined));

const as = (id: string) => (former: object) => ({ ...former, registry: id, npm: `${id}@1.0.0` });

test.each(['Acorn', 'ACORN', 'Асоrn', 'Ac0rn'])(
  'two agents of the index that are installed at once under look-alike names (%s) have an entry each, and no variables of one pass to the other',
  async (name) => {
    setting.agents = { Acorn: { registry: 'acorn', npm: 'acorn@1.0.0', env: { API_KEY: '${secret}' } } };
    const names = await Promise.all([
      changeListedEntry('evil', name, as('evil')),
      changeListedEntry('acorn', 'Acorn', as('acorn')),
      changeListedEntry('evil', name, as('evil')),
    ]);
    expect(names).toEqual([`${name} (evil)`, 'Acorn', `${name} (evil)`]);
    expect(setting.agents).toEqual({
      Acorn: { registry: 'acorn', npm: 'acorn@1.0.0', env: { API_KEY: '${secret}' } },
      [`${name} (evil)`]: { registry: 'evil', npm: 'evil@1.0.0' },
    });
  },
);

test('an agent of the index takes neither a command of the user’s own nor the name of an agent of Parley', async () => {
  setting.agents = { Mine: { command: 'mine', env: { KEY: '1' } }, Codex: null };
  expect(await changeListedEntry('mine', 'Mine', as('mine'))).toBe('Mine (mine)');
  expect(await changeListedEntry('codex-x', 'Codex', as('codex-x'))).toBe('Codex (codex-x)');
  expect(await changeListedEntry('demo', 'parley demo', as('demo'))).toBe('parley demo (demo)');
  expect(setting.agents).toMatchObject({ Mine: { command: 'mine', env: { KEY: '1' } }, Codex: null });
});

test('an agent that the user has renamed keeps its entry', async () => {
  setting.agents = { 'My acorn': { registry: 'acorn', npm: 'acorn@1.0.0', cwd: '/w' } };
  expect(await changeListedEntry('acorn', 'Acorn', as('acorn'))).toBe('My acorn');
  expect(setting.agents).toEqual({ 'My acorn': { registry: 'acorn', npm: 'acorn@1.0.0', cwd: '/w' } });
});

test('changes at the same time lose nothing of each other', async () => {
  await Promise.all([
    changeEntry('A', () => ({ command: 'a' })),
    changeEntry('B', () => ({ command: 'b' })),
    removeEntry('A'),
    changeEntry('C', () => ({ command: 'c' })),
  ]);
  expect(setting.agents).toEqual({ B: { command: 'b' }, C: { command: 'c' } });
});
