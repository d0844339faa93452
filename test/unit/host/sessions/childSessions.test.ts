import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { decodeUpdate, type ToolCallFields } from '../../../../src/acp/decodeUpdate';
import { decodeUpdateV2 } from '../../../../src/acp/v2/decodeUpdateV2';
import { neverCancelled } from '../../../../src/base/cancellation';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { SessionRouter } from '../../../../src/host/sessions/sessionRouter';
import { threadToMarkdown } from '../../../../src/thread/markdown';
import { Session } from '../../../../src/thread/session';
import type { ToolCall } from '../../../../src/thread/thread';
import { backgroundWork } from '../../../../src/view/backgroundWork';
import { pendingQuestions } from '../../../../src/view/pendingQuestions';
import { FakeClock } from '../../../fakes/fakeClock';

const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('unused')) }) as never;
const text = (words: string) => ({ type: 'text', text: words });
const options = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
] as const;

let clock: FakeClock;
let session: Session;
let agent: ReturnType<SessionRouter['handlersFor']>;
let router: SessionRouter;
let wire: string[];
let prompts: Deferred<{ stopReason: string; receivedAt: number }>[];

beforeEach(() => {
  clock = new FakeClock();
  [wire, prompts] = [[], []];
  session = new Session('local', clock, silentLogger);
  session.attach(
    {
      sessionId: 'root',
      link: {
        prompt: () => {
          prompts.push(new Deferred());
          return prompts.at(-1)!.promise;
        },
        cancel: async (sessionId: string) => void wire.push(`cancel ${sessionId}`),
      } as never,
    },
    nothingOffered,
    true,
  );
  router = new SessionRouter(unused, unused, silentLogger);
  router.register('a#1', 'root', session);
  agent = router.handlersFor('a#1');
});

/** An update of version 1, as it comes over the wire. */
const hear = (sessionId: string, update: object) => {
  const { value } = decodeUpdate(update);
  agent.sessionUpdate(sessionId, value!, clock.now());
};
const subagent = (sessionId: string, fields: object = {}) => ({
  sessionUpdate: 'subagent_update',
  sessionId,
  ...fields,
});
const state = (name: string, stopReason?: string) => ({
  state: { state: name, ...(stopReason ? { stopReason } : {}) },
});
const calls = () => [...session.thread.entries].filter((entry): entry is ToolCall => entry.kind === 'toolCall');
const card = (title: string) => calls().find((call) => call.title === title)!;
const prompt = () => void session.prompt([{ type: 'text', text: 'go' }]);
async function endTurn() {
  prompts.at(-1)!.resolve({ stopReason: 'end_turn', receivedAt: clock.now() });
  await Promise.resolve();
  for (let i = 0; i < 20; i++) await Promise.resolve();
  expect(session.isRunning).toBe(false);
}
async function begin(fields: object = {}) {
  prompt();
  for (let i = 0; i < 20; i++) await Promise.resolve();
  hear('root', subagent('c', { title: 'Review', description: 'general', ...state('running'), ...fields }));
}

