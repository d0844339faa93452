import { describe, expect, test } from 'vitest';
import { agentFeatures } from '../../src/acp/capabilities';
import { AcpError } from '../../src/acp/errors';
import { startConversation } from './conversation';
import { startLink, text } from './harness';
import { waitUntil } from './waitUntil';

const offered = { initializePatch: { _meta: { steering: { supported: true } } } };

describe('a message into the running turn', () => {
  test('is offered by agents that say so, and by no others', async () => {
    expect((await startLink({ agent: offered }).connection.initialize()).steering).toBe(true);
    for (const _meta of [null, 'all', { steering: null }, { steering: true }, { steering: { supported: 'yes' } }])
      expect(agentFeatures({ protocolVersion: 1, _meta }).steering).toBe(false);
  });

  test('goes to the agent at once and stands in the thread where it was taken', async () => {
    const conversation = await startConversation({ agent: offered });
    const { session, link } = conversation;
    const turn = conversation.begin('@@SAY before', '@@PERMISSION Go on', '@@SAY after');
    const [question] = await conversation.questions();
    expect(session.canSteer).toBe(true);
    expect(await session.steer(text('in the middle'), text('in the middle'))).toBe(true);
    expect(link.sent('_session/steering').map((message) => message['params'])).toEqual([
      {
        sessionId: conversation.sessionId,
        prompt: [{ type: 'text', text: 'in the middle' }],
        _meta: { steering: { idleBehavior: 'promptRequired' } },
      },
    ]);
    await waitUntil('the agent takes it up', () => conversation.lines().includes('agent: [steered: in the middle]'));
    session.selectPermission(question!, 'allow');
    await turn;
    expect(
      conversation
        .lines()
        .filter((line) => !line.startsWith('tool:'))
        .slice(1, 4),
    ).toEqual(['agent: before', 'user: in the middle', expect.stringMatching(/^agent: \[steered: in the middle\]/)]);
    expect(link.sent('session/prompt')).toHaveLength(1);
    expect(link.sent('session/cancel')).toHaveLength(0);
  });

  test('is not taken when no turn runs, and leaves no trace', async () => {
    const conversation = await startConversation({ agent: offered });
    await conversation.play('@@SAY done');
    const lines = conversation.lines();
    expect(conversation.session.canSteer).toBe(false);
    expect(await conversation.session.steer(text('late'), text('late'))).toBe(false);
    expect(await conversation.link.connection.steer!(conversation.sessionId, text('late'))).toBe(false);
    expect(conversation.lines()).toEqual(lines);
  });

  test('that the agent refuses is told and leaves the turn alone', async () => {
    const conversation = await startConversation({
      agent: { ...offered, steerError: { code: -32600, message: 'No images' } },
    });
    const turn = conversation.begin('@@PERMISSION Go on');
    const [question] = await conversation.questions();
    await expect(conversation.session.steer(text('x'), text('x'))).rejects.toBeInstanceOf(AcpError);
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.selectPermission(question!, 'allow');
    await turn;
    expect(conversation.lines()).not.toContain('user: x');
  });

  test('is not sent into a turn that was stopped', async () => {
    const conversation = await startConversation({ agent: offered });
    const turn = conversation.begin('@@SILENT');
    await waitUntil('the prompt arrives', () => conversation.link.sent('session/prompt').length === 1);
    conversation.session.cancel();
    expect(conversation.session.canSteer).toBe(false);
    await turn;
  });
});
