import { describe, expect, test } from 'vitest';
import { checkPattern } from '../../src/node/patternCheck';
import { answerForm } from '../../src/thread/formAnswer';
import { silentLogger } from '../../src/base/log';
import { SessionRouter } from '../../src/host/sessions/sessionRouter';
import { Session } from '../../src/thread/session';
import { FakeClock } from '../fakes/fakeClock';
import { addSession, type Conversation, startConversation } from './conversation';
import { startLink } from './harness';
import { waitUntil } from './waitUntil';
import { workTime } from '../fakes/workTime';

const values = (fields: Record<string, string | boolean | string[]>) => new Map(Object.entries(fields));

/** Submits the oldest form that waits. */
async function submit(conversation: Conversation, fields: Record<string, string | boolean | string[]>): Promise<void> {
  const [requestId] = await conversation.questions();
  conversation.session.elicitations.submit(requestId!, (form) => answerForm(form, values(fields), checkPattern));
}

/** Our answers to `elicitation/create`, in order. */
function answers(conversation: Conversation): unknown[] {
  return conversation.link.sent().flatMap((message) => (message['result']?.action ? [message['result']] : []));
}

describe('forms', () => {
  test('163 a form is answered with content that its schema accepts', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICIT');
    await submit(conversation, { name: 'Ada' });
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'accept', content: { name: 'Ada', colour: 'b' } }]);
    expect(conversation.elicitations()).toMatchObject([
      {
        state: 'accepted',
        answers: [
          { label: 'Name', text: 'Ada' },
          { label: 'Colour', text: 'Blue' },
        ],
      },
    ]);
  });

  test('163 values that the form does not accept are refused in words, and nothing is sent', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICIT');
    await submit(conversation, { name: '', colour: 'green' });
    expect([...conversation.elicitations()[0]!.errors]).toEqual([
      ['name', 'Fill in this field.'],
      ['colour', 'Select one of the options.'],
    ]);
    await submit(conversation, { name: 'A', colour: 'r' });
    expect([...conversation.elicitations()[0]!.errors]).toEqual([['name', 'Use at least 2 characters (now 1).']]);
    expect(answers(conversation)).toEqual([]);
    await submit(conversation, { name: 'Ada', colour: 'r' });
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'accept', content: { name: 'Ada', colour: 'r' } }]);
  });

  test.each([
    ['{"type":"string"}', { value: ' a\nb ' }, { value: ' a\nb ' }],
    ['{"type":"string"}', { value: '' }, {}],
    ['{"type":"string","format":"email"}', { value: ' a@b.c ' }, { value: 'a@b.c' }],
    ['{"type":"string","format":"date-time"}', { value: '2026-11-20T14:30:00Z' }, { value: '2026-11-20T14:30:00Z' }],
    ['{"type":"string","enum":["a","b"]}', { value: 'b' }, { value: 'b' }],
    ['{"type":"number","default":1.5}', {}, { value: 1.5 }],
    ['{"type":"number"}', { value: '-2e3' }, { value: -2000 }],
    ['{"type":"integer","minimum":1,"maximum":3}', { value: '3' }, { value: 3 }],
    ['{"type":"boolean"}', {}, { value: false }],
    ['{"type":"boolean","default":true}', {}, { value: true }],
    [
      '{"type":"array","items":{"type":"string","enum":["a","b","c"]},"maxItems":2}',
      { value: ['c', 'a', 'a', 'x'] },
      { value: ['a', 'c'] },
    ],
    [
      '{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]},"default":["b"]}',
      {},
      { value: ['b'] },
    ],
    ['{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1}', {}, {}],
    ['{"type":"colour","title":"Colour"}', { value: '#fff' }, {}],
  ] as const)('163, 169 the property %s with %j gives %j', async (schema, given, content) => {
    const conversation = await startConversation();
    const turn = conversation.begin(`@@ELICITPROPERTY ${schema}`);
    await submit(conversation, given as never);
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'accept', content }]);
  });

  test('163 a pattern that never comes to an end does not hold up the host', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICITPROPERTY {"type":"string","pattern":"^(a+)+$"}');
    const started = workTime();
    await submit(conversation, { value: `${'a'.repeat(60)}b` });
    expect(workTime() - started).toBeLessThan(5_000);
    await turn;
    expect(answers(conversation)).toHaveLength(1);
  });

  test('164 decline and dismiss are different answers', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICIT', '@@ELICIT');
    const [first] = await conversation.questions();
    conversation.session.elicitations.decline(first!);
    await waitUntil('the second form waits', () =>
      conversation.session.thread.waiting.some(({ requestId }) => requestId !== first),
    );
    const [second] = await conversation.questions();
    conversation.session.elicitations.cancel(second!);
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'decline' }, { action: 'cancel' }]);
    expect(conversation.elicitations().map(({ state }) => state)).toEqual(['declined', 'cancelled']);
  });

  test('164 the first answer counts, and later ones send nothing', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICIT');
    const [requestId] = await conversation.questions();
    const { elicitations } = conversation.session;
    elicitations.decline(requestId!);
    elicitations.cancel(requestId!);
    elicitations.submit(requestId!, (form) => answerForm(form, values({ name: 'Ada' }), checkPattern));
    elicitations.opened(requestId!);
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'decline' }]);
  });

  test('a form beside the work waits while the turn goes on, and after its end', async () => {
    const conversation = await startConversation();
    await conversation.play('@@ELICITASIDE', '@@SAY working');
    expect(conversation.lines().slice(1)).toEqual(['question: A few details, please. (waiting)', 'agent: working']);
    await submit(conversation, { name: 'Ada' });
    await waitUntil('the answer arrives', () => answers(conversation).length === 1);
  });
});

