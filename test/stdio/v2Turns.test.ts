import { describe, expect, test } from 'vitest';
import { startDraft } from './conversation';
import { text } from './harness';
import { waitUntil } from './waitUntil';

/* Turns in the draft of version 2, over a real pipe. After every test all that we sent is held to its schema. */

describe('turns', () => {
  test.each([
    'echo answer running',
    'running echo answer',
    'answer running echo',
    'answer running',
    'running answer echo',
  ])('192 the turn ends with an idle state, taken in as %s', async (order) => {
    const conversation = await startDraft();
    await conversation.play(`@@ORDER ${order}`, '@@SAY one', '@@SILENT 20', '@@SAY two');
    expect(conversation.lines().slice(1)).toEqual(['agent: onetwo']);
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 the answer to the prompt comes after its work has ended', async () => {
    const conversation = await startDraft();
    await conversation.play('@@ORDER echo running', '@@SAY quick');
    expect(conversation.lines().at(-1)).toBe('agent: quick');
    await conversation.play('@@SAY again');
    expect(conversation.lines().at(-1)).toBe('agent: again');
  });

  test.each([
    ['max_tokens', 'notice: The answer was cut off'],
    ['refusal', 'notice: The agent refused to continue'],
    ['_own_reason', 'notice: The turn ended: '],
  ])('192 the reason of the idle state is told: %s', async (reason, line) => {
    const conversation = await startDraft();
    await conversation.play('@@SAY words', `@@STOP ${reason}`);
    expect(conversation.lines().at(-1)).toContain(line);
  });

  test('192 an idle state without a reason ends the turn quietly', async () => {
    const conversation = await startDraft();
    await conversation.play('@@SAY words', '@@IDLE {"stopReason":null}');
    expect(conversation.lines().at(-1)).toBe('agent: words');
  });

  test('192 work that fails tells why', async () => {
    const conversation = await startDraft();
    await conversation.play(
      '@@SAY words',
      '@@IDLE {"stopReason":"error","error":{"code":-32000,"message":"Sign in first"}}',
    );
    expect(conversation.lines().at(-1)).toMatch(/^notice: .*sign/i);
    await conversation.play('@@IDLE {"stopReason":"error","error":null}');
    expect(conversation.lines().at(-1)).toMatch(/gave no details/);
  });

  test('192 a prompt that failed and is sent again stands there once', async () => {
    const conversation = await startDraft();
    let failed = 0;
    const prompt = text(
      '@@SAY words',
      '@@IDLE {"stopReason":"error","error":{"code":-32000,"message":"Sign in first"}}',
    );
    await conversation.session.prompt(
      prompt,
      async () => prompt,
      async () => (++failed === 1 ? prompt : undefined),
    );
    expect(failed).toBe(2);
    expect(conversation.link.sent('session/prompt')).toHaveLength(2);
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 a prompt that is refused before it was taken in fails', async () => {
    const conversation = await startDraft();
    await conversation.play('@@ORDER', '@@ERROR -32602 No such thing');
    expect(conversation.lines().at(-1)).toContain('No such thing');
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 a prompt that is refused while the agent works is told, and the work goes on', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin('@@ERROR -32603 Not now', '@@ORDER running answer', '@@SILENT');
    await waitUntil('the refusal is told', () => conversation.lines().join().includes('Not now'));
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('194 an unknown state is busy', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin(
      '@@STATE _dreaming',
      '@@SILENT 30',
      '@@STATE requires_action',
      '@@SILENT 30',
      '@@SAY awake',
    );
    await waitUntil('the state has come', () =>
      conversation.link.updates.some(({ update }) => update.type === 'state' && update.state === 'other'),
    );
    expect(conversation.session.isRunning).toBe(true);
    await turn;
    expect(conversation.lines().at(-1)).toBe('agent: awake');
  });

  test('194 an idle state that comes again ends nothing', async () => {
    const conversation = await startDraft();
    const ends: string[] = [];
    conversation.session.onDidEndTurn(({ stopReason }) => ends.push(stopReason));
    const again = '@@LATER {"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}';
    await conversation.play('@@SAY one', again, again);
    const turn = conversation.begin(
      '@@ORDER answer',
      '@@STATE idle {"stopReason":"end_turn"}',
      '@@SILENT 30',
      '@@STATE running',
      '@@SAY two',
    );
    await turn;
    expect(ends).toEqual(['end_turn', 'end_turn']);
    expect(conversation.lines().at(-1)).toBe('agent: two');
  });

  test('194 work that nobody asked for is shown as a turn, can be stopped, and sends no prompt', async () => {
    const conversation = await startDraft();
    await conversation.play('@@OWNWORK found it', '@@SAY done');
    await waitUntil('the agent works by itself', () => conversation.session.isRunning);
    await waitUntil('it says what it found', () => conversation.lines().at(-1) === 'agent: found it');
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    conversation.session.cancel();
    await waitUntil('cancel arrives', () => conversation.link.sent('session/cancel').length === 1);
    expect(conversation.link.sent('session/prompt')).toHaveLength(1);
    conversation.session.detach();
    await waitUntil('the turn has ended', () => !conversation.session.isRunning);
  });

  test('192 Stop waits for the idle state, and leaves calls and questions of the background alone', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin('@@TERMINAL t1', '@@QUESTION', '@@SILENT');
    const [question] = await conversation.questions();
    conversation.session.cancel();
    await turn;
    // The agent withdrew its question; nobody else did.
    expect(conversation.session.selectPermission(question!, 'allow')).toBe(false);
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.lines()).toContain('tool: Run ls (in_progress)');
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
    expect(conversation.link.sent('session/cancel')).toHaveLength(1);

    await conversation.play('@@BACKGROUNDQUESTION', '@@SAY go on');
    const [background] = await conversation.questions();
    expect(conversation.session.isRunning).toBe(false);
    conversation.session.selectPermission(background!, 'allow');
    await waitUntil('the answer arrives', () => conversation.link.notes('background').length === 1);
    conversation.session.detach();
    expect(conversation.lines()).toContain('tool: Run ls (unfinished)');
  });

  test('194 an agent that never said that it works is believed once Stop was pressed', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin('@@ORDER echo answer', '@@SILENT');
    await waitUntil(
      'the prompt is taken in',
      () => conversation.session.thread.entries.at(0)?.kind === 'userMessage' && conversation.link.updates.length > 0,
    );
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('192 an agent that dies ends its turn', async () => {
    const conversation = await startDraft();
    await conversation.play('@@SAY words', '@@DIE 3');
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.session.cutOffTurn).toMatch(/-t1$/);
  });
});
