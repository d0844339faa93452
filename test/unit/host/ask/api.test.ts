import { beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { Api } from '../../../../src/host/ask/api';
import type { ApiUpdate } from '../../../../src/host/ask/parleyApi';
import type { ThreadAction } from '../../../../src/thread/actions';

const trust = vi.hoisted(() => ({ isTrusted: true }));
vi.mock('vscode', () => ({
  Disposable: class {
    constructor(readonly dispose: () => void) {}
  },
  extensions: { all: [{ id: 'acme.tool', extensionPath: '/x/acme', packageJSON: { displayName: 'Tool' } }] },
  workspace: trust,
  window: {},
}));
beforeEach(() => void (trust.isTrusted = true));

const context = { extension: { id: 'acme.tool' }, extensionPath: '/x/acme' };

function desk({ request = true, agrees = true } = {}) {
  const did: unknown[] = [];
  const access = { isAllowed: request };
  const registered: { readonly name: string; readonly extension?: string }[] = [];
  const acted = new Emitter<ThreadAction>();
  const ended = new Emitter<{ readonly stopReason: string }>();
  const live = {
    id: 's',
    agent: 'One',
    session: {
      takesPrompt: true,
      thread: { entries: { length: 0, at: () => undefined } },
      onDidAct: acted.event,
      onDidEndTurn: ended.event,
      notify: ({ title }: { readonly title: string }) => did.push(title),
    },
    submit: async (draft: { readonly text: string; readonly attachments: readonly { readonly label: string }[] }) => {
      did.push([draft.text, ...draft.attachments.map(({ label }) => label)]);
      const said = (text: string) =>
        ({ type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text } }) as ThreadAction;
      acted.fire(said('Hello'));
      acted.fire({ ...said('hidden thought'), role: 'thought' } as ThreadAction);
      acted.fire({ type: 'toolCall/patched', at: 1, fields: { toolCallId: 't', title: 'Read', status: 'completed' } });
      acted.fire({
        type: 'permission/requested',
        at: 1,
        requestId: 'r',
        fields: { toolCallId: 't', title: 'Push' },
        options: [],
      });
      ended.fire({ stopReason: 'end_turn' });
    },
    stop: () => did.push('stopped'),
  };
  const agents = ['One', 'Two'];
  const api = new Api({
    access: {
      has: () => access.isAllowed,
      request: async () => access.isAllowed,
      agreeTo: async (_, { command }) => (did.push(`asked about ${command}`), agrees),
    },
    agents: {
      all: () => [...agents.map((name) => ({ name })), ...registered] as never,
      named: (name) => (agents.includes(name) ? ({ name } as never) : undefined),
      register: (agent) => {
        registered.push(agent);
        return { dispose: () => void registered.splice(0) };
      },
    },
    sessions: {
      active: { agent: 'One' },
      another: (name: string) => (did.push(`session with ${name}`), live),
      find: () => live,
      openSession: async () => true,
    } as never,
    panels: {
      active: { draft: { add: async ({ label }: { readonly label: string }) => void did.push(`added ${label}`) } },
      reveal: async () => void did.push('revealed'),
    } as never,
    store: { save: async (made) => ({ ...made, id: '1' }) as never },
  });
  return { api, did, access, live, registered };
}

it('a session of an extension takes prompts, tells what happens, and says who opened it', async () => {
  const { api, did } = desk();
  const parley = await api.getApi(1, context);
  expect([parley.version, parley.agents()]).toEqual([1, ['One', 'Two']]);
  const session = parley.openSession();
  const updates: ApiUpdate[] = [];
  session.onDidUpdate((update) => updates.push(update));
  const answer = await session.prompt('Do it', [{ label: 'Log', text: 'failed' }]);
  expect(answer).toEqual({ stopReason: 'end_turn', text: '' });
  await session.prompt('Again');
  expect(updates.slice(0, 4)).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'toolCall', id: 't', title: 'Read', status: 'completed' },
    { type: 'permission', title: 'Push' },
    { type: 'end', stopReason: 'end_turn' },
  ]);
  expect(did).toEqual(['session with One', 'The extension “Tool” opened this session', ['Do it', 'Log'], ['Again']]);
});

