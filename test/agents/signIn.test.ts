import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NotSent } from '../../src/thread/sessionLink';
import { root } from '../launch/project.mjs';
import { temporaryFolder, text } from '../stdio/harness';
import { SignInDesk } from '../stdio/signInDesk';
import { waitUntil } from '../stdio/waitUntil';
import { chosenAgents } from './chosen.mjs';
import { install, launchOf } from './installed.mjs';

/*
 * Real agents that nobody has signed in to, without any network: when they ask, what they offer, and what they make of
 * it.
 */

const chosen = (name: string) => ({ skip: !chosenAgents().includes(name) });
const aKey = 'sk-not-a-real-key-0000';

/** Starts a real agent with a home in which there is nothing. */
async function stranger(name: string): Promise<SignInDesk> {
  const node = await install(name);
  const home = temporaryFolder();
  const { command, args, env } = launchOf(name, node, temporaryFolder(), 'http://127.0.0.1:9');
  const wireLog = join(home, 'wire.ndjson');
  const bare = { PATH: env.PATH, NO_BROWSER: '1', DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1', IS_SANDBOX: '' };
  return SignInDesk.open(
    {},
    {
      command: {
        command: process.execPath,
        args: [join(root, 'test/fakes/recorder.mjs'), wireLog, command, ...args],
        env: { ...bare, HOME: home, USERPROFILE: home },
      },
      wireLog,
    },
  );
}

describe('an agent that nobody has signed in to', () => {
  test('39, 48, 51: codex takes a key in its own shape, and lets go of it', chosen('codex'), async () => {
    const desk = await stranger('codex');
    desk.key = aKey;
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.methods).toMatchObject([
      { id: 'api-key', kind: 'apiKey' },
      { id: 'chat-gpt-device-code', kind: 'agent' },
    ]);
    await desk.choosing('api-key');
    await opened;
    expect(desk.agent.features.logout).toBe(true);
    await desk.agent.connection.logout();
    const again = desk.open();
    // The key that is kept is tried by itself.
    await again;
    expect(desk.askedForKey).toHaveLength(1);
    expect(desk.log).not.toContain(aKey);
  });

  test('39, 51: gemini takes a key as text', chosen('gemini'), async () => {
    const desk = await stranger('gemini');
    desk.key = aKey;
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view).toMatchObject({
      reason: expect.stringMatching(/key is missing/),
      methods: expect.arrayContaining([expect.objectContaining({ id: 'gemini-api-key', kind: 'apiKey' })]),
    });
    await desk.choosing('gemini-api-key');
    await opened;
    expect(desk.link.sent('authenticate').at(-1)!['params']._meta).toEqual({ 'api-key': aKey });
    expect(desk.log).not.toContain(aKey);
  });

  test(
    '43, 44: claude asks at the first prompt, and offers its own command in a terminal',
    chosen('claude'),
    async () => {
      const desk = await stranger('claude');
      const { connection } = desk.agent;
      const { sessionId } = await connection.newSession({ cwd: desk.link.folder, mcpServers: [] });
      const refusal = await connection.prompt(sessionId, text('hello')).catch((error: unknown) => error);
      const request = desk.request(desk.agent, refusal);
      await desk.at('choose');
      expect(desk.view!.methods).toMatchObject([{ id: 'claude-login', kind: 'terminal' }]);
      await desk.choosing('claude-login');
      expect(desk.view!.step).toMatchObject({ type: 'confirm', command: expect.stringMatching(/--cli$/) });
      desk.acts('dismiss');
      await expect(request).rejects.toBeInstanceOf(NotSent);
    },
  );

  test('42: qwen says what is missing, and the card with it', chosen('qwen'), async () => {
    const desk = await stranger('qwen');
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.reason).toMatch(/^Authentication required: /);
    await desk.choosing('openai');
    await waitUntil('the card says what is missing', () => desk.view?.problem?.includes('OPENAI_API_KEY') === true);
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
  });
});
