import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentConnection, VersionMismatch } from '../../../src/acp/agentConnection';
// Loaded here, so that the first answer of session/list does not wait for it.
// oxlint-disable-next-line import/no-unassigned-import
import '../../../src/acp/decodeSessions';
import { AcpError } from '../../../src/acp/errors';
import { AgentMethods } from '../../../src/acp/methods';
import { wireSchema } from '../../fakes/wireSchema';
import { type FuzzedSession, withSession } from './fuzzedSession';
import { anyJson, mutated, runs } from './mutations';
import { samplesOf } from './samples';

/** Everything that we ask of an agent. */
const calls: Record<string, (connection: AgentConnection) => Promise<unknown>> = {
  initialize: (connection) => connection.initialize(),
  authenticate: (connection) => connection.authenticate('a'),
  logout: (connection) => connection.logout(),
  'session/new': (connection) => connection.newSession({ cwd: '/w', mcpServers: [] }),
  'session/resume': (connection) => connection.resumeSession({ sessionId: 's1', cwd: '/w' }),
  'session/load': (connection) => connection.loadSession({ sessionId: 's1', cwd: '/w', mcpServers: [] }),
  'session/list': (connection) => connection.listSessions('/w'),
  'session/delete': (connection) => connection.deleteSession('s1'),
  'session/close': (connection) => connection.closeSession('s1'),
  'session/fork': (connection) => connection.forkSession({ sessionId: 's1', cwd: '/w', mcpServers: [] }),
  'session/archive': (connection) => connection.archiveSession('s1'),
  'session/unarchive': (connection) => connection.unarchiveSession('s1'),
  'session/set_title': (connection) => connection.setTitle('s1', 'A title'),
  'session/prompt': (connection) => connection.prompt('s1', [{ type: 'text', text: 'hi' }]),
  'session/set_mode': (connection) => connection.setMode('s1', 'ask'),
  'session/set_config_option': (connection) => connection.setConfigOption('s1', 'model', 'deep'),
};

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A call that is under way. @returns its id on the wire, and how it has ended as soon as it has. */
async function begin(
  fuzzed: FuzzedSession,
  method: string,
): Promise<{ id: unknown; outcome: () => Outcome | undefined }> {
  let outcome: Outcome | undefined;
  calls[method]!(fuzzed.link.connection).then(
    (value) => (outcome = { value }),
    (error: unknown) => (outcome = { error }),
  );
  await fuzzed.link.settle();
  return { id: fuzzed.link.sent.at(-1)!['id'], outcome: () => outcome };
}

describe('fuzzed answers of an agent', () => {
  it('are those to every request that we make', () => {
    const requests = Object.values(AgentMethods).filter((method) => wireSchema().result('agent', method));
    expect(Object.keys(calls).sort()).toEqual(requests.sort());
  });

  it.each(Object.keys(calls))('17, 18: any JSON anywhere in the result of %s settles the call', async (method) => {
    await fc.assert(
      fc.asyncProperty(mutated(samplesOf(method, 'result')), (result) =>
        withSession(async (fuzzed) => {
          const call = await begin(fuzzed, method);
          await fuzzed.hear([{ jsonrpc: '2.0', id: call.id, result }]);
          expectSettled(call.outcome());
          fuzzed.expectWhole();
        }),
      ),
      runs,
    );
  });

  it('17, 19: any JSON anywhere in an error settles the call with an error', async () => {
    const errors = mutated([
      { code: -32603, message: 'some message', data: { details: 'some', retryAfter: 1 } },
    ]).filter((error) => error !== null);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(calls)), errors, (method, error) =>
        withSession(async (fuzzed) => {
          const call = await begin(fuzzed, method);
          await fuzzed.hear([{ jsonrpc: '2.0', id: call.id, error }]);
          expectSettled(call.outcome());
          fuzzed.expectWhole();
        }),
      ),
      runs,
    );
  });

  it('82, 205: any error of a prompt is told in the thread', async () => {
    const errors = mutated([
      {
        code: -32603,
        message: 'some message',
        data: { details: 'some', reason: 'some', retryAfter: 1, errorKind: 'some' },
      },
    ]).filter((error) => error !== null);
    await fc.assert(
      fc.asyncProperty(errors, (error) =>
        withSession(async (fuzzed) => {
          void fuzzed.session.prompt([{ type: 'text', text: 'hi' }]);
          await fuzzed.link.settle();
          await fuzzed.hear([{ jsonrpc: '2.0', id: fuzzed.link.sent.at(-1)!['id'], error }]);
          // What comes after the answer is work without a prompt.
          expect(fuzzed.session.takesPrompt).toBe(true);
          expect(
            [...fuzzed.session.thread.entries].filter((entry) => entry.kind === 'notice' && !entry.beginsTurn),
          ).toHaveLength(1);
          fuzzed.expectWhole();
        }),
      ),
      runs,
    );
  });

  it('10, 16, 20: an answer settles the call whose id it has, and no other', async () => {
    const near = fc.tuple(
      fc.constantFrom<(id: number) => unknown>(
        (id) => id,
        String,
        (id) => id + 0.5,
        (id) => -id,
        (id) => [id],
        (id) => ({ id }),
        (id) => ` ${id}`,
        (id) => `${id}.0`,
        (id) => `0x${id}`,
        () => null,
        () => undefined,
      ),
      fc.constantFrom(0, 1),
    );
    const envelope = fc.record({
      jsonrpc: fc.oneof(
        { weight: 4, arbitrary: fc.constant('2.0') },
        { weight: 1, arbitrary: fc.constantFrom('1.0', 2, undefined) },
      ),
      result: fc.option(anyJson, { nil: undefined }),
      error: fc.option(anyJson, { nil: undefined }),
      method: fc.option(anyJson, { nil: undefined, freq: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(near, envelope, ([idOf, which], rest) =>
        withSession(async (fuzzed) => {
          const both = [await begin(fuzzed, 'session/prompt'), await begin(fuzzed, 'session/set_mode')];
          const own = both[which]!.id as number;
          const id = idOf(own);
          // As JSON has it: what is undefined is not there.
          const message = JSON.parse(JSON.stringify({ id, ...rest })) as Record<string, unknown>;
          await fuzzed.hear([message]);
          // Some agents write all fields, with null for those that a message has not.
          const isAnswer =
            message['jsonrpc'] === '2.0' && (message['method'] ?? null) === null && (id === own || id === String(own));
          expect(both.map((call) => call.outcome() !== undefined)).toEqual(
            both.map((_, index) => isAnswer && index === which),
          );
          // What was not answered still can be, and a second answer changes nothing.
          await fuzzed.hear(
            both.map((call) => ({ jsonrpc: '2.0', id: call.id, result: { stopReason: 'max_tokens' } })),
          );
          for (const call of both) expectSettled(call.outcome());
          if (!isAnswer) expect(both[0]!.outcome()).toMatchObject({ value: { stopReason: 'max_tokens' } });
          fuzzed.expectWhole();
        }),
      ),
      { ...runs, numRuns: 4 * runs.numRuns },
    );
  });
});

/** Settled, and if with an error then with one that can be shown. */
function expectSettled(outcome: Outcome | undefined): void {
  expect(outcome).toBeDefined();
  if (!outcome || 'value' in outcome) return;
  const { error } = outcome;
  expect(error instanceof AcpError || error instanceof VersionMismatch, String(error)).toBe(true);
  expect((error as Error).message).not.toBe('');
  if (error instanceof AcpError) expect(Number.isInteger(error.code)).toBe(true);
}
