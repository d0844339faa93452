import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LiveSession } from '../../src/host/sessions/liveSession';
import type { UserMessage } from '../../src/thread/thread';
import { shownEntries } from '../../src/thread/rewind';
import type { Options } from '../fakes/agent/options.mjs';
import { MemoryState } from '../fakes/memoryState';
import { agentConfiguration, runningAgent } from '../fakes/runningAgent';
import { sessionRouter } from '../fakes/sessionRouter';
import { sessionServices } from '../fakes/sessionServices';
import { startLink } from './harness';
import { waitUntil } from './waitUntil';

vi.mock('vscode', async () => ({
  ...(await import('../fakes/fakeVscode')),
  workspace: { isTrusted: true, workspaceFolders: undefined },
}));

/* What an agent gets when the user goes back to before a prompt, and when they take that back. */

const draft = (text: string) => ({ text, mentions: [], attachments: [] });
const resumes = { initializePatch: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } } };

/** A session of the extension host on a fake agent. */
async function open(agent: Options = {}, beforePrompt = () => {}) {
  const router = sessionRouter();
  const link = startLink({ agent, handlers: router.handlersFor('fake#1', () => undefined) });
  const features = await link.connection.initialize();
  const running = runningAgent(link.connection, { name: 'Fake', features, routeKey: 'fake#1' });
  const state = new MemoryState();
  const block = ({ text }: { readonly text: string }) => [{ type: 'text' as const, text }];
  const services = sessionServices({
    storage: { state },
    router,
    configured: { named: (name) => ({ ...agentConfiguration(name), cwd: link.folder }) },
    processes: { running: () => running, start: async () => running },
    prompts: {
      shown: block,
      build: async (prompt) => block(prompt),
      lastOf: () => undefined,
      draftOf: ({ parts }: UserMessage) =>
        draft([...parts].map((part) => (part.type === 'text' ? part.text : '')).join('')),
    },
    turns: { begin: async () => beforePrompt() },
  });
  const live = new LiveSession({ id: 'ours', agent: 'Fake', cwd: link.folder, roots: [link.folder] }, services);
  onTestFinished(() => live.dispose());
  /** What was said in the conversation, without the notices. */
  const said = () =>
    [...shownEntries(live.session.thread)].flatMap((entry) =>
      entry.kind === 'userMessage' || entry.kind === 'agentMessage'
        ? [[...entry.parts].map((part) => (part.type === 'text' ? part.text : '')).join('')]
        : [],
    );
  const prompts = () =>
    link.sent('session/prompt').map(
      ({ params }) =>
        params as {
          readonly sessionId: string;
          readonly prompt: readonly { readonly type: string; readonly text?: string }[];
        },
    );
  const methods = () => link.sent().flatMap(({ method }) => (method ? [String(method)] : []));
  return { live, link, said, prompts, methods, index: services.storage.index };
}

