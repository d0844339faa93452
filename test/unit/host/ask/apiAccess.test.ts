import { beforeEach, expect, it, vi } from 'vitest';
import { ApiAccess, callerOf } from '../../../../src/host/ask/apiAccess';
import { MemoryState } from '../../../fakes/memoryState';

const ui = vi.hoisted(() => ({
  asked: [] as { readonly question: string; readonly detail: string }[],
  answer: undefined as string | undefined,
  picked: undefined as readonly string[] | undefined,
  told: [] as string[],
}));
const installed = vi.hoisted(() => ({
  all: [
    { id: 'Acme.tool', extensionPath: '/x/acme', packageJSON: { displayName: 'Tool' } },
    { id: 'parley.parley', extensionPath: '/x/parley', packageJSON: {} },
  ],
}));
vi.mock('vscode', () => ({
  extensions: installed,
  window: {
    showWarningMessage: async (question: string, { detail }: { readonly detail: string }) => {
      ui.asked.push({ question, detail });
      return ui.answer;
    },
    showInformationMessage: async (words: string) => void ui.told.push(words),
    showQuickPick: async (items: readonly { readonly id: string }[]) =>
      ui.picked && items.filter(({ id }) => ui.picked!.includes(id)),
  },
}));
beforeEach(() => Object.assign(ui, { asked: [], answer: undefined, picked: undefined, told: [] }));

const context = (id: string, extensionPath: string) => ({ extension: { id }, extensionPath });
const tool = { id: 'acme.tool', name: 'Tool' };
const agent = { name: 'Helper', command: '/bin/helper', args: ['--acp'], env: { KEY: 'a' } };

it('a caller is an extension that is installed, with its own folder', () => {
  expect(callerOf(context('Acme.tool', '/x/acme'))).toEqual(tool);
  for (const wrong of [undefined, null, 3, {}, context('acme.none', '/x/acme'), context('Acme.tool', '/x/other')])
    expect(() => callerOf(wrong)).toThrow('ExtensionContext');
  expect(() => callerOf(context('parley.parley', '/x/parley'))).toThrow('ExtensionContext');
});

it.each([
  ['Allow', true],
  ['Never Allow', false],
])('an extension is asked about once: %s', async (answer, isAllowed) => {
  const state = new MemoryState();
  ui.answer = answer;
  const access = new ApiAccess(state);
  expect(await Promise.all([access.request(tool), access.request(tool)])).toEqual([isAllowed, isAllowed]);
  expect(access.has(tool)).toBe(isAllowed);
  // Also in the next window.
  expect(await new ApiAccess(state).request(tool)).toBe(isAllowed);
  expect(ui.asked.map(({ question }) => question)).toEqual(['Allow the extension “Tool” (acme.tool) to use Parley?']);
});

it('a closed dialog is a no for this window only', async () => {
  const state = new MemoryState();
  const access = new ApiAccess(state);
  expect([await access.request(tool), await access.request(tool), ui.asked.length]).toEqual([false, false, 1]);
  ui.answer = 'Allow';
  expect(await new ApiAccess(state).request(tool)).toBe(true);
});

it('an agent is agreed to by its whole command, once for each', async () => {
  const access = new ApiAccess(new MemoryState());
  ui.answer = 'Add Agent';
  expect(await access.agreeTo(tool, agent)).toBe(true);
  expect(await access.agreeTo(tool, agent)).toBe(true);
  expect(ui.asked).toHaveLength(1);
  expect(ui.asked[0]!.question).toBe('Add the agent Helper of the extension “Tool”?');
  expect(ui.asked[0]!.detail).toMatch(/\/bin\/helper --acp[^]*KEY=a/);
  ui.answer = undefined;
  for (const other of [
    { ...agent, args: [] },
    { ...agent, env: { KEY: 'b' } },
    { ...agent, command: '/bin/other' },
  ])
    expect(await access.agreeTo(tool, other)).toBe(false);
  expect(await access.agreeTo({ id: 'other.tool', name: 'Tool' }, agent)).toBe(false);
  expect(ui.asked).toHaveLength(5);
});

it('a command that no dialog can show in full is no question', async () => {
  ui.answer = 'Add Agent';
  expect(await new ApiAccess(new MemoryState()).agreeTo(tool, { ...agent, args: ['x'.repeat(4_000)] })).toBe(false);
  expect(ui.asked).toEqual([]);
});

it('the user can take it back, and the commands with it', async () => {
  const access = new ApiAccess(new MemoryState());
  await access.choose();
  expect(ui.told).toEqual(['No extension has asked to use Parley.']);
  ui.answer = 'Allow';
  await access.request(tool);
  ui.answer = 'Add Agent';
  await access.agreeTo(tool, agent);
  await access.choose();
  expect(access.has(tool)).toBe(true);
  ui.picked = [];
  await access.choose();
  expect(access.has(tool)).toBe(false);
  await access.agreeTo(tool, agent);
  expect(ui.asked).toHaveLength(3);
});
