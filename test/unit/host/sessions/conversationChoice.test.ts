import { expect, test } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { silentLogger } from '../../../../src/base/log';
import { type ConversationChoice, ConversationQuestion } from '../../../../src/host/sessions/conversationChoice';
import { hasAnswer } from '../../../../src/host/sessions/sessionHistory';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { sessionLink } from '../../../fakes/sessionLink';

function scene() {
  const session = new Session('local', new FakeClock(), silentLogger);
  const notices = () =>
    [...session.thread.entries].flatMap((entry) => (entry.kind === 'notice' ? [[entry.title, ...entry.actions]] : []));
  const question = new ConversationQuestion(session, new MemoryState());
  session.attach({ sessionId: 's', link: sessionLink() }, nothingOffered);
  /** The agent takes a prompt with the choice. */
  const taken = async (choice: ConversationChoice) => {
    question.follow(choice, () => undefined);
    await session.prompt([{ type: 'text', text: 'hi' }]);
  };
  return { session, notices, question, taken };
}

test('the question is a notice, its answer is remembered, and the user can be asked again', async () => {
  const { notices, question, taken } = scene();
  const first = question.ask('Fake');
  expect(notices()).toEqual([['Include the earlier conversation?', 'includeConversation', 'omitConversation']]);
  await question.answer('include');
  expect(await first).toBe('include');
  await taken('include');
  expect(await question.ask('Fake')).toBe('include');
  expect(notices()).toEqual([
    ['The earlier conversation was included'],
    ['The earlier conversation was included', 'askAboutConversation'],
  ]);
  await question.forget();
  expect(notices()[1]).toEqual(['The earlier conversation was included. Parley will ask next time.']);
  void question.ask('Fake');
  expect(notices()[2]?.[0]).toBe('Include the earlier conversation?');
});

test('Stop withdraws the question and remembers nothing', async () => {
  const { notices, question } = scene();
  const asked = question.ask('Fake');
  question.withdraw();
  expect(await asked).toBeUndefined();
  expect(notices()).toEqual([['The earlier conversation was not included']]);
  void question.ask('Fake');
  expect(notices()[1]?.[0]).toBe('Include the earlier conversation?');
});

test('nothing is asked when the agent has said nothing yet', async () => {
  const { session } = scene();
  await session.prompt(
    [{ type: 'text', text: 'hi' }],
    () => Promise.reject(new Error('no')),
    () => Promise.resolve(undefined),
  );
  expect(hasAnswer(session)).toBe(false);
});