describe('pages', () => {
  test('165 a page waits for consent, and then for the agent to say that it is done with', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICITPAGE', '@@SILENT 300', '@@COMPLETE');
    const [requestId] = await conversation.questions();
    expect(conversation.elicitations()[0]!.ask).toEqual({
      mode: 'url',
      page: { elicitationId: 'page-1', url: 'https://example.com/device?code=AB12', host: 'example.com', warnings: [] },
    });
    expect(answers(conversation)).toEqual([]);
    conversation.session.elicitations.opened(requestId!);
    expect(conversation.elicitations()[0]!.state).toBe('opened');
    expect(conversation.session.thread.waiting).toEqual([]);
    await turn;
    await waitUntil('the page is done with', () => conversation.elicitations()[0]!.state === 'completed');
    expect(answers(conversation)).toEqual([{ action: 'accept' }]);
  });

  test('165 unknown and repeated completions are ignored', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@COMPLETE nobody', '@@ELICITPAGE', '@@COMPLETE', '@@COMPLETE', '@@SAY on');
    const [requestId] = await conversation.questions();
    conversation.session.elicitations.opened(requestId!);
    await turn;
    expect(conversation.lines().at(-1)).toBe('agent: [ELICITPAGE {"action":"accept"}]on');
    expect(conversation.elicitations()[0]!.state).toBe('completed');
  });

  test('165 a page that is done with before the user agreed is answered once, and asked no more', async () => {
    const conversation = await startConversation();
    await conversation.play('@@ELICITPAGEASIDE', '@@COMPLETE', '@@SILENT 50');
    await waitUntil('the answer arrives', () => answers(conversation).length === 1);
    expect(answers(conversation)).toEqual([{ action: 'cancel' }]);
    expect(conversation.elicitations()[0]!.state).toBe('completed');
    expect(conversation.session.thread.waiting).toEqual([]);
  });

  test('165 a page may be declined or dismissed, and waiting for it may end', async () => {
    const conversation = await startConversation();
    const { elicitations } = conversation.session;
    const turn = conversation.begin(
      '@@ELICITPAGE',
      '@@ELICITPAGE {"elicitationId":"page-2"}',
      '@@ELICITPAGE {"elicitationId":"page-3"}',
    );
    elicitations.decline((await conversation.questions())[0]!);
    elicitations.cancel((await conversation.questions())[0]!);
    const [third] = await conversation.questions();
    elicitations.opened(third!);
    elicitations.cancel(third!);
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept' }]);
    expect(conversation.elicitations().map(({ state }) => state)).toEqual(['declined', 'cancelled', 'accepted']);
  });

  test.each([
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['a command of the editor', 'vscode://x/y'],
    ['a host alone', 'example.com'],
    ['no host', 'http://'],
    ['too long', `https://example.com/${'x'.repeat(20_000)}`],
  ])('165 an address that is %s is refused', async (_, url) => {
    const conversation = await startConversation();
    await conversation.play(`@@ELICITPAGE ${JSON.stringify({ url })}`);
    expect(conversation.lines().at(-1)).toMatch(/^agent: \[ELICITPAGE error -32602 /);
    expect(conversation.elicitations()).toEqual([]);
  });
});

