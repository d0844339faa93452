import { beforeEach, expect, it, vi } from 'vitest';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { AskAgent } from '../../../../src/host/ask/askAgent';
import { MemoryState } from '../../../fakes/memoryState';

const shown = vi.hoisted(() => ({ notes: [] as string[], choice: undefined as unknown }));
vi.mock('vscode', () => ({
  window: {
    activeTextEditor: undefined,
    activeTerminal: undefined,
    showInformationMessage: async (text: string) => void shown.notes.push(text),
    showQuickPick: async (items: readonly { readonly label: string }[]) =>
      items.find(({ label }) => label === shown.choice),
  },
  env: { clipboard: { readText: async () => '', writeText: async () => undefined } },
  commands: { executeCommand: async () => undefined },
}));

const made: NewAttachment = {
  kind: 'terminal',
  label: 'npm test',
  detail: '',
  linkable: false,
  uri: 'parley:/t',
  content: 'failed',
};

function desk({ imported = false, commands = [{}] as readonly object[] } = {}) {
  const did: unknown[] = [];
  const state = new MemoryState();
  const ask = new AskAgent({
    sessions: {
      active: { imported: imported ? {} : undefined },
      showNew: () => did.push('new session'),
      submit: async (draft: unknown) => void did.push(['sent', draft]),
    } as never,
    panels: {
      reveal: async () => void did.push('revealed'),
      deliver: (message: unknown) => did.push(message),
      active: { draft: { add: async ({ label }: NewAttachment) => void did.push(`added ${label}`) } },
    } as never,
    terminals: { latest: () => commands, context: async () => made } as never,
    store: { save: async (item) => ({ ...item, id: '1' }) as never },
    state,
  });
  return { ask, did };
}

beforeEach(() => {
  shown.notes = [];
});

it('a prompt is put into the box with its context, and is not sent', async () => {
  const { ask, did } = desk();
  await ask.ask('fix', 'terminal', []);
  expect(did).toEqual([
    'revealed',
    'added npm test',
    {
      type: 'draft/restore',
      text: 'Find out what went wrong in the attached terminal output, and fix it.',
      mentions: [],
    },
  ]);
});

it('it is sent at once only after the user chose that', async () => {
  const { ask, did } = desk();
  shown.choice = 'Send the prompt at once';
  await ask.chooseHow();
  await ask.ask('explain', 'terminal', []);
  expect(did).toEqual([
    'revealed',
    ['sent', { text: 'Explain the attached terminal output.', mentions: [], attachments: [{ ...made, id: '1' }] }],
  ]);
  did.length = 0;
  shown.choice = 'Show the prompt first';
  await ask.chooseHow();
  await ask.ask('explain', 'terminal', []);
  expect(did).toContain('added npm test');
});

it('an imported session is left for a new one', async () => {
  const { ask, did } = desk({ imported: true });
  await ask.ask('explain', 'terminal', []);
  expect(did[0]).toBe('new session');
});

it('where there is nothing to ask about, the user learns what to do', async () => {
  const { ask, did } = desk({ commands: [] });
  await ask.ask('explain', 'terminal', []);
  await ask.ask('explain', undefined, []);
  expect(did).toEqual([]);
  expect(shown.notes).toEqual([
    'Select text in the terminal, or run a command with shell integration first.',
    'Open an editor or use a menu to ask about something.',
  ]);
});
