import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireSchema } from '../../fakes/wireSchema';
import { withSession } from './fuzzedSession';
import { anyJson, mutated, runs } from './mutations';
import { methodsOf, samplesOf } from './samples';

const updates = samplesOf('session/update', 'params');
const requests = methodsOf('client').filter((method) => wireSchema().result('client', method));
const notifications = methodsOf('client').filter((method) => !requests.includes(method));
const kinds = [...new Set(updates.map(({ update }) => String(update.sessionUpdate)))];

/*
 * Whatever an agent says: nothing is thrown, each request gets one answer, nothing else gets any, and nothing beside it
 * is lost.
 */
describe('fuzzed messages of an agent', () => {
  it.each([...methodsOf('client'), ...methodsOf('agent')])('the samples of %s obey the schema', (method) => {
    const [server, sender] = methodsOf('client').includes(method)
      ? (['client', 'agent'] as const)
      : (['agent', 'client'] as const);
    const validate = wireSchema().params(sender, method)!;
    for (const sample of samplesOf(method, 'params'))
      expect(
        validate(JSON.parse(JSON.stringify(sample))),
        `${JSON.stringify(sample)} ${JSON.stringify(validate.errors)}`,
      ).toBe(true);
    const result = wireSchema().result(server, method);
    for (const sample of result ? samplesOf(method, 'result') : [])
      expect(result!(JSON.parse(JSON.stringify(sample)))).toBe(true);
  });

  it('105, 115, 116: the samples have every kind of update', () => expect(kinds.length).toBeGreaterThanOrEqual(14));

  it.each(kinds)('105, 115, 116: any JSON anywhere in %s', async (kind) => {
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
        }),
      ),
      runs,
    );
  });

  it.each(requests)('14, 201: any JSON anywhere in %s', async (method) => {
    const params = mutated(samplesOf(method, 'params'));
    const ids = fc.uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.constantFrom(0, '', '0', 1, '1')), {
      minLength: 1,
      maxLength: 12,
      selector: (id) => JSON.stringify(id),
    });
    await fc.assert(
      fc.asyncProperty(
        ids.chain((list) =>
          fc.tuple(fc.constant(list), fc.array(params, { minLength: list.length, maxLength: list.length })),
        ),
        ([list, all]) =>
          withSession(async (fuzzed) => {
            await fuzzed.hear(list.map((id, index) => ({ jsonrpc: '2.0', id, method, params: all[index] })));
            // Questions wait for the user; when the agent is gone they are answered for it.
            fuzzed.session.detach();
            await fuzzed.link.settle();
            const answers = fuzzed.link.sent.filter((message) => message['method'] === undefined);
            expect(answers.map((message) => JSON.stringify(message['id'])).sort()).toEqual(
              list.map((id) => JSON.stringify(id)).sort(),
            );
            for (const answer of answers) expectValidAnswer(method, answer);
            fuzzed.expectWhole();
          }),
      ),
      runs,
    );
  });

  it('13, 182: any notification is never answered', async () => {
    const methods = fc.oneof(
      fc.constantFrom(...notifications, '$/cancel_request', '$/cancelRequest', '$/progress', '_x/y'),
      fc.string(),
    );
    const known = fc
      .constantFrom(...notifications)
      .chain((method) => mutated(samplesOf(method, 'params')).map((params) => ({ jsonrpc: '2.0', method, params })));
    const any = fc.tuple(methods, anyJson).map(([method, params]) => ({ jsonrpc: '2.0', method, params }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(known, any), { minLength: 1, maxLength: 20 }), (messages) =>
        withSession(async (fuzzed) => {
          await fuzzed.hear(messages);
          expect(fuzzed.link.sent).toEqual([]);
          fuzzed.expectWhole();
        }),
      ),
      runs,
    );
  });

  it('14, 181: any request is answered once, be its method known or not', async () => {
    const call = fc.tuple(fc.string(), anyJson, fc.oneof(fc.integer(), fc.string()));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(call, { minLength: 1, maxLength: 12, selector: ([, , id]) => JSON.stringify(id) }),
        (calls) =>
          withSession(async (fuzzed) => {
            await fuzzed.hear(calls.map(([method, params, id]) => ({ jsonrpc: '2.0', id, method, params })));
            expect(fuzzed.link.sent.map(({ id, error }) => [JSON.stringify(id), error?.code]).sort()).toEqual(
              calls.map(([, , id]) => [JSON.stringify(id), -32601]).sort(),
            );
            fuzzed.expectWhole();
          }),
      ),
      runs,
    );
  });

  it('9, 10: lines that are no messages are skipped', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => (byte === 10 ? 0 : byte))),
      fc
        .tuple(fc.constantFrom(...updates), fc.nat())
        .map(([params, at]) => cut({ jsonrpc: '2.0', method: 'session/update', params }, at)),
      anyJson.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) =>
        withSession(async (fuzzed) => {
          await fuzzed.hear(lines);
          expect(fuzzed.link.sent).toEqual([]);
          fuzzed.expectWhole();
        }),
      ),
      runs,
    );
  });
});

/** The beginning of a message that was cut off before its end. */
function cut(message: object, at: number): string {
  const line = JSON.stringify(message);
  return line.slice(0, at % line.length);
}

function expectValidAnswer(method: string, answer: Record<string, unknown>): void {
  const validate = 'error' in answer ? wireSchema().error : wireSchema().result('client', method)!;
  const value = 'error' in answer ? answer['error'] : answer['result'];
  expect(validate(value), `${JSON.stringify(answer)} ${JSON.stringify(validate.errors)}`).toBe(true);
  if ('error' in answer) expect(JSON.stringify(value)).not.toMatch(/\\n\s+at /);
}