describe('going back to before a prompt', () => {
  test('the agent gets what is left in a new session with the next prompt, once', async () => {
    const { live, said, prompts, methods } = await open();
    for (const text of ['@@SAY first', '@@SAY second', '@@SAY third']) await live.submit(draft(text));
    await live.rewind('e2', { title: 'Back', detail: '', save: 'files' });
    expect(said()).toEqual(['@@SAY first', 'first']);
    await live.submit(draft('@@SAY other'));
    await live.submit(draft('@@SAY more'));
    expect(said()).toEqual(['@@SAY first', 'first', '@@SAY other', 'other', '@@SAY more', 'more']);
    expect(methods().filter((method) => method !== 'session/prompt')).toEqual([
      'initialize',
      'session/new',
      'session/close',
      'session/new',
    ]);
    const [, , , fourth, fifth] = prompts();
    expect([fourth!.sessionId, fifth!.sessionId]).toEqual(['fake-2', 'fake-2']);
    expect(fourth!.prompt).toHaveLength(2);
    expect(JSON.stringify(fourth!.prompt[0])).toContain('## User\\n@@SAY first\\n\\n## Agent\\nfirst');
    expect(JSON.stringify(fourth!.prompt[0])).not.toMatch(/second|third|SAY other/);
    expect(fourth!.prompt[1]!.text).toBe('@@SAY other');
    expect(fifth!.prompt.map(({ text }) => text)).toEqual(['@@SAY more']);
  });

  test('before the first prompt nothing is left, and nothing is told', async () => {
    const { live, prompts } = await open();
    await live.submit(draft('@@SAY first'));

    await live.rewind('e0', { title: 'Back', detail: '' });
    await live.submit(draft('@@SAY again'));
    expect(prompts()[1]).toEqual({ sessionId: 'fake-2', prompt: [{ type: 'text', text: '@@SAY again' }] });
  });

  test('a session that was not told of the conversation is not gone on with after a restart', async () => {
    const { live, prompts, methods } = await open(resumes);
    await live.submit(draft('@@SAY first'));
    await live.submit(draft('@@SAY second'));
    await live.rewind('e2', { title: 'Back', detail: '' });
    await live.connection.close();
    await live.submit(draft('@@SAY other'));
    expect(methods().filter((method) => method !== 'session/prompt')).toEqual([
      'initialize',
      'session/new',
      'session/close',
      'session/new',
      'session/close',
      'session/new',
    ]);
    expect(prompts()[2]!.sessionId).toBe('fake-3');
    expect(prompts()[2]!.prompt[0]!.text).toContain('first');
  });

  test('Redo goes on in the session that knows all of it', async () => {
    const { live, said, prompts, methods } = await open(resumes);
    await live.submit(draft('@@SAY first'));
    await live.submit(draft('@@SAY second'));
    await live.rewind('e2', { title: 'Back', detail: '' });
    await live.submit(draft('@@SAY other'));
    await live.undoRewind();
    expect(said()).toEqual(['@@SAY first', 'first', '@@SAY second', 'second']);
    await live.submit(draft('@@SAY third'));
    expect(methods().slice(-3)).toEqual(['session/close', 'session/resume', 'session/prompt']);
    expect(prompts().at(-1)).toEqual({ sessionId: 'fake-1', prompt: [{ type: 'text', text: '@@SAY third' }] });
  });

  test('after Redo an agent that cannot resume gets all of it in a new session, unasked', async () => {
    const { live, prompts } = await open({ initializePatch: { agentCapabilities: {} } });
    await live.submit(draft('@@SAY first'));
    await live.submit(draft('@@SAY second'));
    await live.rewind('e2', { title: 'Back', detail: '' });
    await live.undoRewind();
    await live.submit(draft('@@SAY third'));
    expect(prompts().at(-1)!.sessionId).toBe('fake-3');
    expect(JSON.stringify(prompts().at(-1)!.prompt[0])).toContain('second');
    await live.submit(draft('@@SAY fourth'));
    expect(prompts().at(-1)!.prompt).toHaveLength(1);
  });

  test('a prompt that is stopped before it is sent asks nothing', async () => {
    let stop = () => {};
    const { live, prompts } = await open({ initializePatch: { agentCapabilities: {} } }, () => stop());
    await live.submit(draft('@@SAY first'));
    await live.connection.close();
    stop = () => live.stop();
    await live.submit(draft('@@SAY second'));
    expect([prompts().length, live.session.thread.turn, live.connection.missingContext]).toEqual([1, undefined, 'ask']);
    expect(
      [...live.session.thread.entries].flatMap((entry) =>
        entry.kind === 'notice' && entry.actions.includes('includeConversation') ? [entry.title] : [],
      ),
    ).toEqual([]);
  });

  test('a running turn is stopped first, and what was chosen is chosen again, the model first', async () => {
    const effort = {
      id: 'effort',
      name: 'Effort',
      category: 'thought_level',
      type: 'select',
      currentValue: 'low',
      options: [
        { value: 'low', name: 'Low' },
        { value: 'high', name: 'High' },
      ],
    };
    const model = {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: 'small',
      options: [
        { value: 'small', name: 'Small' },
        { value: 'large', name: 'Large' },
      ],
    };
    const { live, link, methods } = await open({ configOptions: [effort, model] });
    await live.submit(draft('@@SAY first'));
    await live.session.setOption('config:model', 'large');
    await live.session.setOption('config:effort', 'high');
    const turn = live.submit(draft('@@SILENT'));
    await waitUntil('the prompt', () => link.sent('session/prompt').length === 2);
    await live.halt();
    await turn;
    await live.rewind('e2', { title: 'Back', detail: '' });
    const set = 'session/set_config_option';
    expect(methods()).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
      set,
      set,
      'session/prompt',
      'session/cancel',
      'session/close',
      'session/new',
      set,
      set,
    ]);
    expect(
      link
        .sent(set)
        .slice(2)
        .map(({ params }) => params),
    ).toMatchObject([
      { sessionId: 'fake-2', value: 'large' },
      { sessionId: 'fake-2', value: 'high' },
    ]);
    expect(live.session.thread.options.shown.map(({ current }) => current)).toEqual(
      expect.arrayContaining(['high', 'large']),
    );
  });

  test('a message that is sent after Stop follows the turn, but none that is stopped for going back or closing', async () => {
    const { live, prompts } = await open();
    /**
     * Begins a turn, stops it, and sends a message before it has ended.
     * @returns how many messages are queued then, and how many were sent
     */
    const stopped = async (stop: () => unknown, leave: () => unknown = () => undefined) => {
      const before = prompts().length;
      const turn = live.submit(draft('@@SILENT'));
      await waitUntil('the prompt', () => prompts().length > before);
      const done = stop();
      void live.submit(draft('@@SAY late'));
      await Promise.all([turn, done, leave()]);
      await waitUntil('the end of what follows', () => !live.session.isRunning);
      return [live.queue.clear().length, prompts().length - before];
    };
    expect(await stopped(() => live.stop())).toEqual([0, 2]);
    expect(await stopped(() => live.halt())).toEqual([1, 1]);
    expect(
      await stopped(
        () => live.stop(),
        () => live.close(),
      ),
    ).toEqual([1, 1]);
  });
});