it('a version or an extension that is unknown, and a user who says no', async () => {
  await expect(desk().api.getApi(2, context)).rejects.toThrow('no API of version 2');
  await expect(desk().api.getApi(1, {})).rejects.toThrow('ExtensionContext');
  await expect(desk({ request: false }).api.getApi(1, context)).rejects.toThrow('may not use Parley');
});

it('after the access was taken back nothing works, and nothing more is told', async () => {
  const { api, access, did, live } = desk();
  const parley = await api.getApi(1, context);
  const session = parley.openSession('Two');
  const updates: unknown[] = [];
  session.onDidUpdate((update) => updates.push(update));
  access.isAllowed = false;
  did.length = 0;
  expect(() => parley.agents()).toThrow('any more');
  expect(() => parley.openSession()).toThrow('any more');
  await expect(parley.addContext({ label: 'a', text: 'b' })).rejects.toThrow('any more');
  await expect(parley.registerAgent({ name: 'N', command: '/bin/n' })).rejects.toThrow('any more');
  await expect(session.prompt('Do it')).rejects.toThrow('any more');
  await expect(session.show()).rejects.toThrow('any more');
  expect(() => session.stop()).toThrow('any more');
  await live.submit({ text: 'the user', attachments: [] });
  expect([updates, did]).toEqual([[], [['the user']]]);
});

it('nothing is sent in Restricted Mode, while a turn runs, or without words', async () => {
  const { api, live, did } = desk();
  const session = (await api.getApi(1, context)).openSession();
  await expect(session.prompt('  ')).rejects.toThrow('characters');
  await expect(session.prompt('x'.repeat(1_000_001))).rejects.toThrow('characters');
  await expect(session.prompt(3 as never)).rejects.toThrow('characters');
  live.session.takesPrompt = false;
  await expect(session.prompt('Do it')).rejects.toThrow('A turn runs');
  trust.isTrusted = false;
  await expect(session.prompt('Do it')).rejects.toThrow('Restricted Mode');
  expect(did).toEqual(['session with One']);
});

it('a session needs an agent that is there', async () => {
  const { api } = desk();
  const parley = await api.getApi(1, context);
  expect(() => parley.openSession('Nobody')).toThrow('no agent Nobody');
});

it('an agent is added after the user agreed to its command, and goes with its extension', async () => {
  const { api, did, registered } = desk();
  const parley = await api.getApi(1, context);
  const added = await parley.registerAgent({ name: 'Helper', command: '/bin/helper', args: ['--acp'] });
  expect(did).toEqual(['asked about /bin/helper']);
  expect(registered).toMatchObject([{ name: 'Helper', command: '/bin/helper', args: ['--acp'], extension: 'Tool' }]);
  added.dispose();
  expect(parley.agents()).toEqual(['One', 'Two']);
});

it.each([
  ['a name that is taken', { name: 'one', command: '/bin/x' }, 'There is an agent'],
  ['no name', { name: ' ', command: '/bin/x' }, 'ordinary characters'],
  ['a name that hides something', { name: 'A\u202Eb', command: '/bin/x' }, 'ordinary characters'],
  ['a name of a program', { name: 'Helper', command: 'helper' }, 'absolute path'],
  ['arguments that are none', { name: 'Helper', command: '/bin/x', args: [3] }, 'args must be a list of strings'],
])('an agent with %s is refused without a question', async (_, agent, words) => {
  const { api, did } = desk();
  const parley = await api.getApi(1, context);
  await expect(parley.registerAgent(agent as never)).rejects.toThrow(words);
  expect(did).toEqual([]);
});

it('an agent that the user does not want is not added', async () => {
  const { api, registered } = desk({ agrees: false });
  await expect((await api.getApi(1, context)).registerAgent({ name: 'Helper', command: '/bin/x' })).rejects.toThrow(
    'does not want',
  );
  expect(registered).toEqual([]);
});

it('context is added to the message box, and nothing is sent', async () => {
  const { api, did } = desk();
  await (await api.getApi(1, context)).addContext({ label: 'Log', text: 'failed' });
  expect(did).toEqual(['added Log', 'revealed']);
});
