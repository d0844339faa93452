import { beforeEach, expect, it, vi } from 'vitest';
import { InlinePrompt } from '../../../../src/host/ask/inlinePrompt';

const ui = vi.hoisted(() => ({
  text: '',
  act: 'accept' as 'accept' | 'hide' | 'button',
  told: [] as string[],
  choose: undefined as string | undefined,
  cancel: false,
  editor: undefined as unknown,
}));
vi.mock('vscode', () => ({
  ProgressLocation: { Notification: 15 },
  ThemeIcon: Object,
  workspace: { asRelativePath: ({ path }: { readonly path: string }) => path.slice(3) },
  window: {
    get activeTextEditor() {
      return ui.editor;
    },
    createInputBox: () => {
      const on: Record<string, () => void> = {};
      return {
        get value() {
          return ui.text;
        },
        onDidAccept: (listener: () => void) => (on['accept'] = listener),
        onDidTriggerButton: (listener: () => void) => (on['button'] = listener),
        onDidHide: (listener: () => void) => (on['hide'] = listener),
        show: () => {
          on[ui.act]!();
          on['hide']!();
        },
        dispose: () => undefined,
      };
    },
    showInformationMessage: async (words: string) => (ui.told.push(words), ui.choose),
    withProgress: async ({ title }: { title: string }, work: (progress: object, token: object) => Promise<void>) => {
      ui.told.push(title);
      await work({}, { onCancellationRequested: (listener: () => void) => ui.cancel && listener() });
    },
  },
}));

const uri = { scheme: 'file', path: '/w/a.ts', with: () => ({ toString: () => 'file:///w/a.ts' }) };
const selection = { start: { line: 2, character: 0 }, end: { line: 4, character: 3 }, isEmpty: false };

beforeEach(() =>
  Object.assign(ui, {
    text: 'Use a map',
    act: 'accept',
    told: [],
    choose: undefined,
    cancel: false,
    editor: {
      document: { uri, isDirty: false, getText: () => 'code' },
      selection,
      selections: [selection],
    },
  }),
);

function desk({ agent = 'One', changed = [] as readonly string[], hasFailed = false } = {}) {
  const did: unknown[] = [];
  const live = {
    id: 's',
    agent,
    hasFailed,
    session: { thread: { entries: { length: 0, at: () => undefined } } },
    stop: () => did.push('stopped'),
    markRead: () => undefined,
  };
  const inline = new InlinePrompt({
    sessions: {
      active: { agent },
      another: (name: string) => (did.push(`new session with ${name}`), live),
      submit: async ({ text }: { readonly text: string }, item: unknown) => void did.push([text, item === live]),
      openSession: async (id: string) => (did.push(`opened ${id}`), true),
    } as never,
    panels: { reveal: async () => void did.push('revealed') } as never,
    store: { save: async (made) => ({ ...made, id: '1' }) as never },
    changedBy: () => changed,
    toPanel: async (text, [made]) => void did.push(['panel', text, made?.label]),
    showAgents: async () => void did.push('agents'),
  });
  return { inline, did };
}

it('a question is a new session, and what came of it is told with a way into the panel', async () => {
  const { inline, did } = desk({ changed: ['a.ts', 'b.ts'] });
  ui.choose = 'Open in Panel';
  await inline.ask();
  expect(did).toEqual(['new session with One', ['Use a map\n\nThis is about a.ts:3-5.', true], 'opened s', 'revealed']);
  expect(ui.told).toEqual(['One is working on a.ts:3-5', 'One changed a.ts, b.ts.']);
});

it('a question that changed nothing says so', async () => {
  await desk({ hasFailed: true }).inline.ask();
  expect(ui.told.at(-1)).toBe('One changed nothing.');
});

it('Cancel stops the turn, and says nothing where nothing was changed', async () => {
  const { inline, did } = desk();
  ui.cancel = true;
  await inline.ask();
  expect(did).toContain('stopped');
  expect(ui.told).toEqual(['One is working on a.ts:3-5']);
});

it('the box can be left, or moved to the panel', async () => {
  const { inline, did } = desk();
  ui.act = 'hide';
  await inline.ask();
  ui.act = 'accept';
  ui.text = '  ';
  await inline.ask();
  expect(did).toEqual([]);
  ui.act = 'button';
  await inline.ask();
  expect(did).toEqual([['panel', '', 'a.ts:3-5']]);
});

it('without an editor or an agent nothing is asked', async () => {
  const { inline, did } = desk({ agent: '' });
  await inline.ask();
  ui.editor = undefined;
  await inline.ask();
  expect([did, ui.told]).toEqual([['agents'], ['Open an editor to ask here.']]);
});