describe('a new session of the agent below a conversation', () => {
  /* What was said has no directives, which the fake agent would follow again. */

  const blocks = (prompts: readonly { readonly prompt: readonly unknown[] }[]) =>
    prompts.map(({ prompt }) => prompt.length);
  const notices = ({ session }: LiveSession) =>
    [...session.thread.entries].flatMap((entry) => (entry.kind === 'notice' ? [entry.title] : []));

  test('gets the conversation with each prompt until it takes one, and is not gone on with before', async () => {
    const { live, link, prompts, index } = await open(resumes);
    for (const text of ['first', 'second']) await live.submit(draft(text));
    await live.rewind('e2', { title: 'Back', detail: '' });
    await live.submit(draft('@@ERROR -32603 no'));
    expect(index.get('ours')?.remoteId).toBeUndefined();
    const turn = live.submit(draft('@@SAY half\n@@SILENT'));
    await waitUntil('the answer', () => index.get('ours')?.remoteId === 'fake-2');
    live.stop();
    await turn;
    await live.submit(draft('@@SAY more'));
    expect(blocks(prompts().slice(2))).toEqual([2, 2, 1]);
    expect(link.sent('session/new')).toHaveLength(2);
  });

  test('gets it once more where it refused to go on, because it has dropped the prompt', async () => {
    const { live, prompts } = await open();
    for (const text of ['first', 'second']) await live.submit(draft(text));
    await live.rewind('e2', { title: 'Back', detail: '' });
    for (const text of ['@@SAY half\n@@STOP refusal', '@@STOP refusal', '@@SAY other', '@@SAY more'])
      await live.submit(draft(text));
    expect(blocks(prompts().slice(2))).toEqual([2, 2, 2, 1]);
  });

  test('gets what the user chose also when the agent is lost before it has the prompt, and the user is asked once', async () => {
    const { live, prompts } = await open({ initializePatch: { agentCapabilities: {} } });
    await live.submit(draft('first'));
    await live.connection.close();
    const turn = live.submit(draft('second'));
    await waitUntil('the question', () => notices(live).includes('Include the earlier conversation?'));
    live.session.detach();
    await (await live.conversation.get()).answer('include');
    await turn;
    for (const text of ['second', 'third']) await live.submit(draft(text));
    expect(blocks(prompts())).toEqual([1, 2, 1]);
    expect(notices(live).filter((title) => title.includes('earlier conversation'))).toEqual([
      'The earlier conversation was included',
    ]);
  });
});
