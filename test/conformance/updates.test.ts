import { expect, test } from 'vitest';
import { PanelProjector } from '../../src/view/panelView';
import { readyPanel } from '../fakes/fakeWebview';
import { type Conversation, startConversation } from '../stdio/conversation';
import { waitUntil } from '../stdio/waitUntil';

/** What the panel is told of a conversation. */
function panel(conversation: Conversation) {
  return readyPanel(new PanelProjector(), conversation.session.thread);
}

/** The mode that the panel shows. */
function mode(conversation: Conversation): unknown {
  return panel(conversation).options.find((option) => option.type === 'select' && option.role === 'mode')?.value;
}

test('106 each list of commands replaces the last, in a turn, between turns and before the session', async () => {
  const early = [
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'early', description: 'Before the session' }],
    },
  ];
  const conversation = await startConversation({ agent: { early } });
  const names = () =>
    panel(conversation).commands.map(({ name, hint }) => (hint === undefined ? name : `${name} ${hint}`));
  expect(names()).toEqual(['early']);
  await conversation.play(
    '@@COMMANDS [{"name":"plan","description":"Plans","input":{"hint":"what"}},{"name":"test","description":"Tests","input":null},{"name":"odd","description":"Odd","input":{}}]',
  );
  expect(names()).toEqual(['plan what', 'test', 'odd']);
  await conversation.play('@@COMMANDS []');
  expect(names()).toEqual([]);
});

test('107 the mode follows the agent, also to one that nobody knows', async () => {
  const conversation = await startConversation();
  expect(mode(conversation)).toBe('ask');
  await conversation.play('@@MODE code');
  expect(mode(conversation)).toBe('code');
  await conversation.play('@@UPDATE {"sessionUpdate":"current_mode_update","modeId":"ask"}');
  expect(mode(conversation)).toBe('ask');
  await conversation.play('@@MODE moonlight');
  expect(mode(conversation)).toBe('moonlight');
});

test('111 the title: absent keeps, null clears, a value sets', async () => {
  const conversation = await startConversation();
  await conversation.play('@@TITLE One');
  expect(panel(conversation).title).toBe('One');
  await conversation.play('@@UPDATE {"sessionUpdate":"session_info_update","updatedAt":"2026-11-21T00:00:00Z"}');
  expect(panel(conversation).title).toBe('One');
  await conversation.play('@@UPDATE {"sessionUpdate":"session_info_update","title":null}');
  expect(panel(conversation).title).toBeUndefined();
});

test('162 a mode that the agent leaves by itself is shown without any request of ours', async () => {
  const conversation = await startConversation();
  const turn = conversation.begin('@@PERMISSIONBARE Leave planning?', '@@MODE code', '@@SILENT');
  conversation.session.selectPermission((await conversation.questions())[0]!, 'allow');
  await waitUntil('the mode is shown', () => mode(conversation) === 'code');
  expect(conversation.link.sent('session/set_mode')).toEqual([]);
  conversation.session.cancel();
  await turn;
});
