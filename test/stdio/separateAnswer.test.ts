import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { AgentPrograms } from '../../src/host/agents/agentPrograms';
import type { AgentConfiguration } from '../../src/host/agents/agentSettings';
import { NoAnswerGiven, SeparateAnswers } from '../../src/host/ask/separateAnswer';
import { secretlessLog } from '../../src/host/platform/secretlessLog';
import { processTag } from '../../src/node/processTag';
import type { Options } from '../fakes/agent/options.mjs';
import { assertClientWire } from '../fakes/clientSchema';
import { FakeClock } from '../fakes/fakeClock';
import { MemoryState } from '../fakes/memoryState';
import { runtimeOptions } from '../fakes/runtimePins';
import { messagesOf, readWireLog } from '../fakes/wireLog';
import { fakeAgentFile, fakeAgentV2File, isAlive, temporaryFolder } from './harness';
import { waitUntil } from './waitUntil';

/* One answer of an agent apart from all sessions, over a real pipe. */

const window = vi.hoisted(() => ({ isTrusted: true }));
vi.mock('vscode', () => ({
  workspace: {
    get isTrusted() {
      return window.isTrusted;
    },
    getConfiguration: () => ({ inspect: () => undefined }),
  },
  window: {},
  ConfigurationTarget: {},
}));
beforeEach(() => void (window.isTrusted = true));

interface DeskOptions {
  readonly agent?: Options;
  /** Directives of the turn. */
  readonly turn?: readonly string[];
  readonly configuration?: Partial<AgentConfiguration>;
  readonly key?: string;
}

/** Afterwards the wire is checked against the schema, and the process and its folder must be gone. */
function desk({ agent = {}, turn, configuration: fields = {}, key }: DeskOptions = {}) {
  const folder = temporaryFolder();
  const log = join(folder, 'wire.ndjson');
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(turn ? { turns: [turn] } : {}));
  const configuration: AgentConfiguration = {
    name: 'Mine',
    command: process.execPath,
    args: [fakeAgentFile],
    capabilities: {},
    ...fields,
    env: { FAKE_AGENT_LOG: log, FAKE_AGENT_OPTIONS: JSON.stringify(agent), FAKE_AGENT_SCENARIO: scenario },
  };
  const programs = new AgentPrograms({
    installation: {
      root: join(folder, 'agents'),
      tree: { mark: processTag },
      runtime: runtimeOptions(),
      log: silentLogger,
    },
    agents: () => [],
    folders: () => [],
    state: new MemoryState(),
  });
  const clock = new FakeClock();
  const answers = new SeparateAnswers({
    process: { clientVersion: '1.0.0', clock, log: secretlessLog(silentLogger, () => []) },
    programs: () => Promise.resolve(programs),
    keyFor: async (_, [method]) => (key === undefined || !method ? undefined : { methodId: method.id, key }),
  });
  const wire = () => (existsSync(log) ? readWireLog(log) : []);
  const sent = (method: string) => messagesOf(wire(), '>').filter((message) => message['method'] === method);
  const pids = () => wire().flatMap(({ event, pid }) => (event === 'start' ? [Number(pid)] : []));
  const ask = (token = neverCancelled, text = 'Write it.') => answers.ask(configuration, text, token);
  const before = folders();
  onTestFinished(() => {
    expect(pids().filter(isAlive)).toEqual([]);
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
    if (existsSync(log)) assertClientWire(log);
  });
  return { folder, answers, ask, clock, sent, pids };
}

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('parley-ask-'));

test('the agent answers in an empty folder of its own, and is offered nothing', async () => {
  const { ask, sent } = desk({ turn: ['@@SAY Add a parser'], configuration: { cwd: '/' } });
  expect(await ask()).toBe('Add a parser');
  const [initialize] = sent('initialize');
  // Agents put a notice into the answer where it has no place of its own.
  expect((initialize!['params'] as { clientCapabilities: unknown }).clientCapabilities).toEqual({
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { notices: {}, compaction: {} },
  });
  const [opened] = sent('session/new');
  expect(opened!['params']).toEqual({ cwd: expect.stringMatching(/parley-ask-/), mcpServers: [] });
  expect(sent('session/close')).toHaveLength(1);
});

