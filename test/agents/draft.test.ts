import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByteText } from '../../src/node/byteText';
import { optionOf } from '../../src/thread/sessionOptions';
import { root } from '../launch/project.mjs';
import { type Conversation, startConversation } from '../stdio/conversation';
import { temporaryFolder } from '../stdio/harness';
import { waitUntil } from '../stdio/waitUntil';
import { chosenAgents } from './chosen.mjs';
import { install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

/** Those that serve the draft of version 2; asked for it, the others answer with 1. */
const serving = ['claude', 'codex'];

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** Starts a real agent in version 2 behind the recorder. */
async function start(name: string, node: string): Promise<Conversation> {
  const home = temporaryFolder();
  const { command, args, env, askingMode } = launchOf(name, node, home, model.url);
  const wireLog = join(home, 'wire.ndjson');
  const conversation = await startConversation({
    protocol: 2,
    command: {
      command: process.execPath,
      args: [join(root, 'test/fakes/recorder.mjs'), wireLog, command, ...args],
      env,
    },
    wireLog,
  });
  const option = optionOf(conversation.session.thread.options, 'mode');
  if (askingMode !== undefined && option) await conversation.session.setOption(option.key, askingMode);
  return conversation;
}

/** Allows each question once it waits, until the turn has ended. */
async function allowAll({ session }: Conversation, turn: Promise<unknown>): Promise<void> {
  const allow = () => {
    for (const { requestId, index } of session.thread.waiting) {
      const call = session.thread.entries.at(index);
      const options =
        call?.kind === 'toolCall'
          ? call.permissions.find((item) => item.requestId === requestId)?.subject.options
          : undefined;
      const option = options?.find(({ kind }) => kind === 'allow_once');
      if (option) session.selectPermission(requestId, option.optionId);
    }
  };
  const subscription = session.onDidAsk(() => void Promise.resolve().then(allow));
  await turn;
  subscription.dispose();
}

describe.each(chosenAgents().filter((name) => serving.includes(name)))('%s in the draft of version 2', (name) => {
  let node: string;
  beforeAll(async () => {
    node = await install(name);
  });

  test('a prompt is answered, and stands there once', async () => {
    const conversation = await start(name, node);
    await conversation.play('%%SAY Hello from the other side');
    expect(conversation.lines()).toEqual(['user: %%SAY Hello from the other side', 'agent: Hello from the other side']);
  });

  test('a file is edited after the user allowed it, with its patch in the question', async () => {
    const conversation = await start(name, node);
    const file = join(conversation.link.folder, 'demo.txt');
    writeFileSync(file, 'line one\nline two\nline three\n');
    const turn = conversation.begin(`%%EDIT ${file} | line two | line TWO`);
    const [requestId] = await conversation.questions();
    expect(readFileSync(file, 'utf8')).toContain('line two');
    const call = conversation.toolCalls().at(-1)!;
    expect(call.content).toMatchObject([
      { type: 'fileChange', operation: 'modify', path: file, patch: expect.stringContaining('+line TWO') },
    ]);
    conversation.session.selectPermission(
      requestId!,
      call.permissions[0]!.subject.options.find(({ kind }) => kind === 'allow_once')!.optionId,
    );
    await turn;
    expect(readFileSync(file, 'utf8')).toBe('line one\nline TWO\nline three\n');
    expect(conversation.toolCalls().at(-1)?.status).toBe('completed');
  });

  test('a command runs in a terminal of its own', async () => {
    const conversation = await start(name, node);
    const bytes = new ByteText();
    let output = '';
    conversation.session.onDidReceiveTerminal((event) => {
      if (event.type === 'bytes') output += bytes.decode(event.data);
      if (event.type === 'patched' && event.fields.output) output = new ByteText().decode(event.fields.output);
    });
    await allowAll(conversation, conversation.begin('%%RUN echo hello-from-shell'));
    expect(output).toContain('hello-from-shell');
    expect(conversation.toolCalls().at(-1)).toMatchObject({ status: 'completed', content: [{ type: 'terminal' }] });
  });

  test('Stop ends the turn', async () => {
    const conversation = await start(name, node);
    const turn = conversation.begin('%%SLOW');
    await waitUntil('the answer begins', () => conversation.lines().some((line) => line.startsWith('agent:')));
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('a session is listed and gone on with, with its history', async () => {
    const conversation = await start(name, node);
    await conversation.play('%%SAY Remember me');
    const { link, sessionId } = conversation;
    await link.connection.closeSession(sessionId);
    expect((await link.connection.listSessions(link.folder)).sessions.map((session) => session.sessionId)).toContain(
      sessionId,
    );
    const before = link.updates.length;
    await link.connection.loadSession({ sessionId, cwd: link.folder, mcpServers: [] });
    const replayed = link.updates
      .slice(before)
      .map(({ update }) => (update.type === 'message' || update.type === 'messageChunk' ? JSON.stringify(update) : ''));
    expect(replayed.filter((line) => line.includes('Remember me')).length).toBeGreaterThanOrEqual(2);
  });
});
