import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Update } from '../../../src/acp/decodeUpdate';
import { silentLogger } from '../../../src/base/log';
import type { ThreadAction } from '../../../src/thread/actions';
import { actionsOf } from '../../../src/thread/fromAcp';
import { reduce } from '../../../src/thread/reducer';
import { Session } from '../../../src/thread/session';
import { emptyThread } from '../../../src/thread/thread';
import { FakeClock } from '../../fakes/fakeClock';
import { tries } from '../../fakes/tries';

const chunk = (text: string, role: 'agent' | 'thought' | 'user' = 'agent', messageId?: string): Update => ({ type: 'chunk', role, content: { type: 'text', text }, ...(messageId === undefined ? {} : { messageId }) });

function open() {
  const clock = new FakeClock();
  const session = new Session('s', clock, silentLogger);
  const actions: ThreadAction[] = [];
  session.onDidAct((action) => actions.push(action));
  return { clock, session, actions };
}

const textOf = (action: ThreadAction | undefined) => (action?.type === 'message/chunkAppended' && action.content.type === 'text' ? action.content.text : action?.type);

it('the first words are in the thread at once, what streams after them comes as one action', () => {
  const { clock, session, actions } = open();
  for (const text of ['I ', 'will ', 'look.']) session.applyUpdate(chunk(text));
  expect(actions.map(textOf)).toEqual(['I ']);
  clock.advance(4);
  expect(actions.map(textOf)).toEqual(['I ', 'will look.']);
  clock.advance(100);
  expect(actions).toHaveLength(2);
});

it('text is there for whoever looks, and before whatever comes after it', () => {
  const { session, actions } = open();
  for (const text of ['a', 'b', 'c']) session.applyUpdate(chunk(text));
  expect(session.thread.entries.at(0)).toMatchObject({ parts: { length: 1 } });
  expect(actions.map(textOf)).toEqual(['a', 'bc']);
  session.applyUpdate(chunk('d'));
  session.applyUpdate({ type: 'toolCall', fields: { toolCallId: 't', title: 'T' } });
  session.applyUpdate(chunk('e'));
  expect(actions.map(textOf)).toEqual(['a', 'bc', 'd', 'toolCall/patched', 'e']);
  session.applyUpdate(chunk('f'));
  session.dispose();
  expect(actions.map(textOf).at(-1)).toBe('f');
});

it('the thread is what it would be chunk by chunk', () => {
  const update = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('', ' ', '\n', 'word ', 'x'), fc.constantFrom('agent' as const, 'agent' as const, 'thought' as const, 'user' as const), fc.constantFrom(undefined, undefined, 'm1', 'm2')).map((fields) => chunk(...fields)) },
    { weight: 1, arbitrary: fc.constant<Update>({ type: 'toolCall', fields: { toolCallId: 't', title: 'T' } }) },
    { weight: 1, arbitrary: fc.constant<Update>({ type: 'chunk', role: 'agent', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } as never }) },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(update, fc.constantFrom(0, 0, 0, 1, 5)), { maxLength: 30 }), (steps) => {
      const { clock, session, actions } = open();
      let expected = emptyThread;
      for (const [next, wait] of steps) {
        for (const action of actionsOf(next, clock.now())) expected = reduce(expected, action);
        session.applyUpdate(next);
        clock.advance(wait);
      }
      expect(JSON.stringify([...session.thread.entries])).toBe(JSON.stringify([...expected.entries]));
      expect(JSON.stringify([...actions.reduce(reduce, emptyThread).entries])).toBe(JSON.stringify([...expected.entries]));
      session.dispose();
    }),
    { numRuns: tries(2_400) },
  );
});
