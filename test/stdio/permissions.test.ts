import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancellationSource } from '../../src/base/cancellation';
import { addSession, startConversation } from './conversation';
import { waitUntil } from './waitUntil';

describe('permission requests', () => {
  test('120 title and options are shown in the order and words of the agent', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSION Change everything');
    await conversation.questions();
    const [call] = conversation.toolCalls();
    expect(call?.permissions).toMatchObject([
      {
        subject: {
          title: 'Change everything',
          options: [
            { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
            { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
            { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
          ],
        },
      },
    ]);
    conversation.session.cancel();
    await turn;
  });

  test('121 the answer is the optionId that was offered, also where kinds repeat and ids are odd', async () => {
    const conversation = await startConversation();
    const odd = ['', ' ', '0', 'née "x"\n'];
    for (const optionId of odd) {
      const turn = conversation.begin(
        `@@PERMISSIONOPTIONS ${JSON.stringify(odd.map((id) => ({ optionId: id, name: `Choose ${id}`, kind: 'allow_once' })))}`,
      );
      const [requestId] = await conversation.questions();
      expect(conversation.session.selectPermission(requestId!, optionId)).toBe(true);
      await turn;
    }
    expect(conversation.outcomes()).toEqual(odd.map((optionId) => ({ outcome: 'selected', optionId })));
  });

  test('121 an option that was not offered is not sent', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSION');
    const [requestId] = await conversation.questions();
    expect(conversation.session.selectPermission(requestId!, 'allow_everything')).toBe(false);
    expect(conversation.session.selectPermission('p999', 'allow')).toBe(false);
    expect(conversation.outcomes()).toEqual([]);
    conversation.session.selectPermission(requestId!, 'reject');
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
  });

  test('122 nothing is answered without the user, however long it takes', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSION');
    await conversation.questions();
    conversation.clock.advance(24 * 3_600_000);
    expect(conversation.outcomes()).toEqual([]);
    conversation.session.cancel();
    await turn;
  });

  test('123 Stop answers every pending question of the session with cancelled', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSIONS5');
    await conversation.questions(5);
    conversation.session.cancel();
    await turn;
    expect(conversation.outcomes()).toEqual(Array.from({ length: 5 }, () => ({ outcome: 'cancelled' })));
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('123 Stop leaves the questions of another session alone', async () => {
    const first = await startConversation();
    const second = await addSession(first.link, first.router, first.clock);
    const turns = [first.begin('@@PERMISSION one'), second.begin('@@PERMISSION two')];
    await first.questions();
    const [requestId] = await second.questions();
    first.session.cancel();
    await turns[0];
    expect(second.session.thread.waiting).toHaveLength(1);
    second.session.selectPermission(requestId!, 'allow');
    await turns[1];
    expect(first.outcomes()).toEqual([{ outcome: 'cancelled' }, { outcome: 'selected', optionId: 'allow' }]);
  });

  test('124 a question after Stop and before the answer to the prompt is answered cancelled without asking', async () => {
    const conversation = await startConversation();
    const asked: string[] = [];
    conversation.session.onDidAsk(({ title }) => asked.push(title));
    const turn = conversation.begin('@@CANCELPERMISSION', '@@SILENT');
    await waitUntil('the prompt arrives', () => conversation.link.sent('session/prompt').length === 1);
    conversation.session.cancel();
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(asked).toEqual([]);
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('126 a question without a tool call before it makes its own card', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSIONBARE Write a file');
    const [requestId] = await conversation.questions();
    expect(conversation.toolCalls()).toMatchObject([{ title: 'Write a file', toolKind: 'edit' }]);
    conversation.session.selectPermission(requestId!, 'allow');
    await turn;
    expect(conversation.toolCalls()).toHaveLength(1);
  });

  test('127 questions at once are each answered to their own request, in any order', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSIONS5');
    const [one, two, three, four, five] = await conversation.questions(5);
    for (const [requestId, optionId] of [
      [three, 'reject'],
      [five, 'allow'],
      [one, 'always'],
      [four, 'allow'],
      [two, 'reject'],
    ] as const) {
      conversation.session.selectPermission(requestId!, optionId);
    }
    await turn;
    const said = conversation.lines().join('\n');
    for (const [n, optionId] of [
      [1, 'always'],
      [2, 'reject'],
      [3, 'reject'],
      [4, 'allow'],
      [5, 'allow'],
    ] as const) {
      expect(said).toContain(`[PERMISSION Question ${n} {"outcome":{"outcome":"selected","optionId":"${optionId}"}}]`);
    }
  });

  test('128 options of an unknown kind are shown neutrally', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin(
      '@@PERMISSIONOPTIONS [{"optionId":"a","name":"Perhaps","kind":"allow_maybe"},{"optionId":"b"},{"name":"no id"},7]',
    );
    const [requestId] = await conversation.questions();
    expect(conversation.toolCalls()[0]?.permissions[0]?.subject.options).toEqual([
      { optionId: 'a', name: 'Perhaps', kind: 'other' },
      { optionId: 'b', name: 'b', kind: 'other' },
    ]);
    conversation.session.selectPermission(requestId!, 'a');
    await turn;
  });

  test.each(['[]', '[{"name":"no id"}]'])('128 options %s are refused with -32602, never allowed', async (options) => {
    const conversation = await startConversation();
    await conversation.play(`@@PERMISSIONOPTIONS ${options}`);
    expect(conversation.lines().join()).toMatch(/error -32602/);
    expect(conversation.session.thread.waiting).toEqual([]);
  });

  test('129 a withdrawn question is answered once, and a later click sends nothing', async () => {
    const conversation = await startConversation();
    const withdraw = join(conversation.link.folder, 'withdraw');
    const asked: string[] = [];
    conversation.session.onDidAsk(() => {
      asked.push(...conversation.session.thread.waiting.map(({ requestId }) => requestId));
      writeFileSync(withdraw, '');
    });
    await conversation.play(`@@CANCELREQUEST ${withdraw}`);
    expect(asked).toHaveLength(1);
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.session.selectPermission(asked[0]!, 'allow')).toBe(false);
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.lines().at(-1)).toMatch(/"cancelled"/);
  });

  test('129 a question that is withdrawn at once is never asked, and answered once', async () => {
    const conversation = await startConversation();
    const asked: string[] = [];
    conversation.session.onDidAsk(({ title }) => asked.push(title));
    await conversation.play('@@CANCELATONCE');
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(asked).toEqual([]);
  });

  test.each(['string', 'mixed'] as const)(
    '129 questions with %s ids are withdrawn and answered by the same id',
    async (ids) => {
      const conversation = await startConversation({ agent: { ids } });
      await conversation.play('@@CANCELREQUEST 20', '@@CANCELREQUEST 20', '@@CANCELREQUEST 20', '@@CANCELREQUEST 20');
      expect(conversation.outcomes()).toEqual(Array.from({ length: 4 }, () => ({ outcome: 'cancelled' })));
      expect(conversation.session.thread.waiting).toEqual([]);
    },
  );

  test('129, 177 withdrawing what was never asked is ignored', async () => {
    const conversation = await startConversation();
    await conversation.play('@@CANCELUNKNOWN', '@@SAY on');
    expect(conversation.lines().at(-1)).toBe('agent: on');
  });

  test('130 a question is gone when its agent dies', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin(
      '@@ASYNCREQUEST session/request_permission {"toolCall":{"toolCallId":"t"},"options":[{"optionId":"o","name":"O","kind":"allow_once"}]}',
      '@@SILENT',
    );
    const [requestId] = await conversation.questions();
    process.kill(conversation.link.process.pid!, 'SIGKILL');
    await turn;
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.session.selectPermission(requestId!, 'o')).toBe(false);
  });

  test('130 a connection that ends cancels the token of a question under way', async () => {
    const source = new CancellationSource();
    const conversation = await startConversation();
    const answer = conversation.session.requestPermission(
      {
        sessionId: 'fake-1',
        toolCall: { toolCallId: 't', title: 'T' },
        options: [{ optionId: 'o', name: 'O', kind: 'allow_once' }],
      },
      source.token,
    );
    source.cancel();
    expect(await answer).toEqual({ outcome: { outcome: 'cancelled' } });
  });

  test('131 allow_always goes to the agent, and the next question is asked all the same', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@PERMISSION one', '@@PERMISSION two');
    const [first] = await conversation.questions();
    conversation.session.selectPermission(first!, 'always');
    await waitUntil(
      'the second question waits',
      () =>
        conversation.session.thread.waiting[0] !== undefined &&
        conversation.session.thread.waiting[0].requestId !== first,
    );
    conversation.session.cancel();
    await turn;
  });

  test('142 a question for a session that nobody opened is an error', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@REQUEST session/request_permission {"sessionId":"nobody","toolCall":{"toolCallId":"t"},"options":[{"optionId":"o","name":"O","kind":"allow_once"}]}',
    );
    expect(conversation.lines().at(-1)).toMatch(/error -32002/);
  });
});
