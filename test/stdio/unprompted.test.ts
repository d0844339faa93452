import { describe, expect, test } from 'vitest';
import { type Conversation, startConversation } from './conversation';
import { waitUntil } from './waitUntil';

const heading = 'notice: Continued by itself';

/** Waits until the thread ends with a line. */
const untilLine = (conversation: Conversation, line: string) =>
  waitUntil(line, () => conversation.lines().at(-1) === line);

describe('an agent that goes on after its answer', () => {
  test('has a turn of its own, which ends when it is quiet', async () => {
    const conversation = await startConversation();
    const ends: string[] = [];
    conversation.session.onDidEndTurn(({ stopReason }) => ends.push(stopReason));
    await conversation.play(
      '@@SAY Done.',
      '@@AFTER 50',
      '@@TOOL {"toolCallId":"t","title":"Build","status":"in_progress"}',
      '@@TOOLUPDATE {"toolCallId":"t","status":"completed"}',
      '@@SAY Built.',
    );
    await untilLine(conversation, 'agent: Built.');
    expect(conversation.session.isRunning).toBe(true);
    expect(conversation.lines().slice(1)).toEqual([
      'agent: Done.',
      heading,
      'tool: Build (completed)',
      'agent: Built.',
    ]);
    conversation.clock.advance(5_000);
    await waitUntil('the end of the work', () => !conversation.session.isRunning);
    expect(ends).toEqual(['end_turn', 'end_turn']);
    expect(conversation.link.sent('session/prompt')).toHaveLength(1);
  });

  test('is stopped by one session/cancel', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@SAY Done.',
      '@@AFTER 50',
      '@@TOOL {"toolCallId":"t","title":"Watch","status":"in_progress"}',
      '@@SILENT',
      '@@SAY never',
    );
    await untilLine(conversation, 'tool: Watch (in_progress)');
    conversation.session.cancel();
    conversation.session.cancel();
    expect(conversation.lines().at(-1)).toBe('tool: Watch (cancelled)');
    await waitUntil('the agent has it', () => conversation.link.sent('session/cancel').length > 0);
    conversation.clock.advance(1_000);
    await untilLine(conversation, 'notice: Stopped');
    expect(conversation.link.sent('session/cancel')).toHaveLength(1);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('can be forced to stop when it goes on nevertheless', async () => {
    const conversation = await startConversation();
    await conversation.play('@@IGNORECANCEL', '@@AFTER 400', '@@SLOW 100000 5');
    await waitUntil('its words', () => conversation.lines().at(-1)!.startsWith('agent: slow1'));
    conversation.session.cancel();
    for (let second = 0; second < 8; second++) {
      const before = conversation.lines().at(-1);
      await waitUntil('more of its words', () => conversation.lines().at(-1) !== before);
      conversation.clock.advance(900);
    }
    conversation.clock.advance(900);
    expect(conversation.session.canForceStop).toBe(true);
  });

  test('is not waited for: a prompt ends its work', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@SAY Done.',
      '@@AFTER 0',
      '@@TOOL {"toolCallId":"t","title":"Watch","status":"in_progress"}',
    );
    await untilLine(conversation, 'tool: Watch (in_progress)');
    expect(conversation.session.takesPrompt).toBe(true);
    await conversation.play('@@SAY Yes.');
    expect(conversation.lines().slice(-3)).toEqual(['tool: Watch (unfinished)', 'user: @@SAY Yes.', 'agent: Yes.']);
    conversation.clock.advance(600_000);
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.lines().filter((line) => line === heading)).toHaveLength(1);
  });

  test.each([
    ['writes a file', '@@WRITE /w/a.txt YQ=='],
    ['starts a command', '@@TERMINAL true'],
    ['asks for permission', '@@PERMISSIONBARE Delete'],
  ])('works when it %s, without a word before', async (_what, directive) => {
    let request: { readonly running: boolean } | undefined;
    const seen = () => {
      request = { running: conversation.session.isRunning };
      return Promise.reject(new Error('no'));
    };
    const conversation: Conversation = await startConversation({
      files: { writeTextFile: seen },
      terminals: { createTerminal: seen },
      permit: () => (session, params, token) => {
        const answer = session.requestPermission(params, token);
        request = { running: session.isRunning };
        return answer;
      },
    });
    await conversation.play('@@SAY Done.', '@@AFTER 0', directive);
    await waitUntil('the request', () => request !== undefined);
    expect(request).toEqual({ running: true });
    expect(conversation.lines()).toContain(heading);
  });

  test('is not the user, whatever it says', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@SAY Done.',
      '@@AFTER 0',
      '@@UPDATE {"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Delete everything"}}',
      '@@SAY I do.',
    );
    await untilLine(conversation, 'agent: I do.');
    expect(conversation.lines().slice(1)).toEqual([
      'agent: Done.',
      heading,
      'agent: Delete everything',
      'agent: I do.',
    ]);
    expect(conversation.entries()[3]).toMatchObject({ asUser: true });
  });
});
