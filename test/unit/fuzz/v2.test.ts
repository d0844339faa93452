import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
// Loaded here, so that the first answer of session/list does not wait for it.
// oxlint-disable-next-line import/no-unassigned-import
import '../../../src/acp/decodeSessions';
import { type AgentConnection, VersionMismatch } from '../../../src/acp/agentConnection';
import { AcpError } from '../../../src/acp/errors';
import { AgentMethodsV2 } from '../../../src/acp/v2/connectionV2';
import { wireSchema } from '../../fakes/wireSchema';
import { type FuzzedSession, withSession } from './fuzzedSession';
import { mutated, runs } from './mutations';
import { methodsOf, samplesOf } from './samples';

const schema = wireSchema(2);
const updates = samplesOf('session/update', 'params', 2);
const kinds = [...new Set(updates.map(({ update }) => String(update.sessionUpdate)))];
const requests = methodsOf('client', 2).filter((method) => schema.result('client', method));
const idle = {
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' } },
};

/** Everything that we ask of an agent of v2. */
const calls: Record<string, (connection: AgentConnection) => Promise<unknown>> = {
  initialize: (connection) => connection.initialize(),
  'auth/login': (connection) => connection.authenticate('m'),
  'auth/logout': (connection) => connection.logout(),
  'session/new': (connection) => connection.newSession({ cwd: '/w', mcpServers: [] }),
  'session/resume': (connection) => connection.loadSession({ sessionId: 's1', cwd: '/w', mcpServers: [] }),
  'session/list': (connection) => connection.listSessions('/w'),
  'session/delete': (connection) => connection.deleteSession('s1'),
  'session/close': (connection) => connection.closeSession('s1'),
  'session/fork': (connection) => connection.forkSession({ sessionId: 's1', cwd: '/w', mcpServers: [] }),
  'session/archive': (connection) => connection.archiveSession('s1'),
  'session/unarchive': (connection) => connection.unarchiveSession('s1'),
  'session/set_title': (connection) => connection.setTitle('s1', 'A title'),
  'session/prompt': (connection) => connection.prompt('s1', [{ type: 'text', text: 'hi' }]),
  'session/set_config_option': (connection) => connection.setConfigOption('s1', 'model', 'deep'),
  'tool_call/cancel': (connection) => connection.cancelToolCall!('s1', 't1'),
  'terminal/cancel': (connection) => connection.cancelTerminal!('s1', 't1'),
};

/*
 * The laws of fuzzed messages for the draft of version 2: nothing is thrown, nothing valid is lost, each request gets
 * one answer.
 */
describe('fuzzed messages of an agent of v2', () => {
  it.each(methodsOf('client', 2))('the samples of %s obey the schema', (method) => {
    const validate = schema.params('agent', method)!;
    for (const sample of samplesOf(method, 'params', 2))
      expect(
        validate(JSON.parse(JSON.stringify(sample))),
        `${JSON.stringify(sample)} ${JSON.stringify(validate.errors)}`,
      ).toBe(true);
  });

  it('193: the samples have every kind of update', () => expect(kinds.length).toBeGreaterThanOrEqual(19));

  it.each(kinds)('193: any JSON anywhere in %s', async (kind) => {
    const notification = mutated(updates.filter(({ update }) => update.sessionUpdate === kind)).map((params) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params,
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(notification, { minLength: 1, maxLength: 20 }), fc.boolean(), (messages, inTurn) =>
        withSession(async (fuzzed) => {
          if (inTurn) void fuzzed.session.prompt([{ type: 'text', text: 'some text and more' }]);
          await fuzzed.hear(messages);
          fuzzed.expectWhole();
          expect(fuzzed.link.sent.filter((message) => message['method'] === undefined)).toEqual([]);
          // Whatever states came, the agent is gone now and nothing goes on.
          fuzzed.session.detach();
          await fuzzed.link.settle();
          fuzzed.expectWhole();
        }, 2),
      ),
      runs,
    );
  });

  it.each(requests)('200, 201: any JSON anywhere in %s', async (method) => {
    const params = mutated(samplesOf(method, 'params', 2));
    await fc.assert(
      fc.asyncProperty(fc.array(params, { minLength: 1, maxLength: 12 }), (all) =>
        withSession(async (fuzzed) => {
          await fuzzed.hear(all.map((each, id) => ({ jsonrpc: '2.0', id, method, params: each })));
          fuzzed.session.detach();
          await fuzzed.link.settle();
          const answers = fuzzed.link.sent.filter((message) => message['method'] === undefined);
          expect(answers.map(({ id }) => id as number).sort((a, b) => a - b)).toEqual(all.map((_, id) => id));
          for (const answer of answers) {
            const validate = 'error' in answer ? schema.error : schema.result('client', method)!;
            expect(validate('error' in answer ? answer['error'] : answer['result']), JSON.stringify(answer)).toBe(true);
          }
          fuzzed.expectWhole();
        }, 2),
      ),
      runs,
    );
  });

  it('every method that we call is fuzzed', () =>
    expect(Object.keys(calls).sort()).toEqual(
      Object.values(AgentMethodsV2)
        .filter((method) => schema.result('agent', method))
        .sort(),
    ));

  it.each(Object.keys(calls))('any JSON anywhere in the result of %s settles the call', async (method) => {
    await fc.assert(
      fc.asyncProperty(mutated(samplesOf(method, 'result', 2)), (result) =>
        withSession(async (fuzzed) => {
          const outcome = await answered(fuzzed, method, { result });
          if ('error' in outcome)
            expect(
              outcome.error instanceof AcpError || outcome.error instanceof VersionMismatch,
              String(outcome.error),
            ).toBe(true);
          fuzzed.expectWhole();
        }, 2),
      ),
      runs,
    );
  });

  it('192, 194: in whatever order states and answers come, a last idle state ends the turn', async () => {
    const states = mutated(updates.filter(({ update }) => update.sessionUpdate === 'state_update')).map((params) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params,
    }));
    const answers = fc.constantFrom<object>(
      { result: { messageId: 'm' } },
      { result: {} },
      { error: { code: -32603, message: 'no' } },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(states, { maxLength: 8 }), answers, fc.nat(8), (messages, answer, at) =>
        withSession(async (fuzzed) => {
          void fuzzed.session.prompt([{ type: 'text', text: 'hi' }]);
          await fuzzed.link.settle();
          const id = fuzzed.link.sent.at(-1)!['id'];
          await fuzzed.hear([...messages.slice(0, at), { jsonrpc: '2.0', id, ...answer }, ...messages.slice(at)]);
          fuzzed.session.cancel();
          await fuzzed.hear([idle]);
          expect(fuzzed.session.isRunning).toBe(false);
          expect(fuzzed.link.sent.filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
          fuzzed.expectWhole();
        }, 2),
      ),
      { ...runs, numRuns: 4 * runs.numRuns },
    );
  });
});

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Makes a call and answers it. @returns how it ended, which it must have. */
async function answered(fuzzed: FuzzedSession, method: string, answer: object): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  calls[method]!(fuzzed.link.connection).then(
    (value) => outcomes.push({ value }),
    (error: unknown) => outcomes.push({ error }),
  );
  await fuzzed.link.settle();
  await fuzzed.hear([{ jsonrpc: '2.0', id: fuzzed.link.sent.at(-1)!['id'], ...answer }]);
  expect(outcomes).toHaveLength(1);
  return outcomes[0]!;
}