describe('what is refused', () => {
  test.each([
    ['an unknown mode', '{"mode":"_vendor"}'],
    ['no mode', '{"mode":null}'],
    ['no message', '{"message":null}'],
    ['no scope', '{"sessionId":null}'],
    ['no schema', '{"requestedSchema":null}'],
    ['properties that are none', '{"requestedSchema":{"properties":[]}}'],
    ['a page without an id', '{"mode":"url","url":"https://example.com"}'],
  ])('166 %s is refused with -32602', async (_, json) => {
    const conversation = await startConversation();
    await conversation.play(`@@ELICIT ${json}`);
    expect(conversation.lines().at(-1)).toMatch(/^agent: \[ELICIT error -32602 /);
    expect(conversation.elicitations()).toEqual([]);
  });

  test.each([
    ['elicitation.form', '@@ELICIT', '@@ELICITPAGE'],
    ['elicitation.url', '@@ELICITPAGE', '@@ELICIT'],
  ] as const)(
    '166 with %s off its mode is refused with -32602 and not advertised, the other served',
    async (feature, refused, served) => {
      const conversation = await startConversation({ features: { [feature]: false } });
      const turn = conversation.begin(refused, served);
      const [requestId] = await conversation.questions();
      conversation.session.elicitations.decline(requestId!);
      await turn;
      expect(conversation.link.sent('initialize')[0]!['params'].clientCapabilities.elicitation).toEqual(
        feature === 'elicitation.form' ? { url: {} } : { form: {} },
      );
      expect(conversation.lines().find((line) => line.startsWith('agent: '))).toMatch(/error -32602/);
    },
  );

  test('166 with both off nothing is advertised, and every mode is refused with -32602', async () => {
    const conversation = await startConversation({ features: { 'elicitation.form': false, 'elicitation.url': false } });
    await conversation.play('@@ELICIT', '@@ELICITPAGE');
    expect(conversation.link.sent('initialize')[0]!['params'].clientCapabilities).not.toHaveProperty('elicitation');
    expect(conversation.lines().at(-1)).toMatch(/ELICIT error -32602.*ELICITPAGE error -32602/s);
  });

  test('169 a property of an unknown type is kept as what it is, and a form that requires it cannot be submitted', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin(
      '@@ELICIT {"requestedSchema":{"properties":{"c":{"type":"_colour","title":"Colour"},"n":null},"required":["c"]}}',
    );
    const [requestId] = await conversation.questions();
    const [{ ask }] = conversation.elicitations() as [never];
    expect(ask).toMatchObject({
      form: {
        fields: [
          { key: 'c', label: 'Colour', type: 'unsupported', what: '_colour' },
          { key: 'n', type: 'unsupported' },
        ],
      },
    });
    await submit(conversation, { c: 'red' });
    expect(answers(conversation)).toEqual([]);
    conversation.session.elicitations.decline(requestId!);
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'decline' }]);
  });

  test('142 an elicitation for a session that nobody opened is an error', async () => {
    const conversation = await startConversation();
    await conversation.play('@@ELICIT {"sessionId":"nobody"}');
    expect(conversation.lines().at(-1)).toMatch(/ELICIT error -32002/);
  });
});

describe('without a session', () => {
  /** Opens a session in which `elicitation` is asked for before `method` is answered. */
  function opening(method: string, elicitation: Record<string, unknown>) {
    const session = new Session('being-opened', new FakeClock(), silentLogger);
    const router = new SessionRouter({} as never, {} as never, silentLogger);
    const link = startLink({
      agent: { elicitBefore: { [method]: elicitation } },
      handlers: router.handlersFor('fake', () => session),
    });
    return { session, link };
  }

  const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'login' };

  test.each(['initialize', 'session/new'])(
    '167 a page that belongs to %s is shown where the session is being opened',
    async (method) => {
      const { session, link } = opening(method, page);
      const opened = link.open();
      await waitUntil('the page is asked for', () => session.thread.waiting.length === 1);
      session.elicitations.opened(session.thread.waiting[0]!.requestId);
      await opened;
      expect(link.notes('elicited')).toMatchObject([{ answer: { result: { action: 'accept' } } }]);
    },
  );

  test('167 so is an elicitation of the session whose id the agent has not told yet', async () => {
    const { session, link } = opening('session/new', { ...page, sessionId: 'fake-1' });
    const opened = link.open();
    await waitUntil('the page is asked for', () => session.thread.waiting.length === 1);
    session.elicitations.decline(session.thread.waiting[0]!.requestId);
    await opened;
    expect(link.notes('elicited')).toMatchObject([{ answer: { result: { action: 'decline' } } }]);
  });

  test('167 where nobody could see it, it is answered cancel', async () => {
    const router = new SessionRouter({} as never, {} as never, silentLogger);
    const link = startLink({ agent: { elicitBefore: { initialize: page } }, handlers: router.handlersFor('fake') });
    await link.open();
    expect(link.notes('elicited')).toMatchObject([{ answer: { result: { action: 'cancel' } } }]);
  });

  test('167 one that belongs to a request is shown in the session that there is', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICIT {"sessionId":null,"requestId":null}');
    await submit(conversation, { name: 'Ada' });
    await turn;
    expect(answers(conversation)).toHaveLength(1);
  });
});