describe('a subagent with a session of its own', () => {
  it('is a call with its instruction, its report, its tokens and all that it says and does', async () => {
    await begin({ capabilities: { cancel: {} } });
    hear('root', {
      sessionUpdate: 'session_message',
      messageId: 'm',
      senderSessionId: 'root',
      recipientSessionId: 'c',
      content: [text('Read a.ts')],
    });
    // Its own view of the same message, and what describes its session, say nothing new.
    hear('c', {
      sessionUpdate: 'session_message',
      messageId: 'm',
      senderSessionId: 'root',
      recipientSessionId: 'c',
      content: [text('Read a.ts')],
    });
    hear('c', { sessionUpdate: 'user_message_chunk', content: text('Read a.ts') });
    hear('c', { sessionUpdate: 'session_info_update', title: 'Its own title' });
    hear('c', { sessionUpdate: 'current_mode_update', currentModeId: 'x' });
    hear('c', { sessionUpdate: 'agent_message_chunk', content: text('Reading') });
    hear('c', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a.ts', status: 'in_progress' });
    hear('c', { sessionUpdate: 'usage_update', used: 1_200, size: 9_000 });
    hear('root', {
      sessionUpdate: 'session_message',
      messageId: 'r',
      senderSessionId: 'c',
      recipientSessionId: 'root',
    });
    for (const part of ['All ', 'is well'])
      hear('root', { sessionUpdate: 'session_message_chunk', messageId: 'r', content: text(part) });
    const { id, rawInput, content, tokens, canCancel, status, toolKind } = card('Review');
    expect({ rawInput, tokens, canCancel, status, toolKind }).toEqual({
      rawInput: { description: 'general', prompt: 'Read a.ts' },
      tokens: 1_200,
      canCancel: true,
      status: 'in_progress',
      toolKind: 'think',
    });
    expect(content.map((item) => item.type === 'content' && item.content)).toEqual([text('All '), text('is well')]);
    expect(card('Read a.ts').parentId).toBe(id);
    expect(session.thread.title).toBeUndefined();
    expect(session.thread.usage).toBeUndefined();
    expect(threadToMarkdown(session.thread)).toContain(`## Agent (in ${id})\nReading`);
  });

  it.each([
    [state('idle', 'end_turn'), 'completed'],
    [state('idle'), 'completed'],
    [state('idle', 'cancelled'), 'cancelled'],
    [state('idle', 'error'), 'failed'],
    [state('requires_action'), 'in_progress'],
    [state('_later'), 'in_progress'],
    // The state is not known any more, which is no end.
    [{ state: null }, 'in_progress'],
  ])('%j is %s', async (said, status) => {
    await begin();
    hear('root', subagent('c', said));
    expect(card('Review').status).toBe(status);
  });

  it('tells its state in its own session in version 2', async () => {
    await begin();
    const { value } = decodeUpdateV2({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' });
    agent.sessionUpdate('c', value!, clock.now());
    expect(card('Review').status).toBe('cancelled');
    expect(session.isRunning).toBe(true);
  });

  it('may have subagents, and cannot be above itself or below two sessions', async () => {
    await begin();
    hear('c', subagent('d', { title: 'Deeper', ...state('running') }));
    hear('d', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', status: 'completed' });
    expect(card('Deeper').parentId).toBe(card('Review').id);
    expect(card('Look').parentId).toBe(card('Deeper').id);
    for (const [above, below] of [
      ['d', 'c'],
      ['d', 'root'],
      ['d', 'd'],
      ['root', 'd'],
    ] as const)
      hear(above, subagent(below, { title: 'Twisted' }));
    expect(calls().map(({ title }) => title)).toEqual(['Review', 'Deeper', 'Look']);
  });

  it('never takes over a session of the user', async () => {
    const other = new Session('other', clock, silentLogger);
    router.register('a#1', 'other', other);
    await begin();
    hear('root', subagent('other', { title: 'Mine' }));
    hear('other', { sessionUpdate: 'agent_message_chunk', content: text('hello') });
    expect(calls()).toHaveLength(1);
    expect(other.thread.entries.length).toBe(1);
  });

  it('asks in its name, and its question outlives the turn', async () => {
    await begin();
    const ask = (): Promise<RequestPermissionResponse> =>
      agent.requestPermission(
        { sessionId: 'c', toolCall: { toolCallId: 'p', title: 'Run tests' } as ToolCallFields, options },
        neverCancelled,
      );
    const answer = ask();
    expect(pendingQuestions(session.thread, '/w')).toMatchObject([{ subagent: 'Review', title: 'Run tests' }]);
    await endTurn();
    const [question] = pendingQuestions(session.thread, '/w');
    expect(session.selectPermission(question!.requestId, 'y')).toBe(true);
    expect(await answer).toEqual({ outcome: { outcome: 'selected', optionId: 'y' } });
  });

  it('goes on after its turn and after Stop, can be stopped alone, and ends with its agent', async () => {
    await begin({ capabilities: { cancel: {} } });
    hear('c', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a.ts', status: 'in_progress' });
    session.cancel();
    await endTurn();
    for (const title of ['Review', 'Read a.ts']) expect(card(title)).not.toHaveProperty('localEnd');
    const { id } = card('Review');
    expect(backgroundWork(session.thread, [])).toMatchObject([
      { kind: 'subagent', title: 'Review', entryId: id, stop: { entryId: id } },
    ]);
    await session.cancelToolCall(id);
    expect(wire).toEqual(['cancel root', 'cancel c']);
    hear('root', subagent('c', { capabilities: null }));
    await session.cancelToolCall(id);
    expect(wire).toHaveLength(2);
    session.detach();
    expect(card('Review')).toMatchObject({ localEnd: 'unfinished' });
    expect(backgroundWork(session.thread, [])).toEqual([]);
  });

  it('that works again in a later turn has another card', async () => {
    await begin();
    hear('root', subagent('c', state('idle')));
    // Again within the turn: the same card.
    hear('root', subagent('c', state('running')));
    expect(calls()).toHaveLength(1);
    hear('root', subagent('c', state('idle')));
    await endTurn();
    prompt();
    for (let i = 0; i < 20; i++) await Promise.resolve();
    hear('root', subagent('c', state('running')));
    hear('c', { sessionUpdate: 'tool_call', toolCallId: 'u', title: 'Read b.ts', status: 'in_progress' });
    const [first, second] = calls();
    expect([first, second].map((call) => [call!.title, call!.status])).toEqual([
      ['Review', 'completed'],
      ['Review', 'in_progress'],
    ]);
    expect(card('Read b.ts').parentId).toBe(second!.id);
  });

  it('an agent that ends takes its subagents along', async () => {
    await begin();
    router.forgetAgent('a#1');
    router.register('a#1', 'root', session);
    hear('c', { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Late', status: 'completed' });
    expect(calls()).toHaveLength(1);
  });
});
