import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import { type Conversation, type ConversationOptions, startConversation } from './conversation';

/** Starts what a real agent once said. */
function replay(agent: string, trace: string, options: ConversationOptions = {}): Promise<Conversation> {
  const args = [resolve(import.meta.dirname, '../fakes/replayAgent.mjs'), agent, trace];
  return startConversation({ ...options, command: { command: process.execPath, args } });
}

async function choose(conversation: Conversation, name: RegExp): Promise<void> {
  const [requestId] = await conversation.questions();
  const options = conversation.toolCalls().flatMap((call) => call.permissions)[0]?.subject.options ?? [];
  const option = options.find((candidate) => name.test(candidate.name));
  expect(option, options.map((candidate) => candidate.name).join(', ')).toBeDefined();
  conversation.session.selectPermission(requestId!, option!.optionId);
}

function virtualOutput(conversation: Conversation): () => string {
  let output = '';
  conversation.session.onDidReceiveTerminal((event) => {
    if (event.type === 'output') output += event.data;
  });
  return () => output;
}

describe('what real agents were recorded to say', () => {
  test('claude: a command is asked for, and its output comes in _meta', async () => {
    const conversation = await replay('claude', 'runperm');
    const output = virtualOutput(conversation);
    const turn = conversation.begin('run it');
    await choose(conversation, /^Yes$/);
    await turn;
    expect(output()).toBe('hello\ndone');
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (completed)",
        "agent: Done: RUNPERM after 1 tool result(s). Result: hello
      done",
      ]
    `);
    expect(conversation.toolCalls()[0]?.content).toEqual([
      { type: 'terminal', terminalId: conversation.toolCalls()[0]?.toolCallId },
    ]);
  });

  test('codex: a command is asked for, and its output streams although nobody created a terminal', async () => {
    const conversation = await replay('codex', 'runperm');
    const output = virtualOutput(conversation);
    const turn = conversation.begin('run it');
    await choose(conversation, /^Yes, proceed$/);
    await turn;
    expect(output()).toBe('done\n');
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (completed)",
        "agent: Done: RUNPERM after 1 tool result(s). Result: Chunk ID: 40db89
      Wall time: 0.8797 seconds
      Process exited with code 0
      Original token count: 3
      Output:
      hello
      done
      ",
      ]
    `);
  });

  test('codex: Stop withdraws its question, and no card stays open', async () => {
    const conversation = await replay('codex', 'cancelperm');
    const turn = conversation.begin('run it');
    await conversation.questions();
    conversation.session.cancel();
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.session.thread.open).toEqual([]);
    await conversation.play('again');
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (failed)",
        "notice: Stopped",
        "user: again",
        "agent: word1 word2 word3 ",
      ]
    `);
  });

  test('gemini: a question without a tool call before it, and a rejected call that hears nothing more', async () => {
    const conversation = await replay('gemini', 'denyrun');
    const turn = conversation.begin('run it');
    await choose(conversation, /no|reject|cancel/i);
    await turn;
    expect(conversation.session.thread.open).toEqual([]);
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (unfinished)",
        "agent: Done: RUNPERM after 1 tool result(s). Result: {"error":"Tool \\"run_shell_command\\" was canceled by the user."}",
      ]
    `);
  });

  test('gemini: Stop during its question', async () => {
    const conversation = await replay('gemini', 'cancelperm');
    const turn = conversation.begin('run it');
    await conversation.questions();
    conversation.session.cancel();
    await turn;
    await conversation.play('again');
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (cancelled)",
        "notice: Stopped",
        "user: again",
        "agent: word1 word2 word3 ",
      ]
    `);
  });

  test('gemini: it reads a file that is to be created, and lives with the error', async () => {
    const conversation = await replay('gemini', 'write', {
      files: { readTextFile: ({ path }) => Promise.reject(AcpError.notFound(`No such file: ${path}`)) },
    });
    await conversation.play('write it');
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: Writing to new.txt (failed)",
        "agent: Done: WRITE after 1 tool result(s). Result: {"error":"Error checking existing file: Resource not found: /home/user/project/new.txt"}",
      ]
    `);
  });

  test('opencode: asks with the whole file and writes through the client', async () => {
    const written: string[] = [];
    const conversation = await replay('opencode', 'edit', {
      files: { writeTextFile: async ({ path, content }) => void written.push(`${path}: ${content}`) },
    });
    const turn = conversation.begin('edit it');
    await choose(conversation, /once/i);
    await turn;
    expect(written).toEqual(['/home/user/project/demo.txt: line one\nline TWO (edited)\nline three\n']);
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: I will edit the file. ",
        "tool: demo.txt (completed)",
        "agent: Now editing. ",
        "tool: demo.txt (completed)",
        "agent: Done: EDIT after 2 tool result(s). Result: Edit applied successfully.",
      ]
    `);
  });

  test('qwen: the command stands only in the question, empty chunks make no bubbles, private requests are refused', async () => {
    const conversation = await replay('qwen', 'runperm');
    const turn = conversation.begin('run it');
    await choose(conversation, /^Allow$/);
    await turn;
    expect(conversation.lines().slice(1)).toMatchInlineSnapshot(`
      [
        "agent: Working on it… ",
        "tool: touch made-by-agent.txt && echo hello && sleep 1 && echo done (completed)",
        "agent: Done: RUNPERM after 1 tool result(s). Result: Command: touch made-by-agent.txt && echo hello && sleep 1 && echo done
      Directory: (root)
      Output: hello
      done
      Error: (none)
      Exit Code: 0
      Signal: (none)
      Process Gr",
      ]
    `);
    expect(conversation.link.sent().find((message) => 'error' in message)?.['error'].code).toBe(-32601);
  });

  test('qwen: a plan', async () => {
    const conversation = await replay('qwen', 'plan');
    await conversation.play('plan it');
    expect(conversation.session.thread.plan.map(({ status, content }) => `${status}: ${content}`))
      .toMatchInlineSnapshot(`
      [
        "completed: Inspect the code",
        "completed: Make the change",
        "completed: Run the tests",
      ]
    `);
  });
});
