import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentFeatures } from '../../src/acp/capabilities';
import type { FileHandlers } from '../../src/acp/handlers';
import type { Attachment } from '../../src/host/attachments/attachment';
import { attachmentBlocks } from '../../src/host/attachments/promptBlocks';
import { optionOf } from '../../src/thread/sessionOptions';
import type { ToolCall } from '../../src/thread/thread';
import { checkPattern } from '../../src/node/patternCheck';
import { answerForm } from '../../src/thread/formAnswer';
import { messagesOf } from '../fakes/wireLog';
import { root } from '../launch/project.mjs';
import { type Conversation, startConversation } from '../stdio/conversation';
import { temporaryFolder, text } from '../stdio/harness';
import { waitUntil } from '../stdio/waitUntil';
import { picture } from '../webview/views.mjs';
import { chosenAgents } from './chosen.mjs';
import { agents, install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** Starts a real agent behind the recorder, joined to a session of ours as the extension host does it. */
async function start(name: string, node: string): Promise<Conversation & { mode?: string | undefined }> {
  const home = temporaryFolder();
  const { command, args, env, askingMode } = launchOf(name, node, home, model.url);
  const files: Partial<FileHandlers> = {
    readTextFile: async ({ path }) => ({ content: readFileSync(path, 'utf8') }),
    writeTextFile: async ({ path, content }) => writeFileSync(path, content),
  };
  const wireLog = join(home, 'wire.ndjson');
  const conversation = await startConversation({
    command: {
      command: process.execPath,
      args: [join(root, 'test/fakes/recorder.mjs'), wireLog, command, ...args],
      env,
    },
    wireLog,
    files,
  });
  return Object.assign(conversation, { mode: askingMode });
}

/** The mode in which this agent asks before it acts. */
async function chooseMode({ session, mode }: Conversation & { mode?: string | undefined }): Promise<void> {
  const option = optionOf(session.thread.options, 'mode');
  if (mode !== undefined && option) await session.setOption(option.key, mode);
}

/** Says yes, once, to whatever is asked. */
function allowWaiting({ session }: Conversation): void {
  for (const { requestId, index } of session.thread.waiting) {
    const call = session.thread.entries.at(index);
    const permissions = call?.kind === 'toolCall' ? call.permissions : [];
    const allow = permissions
      .find((item) => item.requestId === requestId)
      ?.subject.options.find(({ kind }) => kind === 'allow_once');
    if (allow) session.selectPermission(requestId, allow.optionId);
  }
}

function terminalOutput(conversation: Conversation): () => string {
  let output = '';
  conversation.session.onDidReceiveTerminal((event) => {
    if (event.type === 'output') output += event.data;
  });
  return () => output;
}

const everything = { image: true, audio: true, embeddedContext: true };

function attached(fields: Pick<Attachment, 'kind' | 'label' | 'linkable' | 'uri'> & Partial<Attachment>): Attachment {
  return { id: fields.label, detail: '', ...fields };
}

function lastCall(conversation: Conversation, kind: ToolCall['toolKind']): ToolCall | undefined {
  return conversation.toolCalls().findLast((call) => call.toolKind === kind);
}

describe.each(chosenAgents())('%s over our connection', (name) => {
  let node: string;
  beforeAll(async () => {
    node = await install(name);
  });

  test('a prompt is answered in a stream', async () => {
    const conversation = await start(name, node);
    await conversation.play('%%SAY Hello from the other side');
    expect(conversation.lines().at(-1)).toBe('agent: Hello from the other side');
  });

  test.skipIf(agents[name]?.textOnly)(
    'item 76: an image, a selection and a diff without a file reach its model',
    async () => {
      const conversation = await start(name, node);
      const file = pathToFileURL(join(conversation.link.folder, 'tokenizer.ts')).href;
      await conversation.session.prompt([
        { type: 'text', text: '%%SAY I see it' },
        ...attachmentBlocks(
          attached({ kind: 'selection', label: 'tokenizer.ts:10-24', linkable: true, uri: `${file}#L10-L24` }),
          'const selected = "tokens";',
          everything,
        ),
        ...attachmentBlocks(
          attached({
            kind: 'changes',
            label: 'Changes',
            linkable: false,
            uri: 'parley:/changes',
            mimeType: 'text/x-diff',
          }),
          '+const changed = 1;',
          everything,
        ),
        ...attachmentBlocks(
          attached({
            kind: 'image',
            label: 'Pasted image',
            linkable: false,
            uri: 'parley:/attached/Pasted%20image',
            mimeType: 'image/png',
          }),
          picture.data,
          everything,
        ),
      ]);
      expect(conversation.lines().at(-1)).toBe('agent: I see it');
      const parts = ['const selected', 'const changed', 'tokenizer.ts', picture.data.slice(0, 100)];
      const arrived = model.bodies
        .filter((body) => body.includes('I see it'))
        .map((body) => parts.filter((part) => body.includes(part)));
      expect(arrived).toContainEqual(parts);
    },
  );

  test('a file is edited after the user allowed it', async () => {
    const conversation = await start(name, node);
    const file = join(conversation.link.folder, 'demo.txt');
    writeFileSync(file, 'line one\nline two\nline three\n');
    await chooseMode(conversation);
    const turn = conversation.begin(`%%EDIT ${file} | line two | line TWO`);
    if (agents[name]?.editsUnasked) {
      await turn;
      expect(readFileSync(file, 'utf8')).toBe('line one\nline TWO\nline three\n');
      return;
    }
    const [requestId] = await conversation.questions();
    expect(readFileSync(file, 'utf8')).toContain('line two');
    const call = lastCall(conversation, 'edit')!;
    expect(call.content).toContainEqual(expect.objectContaining({ type: 'diff', path: file }));
    const allow = call.permissions[0]?.subject.options.find(({ kind }) => kind === 'allow_once');
    conversation.session.selectPermission(requestId!, allow!.optionId);
    await turn;
    expect(readFileSync(file, 'utf8')).toBe('line one\nline TWO\nline three\n');
    expect(lastCall(conversation, 'edit')?.status).toBe('completed');
  });

  test.skipIf(agents[name]?.editsUnasked)('a rejected edit leaves the file alone and every card closed', async () => {
    const conversation = await start(name, node);
    const file = join(conversation.link.folder, 'demo.txt');
    writeFileSync(file, 'line one\nline two\nline three\n');
    await chooseMode(conversation);
    const turn = conversation.begin(`%%EDIT ${file} | line two | line TWO`);
    const [requestId] = await conversation.questions();
    const reject = lastCall(conversation, 'edit')?.permissions[0]?.subject.options.find(
      ({ kind }) => kind === 'reject_once',
    );
    conversation.session.selectPermission(requestId!, reject!.optionId);
    await turn;
    expect(readFileSync(file, 'utf8')).toContain('line two');
    expect(conversation.session.thread.open).toEqual([]);
  });

  // Terminals of the client are those of VS Code.
  test.skipIf(agents[name]?.usesTerminals)(
    'a command runs after the user allowed it, and its output is seen',
    async () => {
      const conversation = await start(name, node);
      await chooseMode(conversation);
      const output = terminalOutput(conversation);
      const made = join(conversation.link.folder, 'made.txt');
      // The pause lets the agent attach to the command: what is printed before that may be lost on the agent's side.
      const turn = conversation.begin('%%RUN touch made.txt && sleep 1 && echo visible-output');
      const [requestId] = await conversation.questions();
      expect(existsSync(made)).toBe(false);
      const allow = lastCall(conversation, 'execute')?.permissions[0]?.subject.options.find(
        ({ kind }) => kind === 'allow_once',
      );
      conversation.session.selectPermission(requestId!, allow!.optionId);
      await turn;
      expect(existsSync(made)).toBe(true);
      expect(lastCall(conversation, 'execute')?.status).toBe('completed');
      const { content, rawOutput } = lastCall(conversation, 'execute')!;
      if (agents[name]?.output === 'terminal') {
        expect(output()).toContain('visible-output');
        expect(content).toContainEqual(expect.objectContaining({ type: 'terminal' }));
      }
      if (agents[name]?.output === 'text') expect(JSON.stringify([content, rawOutput])).toContain('visible-output');
    },
  );

  test.runIf(agents[name]?.tellsPlans)('what it plans is one list, whose last state is kept', async () => {
    const conversation = await start(name, node);
    const turn = conversation.begin('%%PLAN');
    // Some ask before they change their list of things to do.
    const allowing = setInterval(() => allowWaiting(conversation), 50);
    await turn;
    clearInterval(allowing);
    expect(conversation.session.thread.plan).toMatchObject(
      ['Inspect the code', 'Make the change', 'Run the tests'].map((content) => ({ content, status: 'completed' })),
    );
  });

  test.runIf(agents[name]?.hasForms)(
    'the agent’s own question comes as a form, and its answer reaches the model',
    async () => {
      const conversation = await start(name, node);
      // Codex asks only while it plans together with the user.
      const planning = conversation.session.thread.options.shown.find(({ key }) => key.endsWith('collaboration_mode'));
      if (planning) await conversation.session.setOption(planning.key, 'plan');
      const turn = conversation.begin('%%ASK');
      const [requestId] = await conversation.questions();
      const [question] = conversation.elicitations();
      const fields = question?.ask.mode === 'form' ? question.ask.form.fields : [];
      expect(fields[0]).toMatchObject({
        type: 'select',
        options: expect.arrayContaining([{ value: 'Red', title: 'Red', description: 'Choose Red' }]),
      });
      conversation.session.elicitations.submit(requestId!, (form) =>
        answerForm(form, new Map([[fields[0]!.key, 'Blue']]), checkPattern),
      );
      await turn;
      expect(conversation.elicitations()).toMatchObject([{ state: 'accepted', answers: [{ text: 'Blue' }] }]);
      expect(conversation.lines().join('\n')).toMatch(/The last tool said: [^]*Blue/);
    },
  );

  test('a model is chosen, and what is on or off; each thing is offered once and stands as the agent confirms it', async () => {
    const { session } = await start(name, node);
    const shown = () => session.thread.options.shown;
    for (const role of ['mode', 'model'] as const)
      expect(shown().filter((option) => option.role === role)).toHaveLength(1);
    const model = optionOf(session.thread.options, 'model')!;
    const other =
      model.type === 'select'
        ? (model.choices.find(({ value }) => value !== model.current) ?? model.choices[0])
        : undefined;
    await session.setOption(model.key, other!.value);
    expect(optionOf(session.thread.options, 'model')).toMatchObject({ current: other!.value });
    const mode = optionOf(session.thread.options, 'mode')!;
    const next = mode.type === 'select' ? mode.choices.find(({ value }) => value !== mode.current) : undefined;
    await session.setOption(mode.key, next!.value);
    expect(optionOf(session.thread.options, 'mode')).toMatchObject({ current: next!.value });
    const flag = shown().find((option) => option.type === 'boolean');
    if (flag) await session.setOption(flag.key, !flag.current);
    expect(shown().find((option) => option.key === flag?.key)?.current).toBe(flag && !flag.current);
  });

  test.runIf(agents[name]?.steers)(
    'a message into the running turn reaches the model before the turn is over, and another one is for a prompt of its own',
    async () => {
      const conversation = await start(name, node);
      await chooseMode(conversation);
      const { session, link } = conversation;
      const turn = conversation.begin('%%RUN touch made.txt && sleep 1 && echo visible-output');
      const [requestId] = await conversation.questions();
      expect(await session.steer(text('%%SAY I was steered'), text('%%SAY I was steered'))).toBe(true);
      const allow = lastCall(conversation, 'execute')?.permissions[0]?.subject.options.find(
        ({ kind }) => kind === 'allow_once',
      );
      session.selectPermission(requestId!, allow!.optionId);
      await turn;
      const said = conversation.lines().filter((line) => !line.startsWith('thought:'));
      expect(said.indexOf('user: %%SAY I was steered')).toBeGreaterThan(0);
      expect(said.slice(said.indexOf('user: %%SAY I was steered') + 1).join('\n')).toContain('agent: I was steered');
      expect(link.sent('session/prompt')).toHaveLength(1);
      expect(link.sent('session/cancel')).toHaveLength(0);
      expect(existsSync(join(link.folder, 'made.txt'))).toBe(true);
      // The turn is over: it is not taken, and nothing stands in the thread of it.
      expect(await link.connection.steer!(conversation.sessionId, text('%%SAY late'))).toBe(false);
      await conversation.play('%%SAY late');
      expect(conversation.lines().at(-1)).toBe('agent: late');
    },
  );

  test('says whether it takes messages into a running turn as we know it', async () => {
    const { link } = await start(name, node);
    const initialized = messagesOf(link.wire(), '<').find(
      (message) => message['result']?.agentCapabilities !== undefined,
    );
    expect(agentFeatures(initialized?.['result']).steering).toBe(agents[name]?.steers === true);
  });

  test('a long answer can be stopped', async () => {
    const conversation = await start(name, node);
    const turn = conversation.begin('%%SLOW');
    await waitUntil('it streams', () => conversation.lines().at(-1)?.includes('slow3 '), 60_000);
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
    expect(conversation.link.sent('session/cancel')).toHaveLength(1);
  });

  test('a question can be stopped too', async () => {
    const conversation = await start(name, node);
    await chooseMode(conversation);
    const turn = conversation.begin('%%RUN touch made.txt && sleep 1 && echo visible-output');
    await conversation.questions();
    conversation.session.cancel();
    await turn;
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(conversation.session.thread.open).toEqual([]);
    expect(existsSync(join(conversation.link.folder, 'made.txt'))).toBe(false);
  });
});