test('an agent that asks for a write, a terminal or a permission gets nothing, and may still answer', async () => {
  const { folder, ask } = desk({
    turn: [
      `@@WRITE ${join(tmpdir(), 'parley-asked-to-write.txt')} ${Buffer.from('x').toString('base64')}`,
      '@@READ /etc/hosts',
      '@@TERMINAL echo hello',
      '@@PERMISSION Push to main',
      '@@SAY Add a parser',
    ],
  });
  const answer = await ask();
  expect(answer).toMatch(/Add a parser$/);
  expect(answer).not.toMatch(/hello|localhost/);
  expect(answer).toContain('reject');
  expect(existsSync(join(tmpdir(), 'parley-asked-to-write.txt'))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['scenario.json', 'wire.ndjson']);
});

test('a notice is not the answer', async () => {
  const notice = { sessionUpdate: 'notice', severity: 'warning', title: 'A warning', description: 'Billed as before.' };
  const { ask } = desk({ turn: ['@@SAY Add a parser', `@@UPDATE ${JSON.stringify(notice)}`] });
  expect(await ask()).toBe('Add a parser');
});

test('what was said before a tool call is not the answer', async () => {
  const { ask } = desk({ turn: ['@@SAY Let me look.', '@@TOOL {"status":"completed"}', '@@SAY Add a parser'] });
  expect(await ask()).toBe('Add a parser');
});

test('an answer of 10 MB is given up, and its agent is ended', async () => {
  const { ask, pids } = desk({ turn: [`@@SAY ${'x'.repeat(10_000_000)}`, '@@SILENT'] });
  await expect(ask()).rejects.toEqual(new NoAnswerGiven('The answer is too long.'));
  expect(pids()).toHaveLength(1);
});

test('Stop ends an agent that says nothing', async () => {
  const { ask, sent } = desk({ turn: ['@@SILENT'] });
  const source = new CancellationSource();
  const answer = ask(source.token);
  await waitUntil('the prompt', () => sent('session/prompt').length === 1);
  source.cancel();
  expect(await answer).toBeUndefined();
});

test('Stop before the agent has answered at all', async () => {
  const { ask, pids } = desk({ agent: { neverInitialize: true } });
  const source = new CancellationSource();
  const answer = ask(source.token);
  await waitUntil('the process', () => pids().length === 1);
  source.cancel();
  expect(await answer).toBeUndefined();
});

test('an agent that does not answer in five minutes is ended', async () => {
  const { ask, sent, clock } = desk({ turn: ['@@SILENT'] });
  const answer = ask();
  await waitUntil('the prompt', () => sent('session/prompt').length === 1 && clock.running > 0);
  clock.advance(5 * 60_000);
  await expect(answer).rejects.toThrow('The agent did not respond within 300 seconds.');
});

test.each<[string, DeskOptions, RegExp]>([
  ['ends at once', { agent: { dieAtStart: { code: 3, stderr: 'no model' } } }, /exit code 3/],
  ['refuses the session', { agent: { sessionError: { code: -32603, message: 'no quota' } } }, /no quota/],
  ['fails in the turn', { turn: ['@@ERROR -32603 overloaded'] }, /overloaded/],
  ['refuses', { turn: ['@@STOP refusal'] }, /refusal/],
  ['says nothing', { turn: ['@@THINK hm'] }, /without an answer \(end_turn\)/],
  ['wants a sign-in', { agent: { authRequired: true } }, /sign in/],
  ['is not there', { configuration: { command: 'parley-no-such-agent', args: [] } }, /was not found/],
])('an agent that %s: the user reads why', async (_, options, words) => {
  await expect(desk(options).ask()).rejects.toThrow(words);
});

test('nothing starts in Restricted Mode', async () => {
  window.isTrusted = false;
  const { ask, pids } = desk();
  await expect(ask()).rejects.toThrow('Restricted Mode');
  expect(pids()).toEqual([]);
});

test('an agent of the draft answers, too', async () => {
  const { ask } = desk({ configuration: { args: [fakeAgentV2File], protocol: 2 } });
  expect(await ask(neverCancelled, '@@SAY Add a parser')).toBe('Add a parser');
});