describe('withdrawal', () => {
  test('168 Stop answers what waits with cancel, and once', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICITASIDE', '@@ELICITPAGEASIDE', '@@PERMISSION p', '@@SILENT');
    const [requestId] = await conversation.questions(3);
    conversation.session.cancel();
    conversation.session.elicitations.submit(requestId!, (form) =>
      answerForm(form, values({ name: 'Ada' }), checkPattern),
    );
    await turn;
    await waitUntil('both are answered', () => answers(conversation).length >= 2);
    expect(answers(conversation)).toEqual([{ action: 'cancel' }, { action: 'cancel' }]);
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.elicitations().map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
  });

  test('168 an elicitation after Stop is answered cancel without asking', async () => {
    const conversation = await startConversation();
    const asked: string[] = [];
    conversation.session.onDidAsk(({ title }) => asked.push(title));
    const turn = conversation.begin('@@CANCELELICIT', '@@SILENT');
    await waitUntil('the prompt arrives', () => conversation.link.sent('session/prompt').length === 1);
    conversation.session.cancel();
    await turn;
    expect(answers(conversation)).toEqual([{ action: 'cancel' }]);
    expect(asked).toEqual([]);
    expect(conversation.elicitations()).toEqual([]);
  });

  test('168 what waits is gone when the agent dies', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@ELICITASIDE', '@@ELICITPAGEASIDE', '@@SILENT');
    const [, page] = await conversation.questions(2);
    conversation.session.elicitations.opened(page!);
    process.kill(conversation.link.process.pid!, 'SIGKILL');
    await turn;
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.elicitations().map(({ state }) => state)).toEqual(['withdrawn', 'accepted']);
  });

  test.each(['string', 'mixed'] as const)('177 a withdrawn form is answered once, also with %s ids', async (ids) => {
    const conversation = await startConversation({ agent: { ids } });
    const asked: string[] = [];
    conversation.session.onDidAsk(({ requestId }) => asked.push(requestId));
    await conversation.play('@@ELICITWITHDRAWN 400', '@@ELICITWITHDRAWN 20', '@@ELICITWITHDRAWN 20');
    conversation.session.elicitations.decline(asked[0] ?? '');
    expect(answers(conversation)).toEqual(Array.from({ length: 3 }, () => ({ action: 'cancel' })));
    // One that is withdrawn before it could be shown leaves nothing behind.
    expect(new Set(conversation.elicitations().map(({ state }) => state))).toEqual(new Set(['withdrawn']));
  });

  test('168 Stop leaves the forms of another session alone', async () => {
    const first = await startConversation();
    const second = await addSession(first.link, first.router, first.clock);
    const turns = [first.begin('@@ELICIT'), second.begin('@@ELICIT')];
    await Promise.all([first.questions(), second.questions()]);
    first.session.cancel();
    await turns[0];
    expect(second.session.thread.waiting).toHaveLength(1);
    await submit(second, { name: 'Ada' });
    await turns[1];
    expect(answers(first)).toEqual([{ action: 'cancel' }, { action: 'accept', content: { name: 'Ada', colour: 'b' } }]);
  });

  test('165 a page is completed in the session that it belongs to', async () => {
    const first = await startConversation();
    const second = await addSession(first.link, first.router, first.clock);
    const turns = [
      first.begin('@@ELICITPAGE {"elicitationId":"one"}'),
      second.begin('@@ELICITPAGE {"elicitationId":"two"}', '@@COMPLETE two'),
    ];
    const [[one], [two]] = await Promise.all([first.questions(), second.questions()]);
    first.session.elicitations.opened(one!);
    second.session.elicitations.opened(two!);
    await Promise.all(turns);
    await waitUntil('the second is done with', () => second.elicitations()[0]!.state === 'completed');
    expect(first.elicitations()[0]!.state).toBe('opened');
  });
});
