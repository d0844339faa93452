import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { secretlessLog } from '../../src/host/platform/secretlessLog';
import { AgentPrograms } from '../../src/host/agents/agentPrograms';
import type { AgentConfiguration } from '../../src/host/agents/agentSettings';
import { AgentCheck, type AgentCheckOptions, type CheckRequest } from '../../src/host/agents/check/agentCheck';
import type { CheckStep, CheckView } from '../../src/host/agents/check/checkSteps';
import { testConnection } from '../../src/host/agents/check/connectionReport';
import { processTag } from '../../src/node/processTag';
import { assertClientWire } from '../fakes/clientSchema';
import { FakeClock } from '../fakes/fakeClock';
import type { Options } from '../fakes/agent/options.mjs';
import { MemoryState } from '../fakes/memoryState';
import { messagesOf, readWireLog } from '../fakes/wireLog';
import { fakeAgentFile, fakeAgentV2File, isAlive, temporaryFolder } from './harness';
import { waitUntil } from './waitUntil';
import { runtimeOptions } from '../fakes/runtimePins';

/* A check from the search for the program to the end of its process, over a real pipe. */

vi.mock('vscode', () => ({
  workspace: { getConfiguration: () => ({ inspect: () => undefined }) },
  window: {},
  ConfigurationTarget: {},
}));

interface DeskOptions extends Partial<Pick<AgentCheckOptions, 'placeOf' | 'keyFor' | 'programs' | 'secrets'>> {
  readonly agent?: Options;
  readonly configuration?: Partial<AgentConfiguration>;
}

/** A check of the fake agent. Afterwards its wire is checked against the schema, and its process must be gone. */
function desk({ agent = {}, configuration: fields = {}, ...options }: DeskOptions = {}) {
  const folder = temporaryFolder();
  const log = join(folder, 'wire.ndjson');
  const env = { FAKE_AGENT_LOG: log, FAKE_AGENT_OPTIONS: JSON.stringify(agent), ...fields.env };
  const configuration: AgentConfiguration = {
    name: 'Mine',
    command: process.execPath,
    args: [fakeAgentFile],
    capabilities: {},
    ...fields,
    env,
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
  /** What Parley has read of the agent beside messages, among others. */
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  const checkLog = secretlessLog({ ...silentLogger, debug: note, warn: note }, () => []);
  const check = new AgentCheck({
    programs: () => Promise.resolve(programs),
    placeOf: () => ({ folder }),
    keyFor: () => Promise.resolve(undefined),
    secrets: () => [],
    process: { clientVersion: '1.0.0', clock, log: checkLog },
    ...options,
  });
  const views: CheckView[] = [];
  const run = async (request: Partial<CheckRequest> = {}, token = neverCancelled) => {
    const result = await check.run({ configuration, until: 'session', ...request }, token, (view) => views.push(view));
    expect(views.at(-1)).toEqual(result.view);
    expect(result.view.isRunning).toBe(false);
    return { ...result, steps: result.view.steps.map(briefly) };
  };
  const wire = () => (existsSync(log) ? readWireLog(log) : []);
  const sent = (method?: string) =>
    messagesOf(wire(), '>')
      .map((message) => message['method'])
      .filter((name) => method === undefined || name === method);
  const pids = () => wire().flatMap(({ event, pid }) => (event === 'start' ? [Number(pid)] : []));
  onTestFinished(() => {
    expect(pids().filter(isAlive)).toEqual([]);
    if (existsSync(log)) assertClientWire(log);
  });
  return { folder, check, configuration, clock, logged, views, run, sent, pids };
}

function briefly({ id, state, text, help }: CheckStep): string {
  return [`${id} ${state}`, text, help].filter(Boolean).join(' | ');
}

const rest = (...ids: string[]) => ids.map((id) => `${id} skipped`);

test('an agent that works passes each step, and no prompt is sent', async () => {
  const { folder, run, sent, views } = desk();
  const { steps, view, features } = await run();
  expect(steps).toEqual([
    `folder passed | ${folder}`,
    `found passed | ${process.execPath}`,
    'version passed | Fake Agent 9.9.9',
    'starts passed',
    'speaks passed | ACP version 1',
    'signedIn passed | The agent did not ask you to sign in.',
    'session passed | Opened without MCP servers.',
    'answers skipped | Not tried. A test prompt may cost tokens.',
  ]);
  expect([view.offers, features?.info?.name]).toEqual([['sendPrompt'], 'fake-agent']);
  expect(sent()).toEqual(['initialize', 'session/new', 'session/close']);
  // Each step was seen while it ran.
  for (const id of ['folder', 'found', 'starts', 'signedIn'])
    expect(views.some(({ steps: seen }) => seen.some((step) => step.id === id && step.state === 'running'))).toBe(true);
});

test('a test prompt is sent when the user asks for it, and the agent can do nothing in it', async () => {
  const { run, sent } = desk({ agent: {} });
  const { steps, view } = await run({ sendsPrompt: true });
  expect(steps.at(-1)).toMatch(/^answers passed \| “.+”$/);
  expect([sent('session/prompt').length, view.offers]).toEqual([1, []]);
});

test('a program that is not there', async () => {
  const { run } = desk({ configuration: { command: 'no-such-agent' } });
  const { steps, view } = await run();
  expect(steps.slice(1)).toEqual([
    'found failed | “no-such-agent” was not found. Install it, or correct the command in the parley.agents setting.',
    ...rest('version', 'starts', 'speaks', 'signedIn', 'session', 'answers'),
  ]);
  expect(view.offers).toEqual(['editSettings']);
});

test('a file that may not be executed', async () => {
  const { folder, run } = desk({ configuration: { command: './agent', args: [] } });
  writeFileSync(join(folder, 'agent'), 'x');
  chmodSync(join(folder, 'agent'), 0o644);
  const { steps } = await run();
  expect(steps.find((step) => step.includes('failed'))).toMatch(/^found failed \| “\.\/agent” was not found/);
});

test('a folder that does not exist', async () => {
  const { run } = desk({ configuration: { cwd: '/no/such/folder' }, placeOf: () => ({ folder: '/no/such/folder' }) });
  const { steps, view } = await run();
  expect(steps[0]).toBe(
    'folder failed | The folder /no/such/folder does not exist. | Correct cwd in the parley.agents setting.',
  );
  expect(view.offers).toEqual(['editSettings']);
});

test('no folder, or Restricted Mode: nothing is looked for and nothing starts', async () => {
  const programs = vi.fn();
  const { run, pids } = desk({
    programs,
    placeOf: () => ({ problem: { text: 'No.', help: 'Do this.', offers: ['manageTrust'] } }),
  });
  const { steps, view } = await run();
  expect(steps).toEqual([
    'folder failed | No. | Do this.',
    ...rest('found', 'version', 'starts', 'speaks', 'signedIn', 'session', 'answers'),
  ]);
  expect([view.offers, programs.mock.calls, pids()]).toEqual([['manageTrust'], [], []]);
});

test('a package that is not installed is not installed by a check, unless the user agrees', async () => {
  const asked: string[] = [];
  const programs = () =>
    Promise.resolve({
      versionOf: () => Promise.resolve(undefined),
      prepare: (...[, , , onProgress]: Parameters<AgentPrograms['prepare']>) => {
        asked.push('prepare');
        onProgress('Downloading');
        return Promise.resolve({
          failure: {
            title: 'Mine could not be installed',
            detail: 'npm can’t reach your registry.',
            stderr: 'npm error ENOTFOUND',
            kind: 'npm' as const,
          },
        });
      },
    });
  const { run, views } = desk({
    programs,
    configuration: { source: { manager: 'npm', key: 'a', name: 'a', version: '1.0.0', pinned: true } },
  });
  const first = await run();
  expect([first.steps[1], first.view.offers, asked]).toEqual([
    'found failed | a@1.0.0 is not installed. | “Install and Check” installs it with npm, as the first start does.',
    ['install'],
    [],
  ]);
  const second = await run({ mayInstall: true });
  expect([second.steps[1], second.view.stderr, asked]).toEqual([
    'found failed | Mine could not be installed. | npm can’t reach your registry.',
    'npm error ENOTFOUND',
    ['prepare'],
  ]);
  expect(views.some(({ steps }) => steps[1]?.text === 'Downloading')).toBe(true);
});

test('an installation that the user declines is no failure, and what nobody expected is one', async () => {
  const source = { manager: 'npm', key: 'a', name: 'a', version: '1.0.0', pinned: true } as const;
  const declined = desk({
    programs: () =>
      Promise.resolve({
        versionOf: () => Promise.resolve(undefined),
        prepare: () => Promise.resolve({ cancelled: true as const }),
      }),
    configuration: { source },
  });
  const { view, steps } = await declined.run({ mayInstall: true });
  expect([view.isCancelled, steps.slice(1)]).toEqual([
    true,
    rest('found', 'version', 'starts', 'speaks', 'signedIn', 'session', 'answers'),
  ]);
  const broken = desk({ programs: () => Promise.reject(new Error('EIO')) });
  expect((await broken.run()).steps[1]).toBe('found failed | EIO | Run “Parley: Show Log” for details.');
});

test('an old Node.js is a matter of the version', async () => {
  const programs = () =>
    Promise.resolve({
      versionOf: () => Promise.resolve('1.0.0'),
      prepare: () =>
        Promise.resolve({
          failure: {
            title: 'Mine needs a newer Node.js',
            detail: 'It needs Node.js 22 or newer.',
            kind: 'oldNode' as const,
          },
        }),
    });
  const { run } = desk({
    programs,
    configuration: { source: { manager: 'npm', key: 'a', name: 'a', version: '1.0.0', pinned: true } },
  });
  expect((await run()).steps.slice(1, 3)).toEqual([
    'found passed | a@1.0.0',
    'version failed | Mine needs a newer Node.js. | It needs Node.js 22 or newer.',
  ]);
});

test.each<[string, Options, string, string | undefined]>([
  [
    'not signed in',
    { dieAtStart: { code: 1, stderr: 'Error: you are not logged in. Run `agent login`.\n' } },
    'The process ended with exit code 1. | The agent is not signed in. Run “Parley: Sign In”, sign in with the agent’s own program, or correct its API key.',
    'Error: you are not logged in. Run `agent login`.',
  ],
  [
    'without a word',
    { dieAtInitialize: { code: 3 } },
    'The process ended with exit code 3. | Run the agent in a terminal to see more, or correct its command in the parley.agents setting.',
    undefined,
  ],
  [
    'with words on stdout',
    { banner: 'usage: agent [acp]\n', dieAtInitialize: { code: 2 } },
    'The process ended with exit code 2. It wrote “usage: agent [acp]”. | Run the agent in a terminal to see more, or correct its command in the parley.agents setting.',
    undefined,
  ],
  [
    'by a signal',
    { dieAtInitialize: { signal: 'SIGKILL' } },
    'The signal SIGKILL ended the process. | Run the agent in a terminal to see more, or correct its command in the parley.agents setting.',
    undefined,
  ],
  [
    'no program behind it',
    { dieAtStart: { code: 127, stderr: 'sh: 1: agent-cli: not found\n' } },
    `“${process.execPath}” was not found. Install it, or correct the command in the parley.agents setting. | A program that the agent needs is missing. Install it, or enter its full path in the parley.agents setting.`,
    'sh: 1: agent-cli: not found',
  ],
])('an agent that ends at once: %s', async (_, agent, words, stderr) => {
  const { steps, view } = await desk({ agent }).run();
  expect(steps.slice(3)).toEqual([`starts failed | ${words}`, ...rest('speaks', 'signedIn', 'session', 'answers')]);
  expect(view.stderr).toBe(stderr);
});

test.each<[string, Options, string]>([
  [
    'says nothing',
    { neverInitialize: true },
    'The program runs, but it did not respond within 60 seconds. | Check the command and its arguments in the parley.agents setting. Most agents need an argument such as --acp.',
  ],
  [
    'writes something else',
    { neverInitialize: true, banner: 'Welcome! Type /help.\n' },
    'The program runs, but it did not respond within 60 seconds. It wrote “Welcome! Type /help.”. | Check the command and its arguments in the parley.agents setting. Most agents need an argument such as --acp.',
  ],
  [
    'can’t reach its service',
    { neverInitialize: true, stderr: 'FetchError: unable to verify the first certificate\n' },
    'The program runs, but it did not respond within 60 seconds. | The agent does not trust your network’s certificate. Set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to that certificate in the agent’s env.',
  ],
])('an agent that never answers initialize and %s', async (_, agent, words) => {
  const { run, clock, logged, sent } = desk({ agent });
  const done = run();
  await waitUntil('the agent was asked', () => sent('initialize').length === 1 && clock.running === 1);
  const written = (agent.banner ?? agent.stderr)?.trim();
  if (written !== undefined) await waitUntil('its words are read', () => logged.some((line) => line.includes(written)));
  clock.advance(60_000);
  expect((await done).steps.slice(3)).toEqual([
    'starts passed',
    `speaks failed | ${words}`,
    ...rest('signedIn', 'session', 'answers'),
  ]);
});

test('another version of the protocol', async () => {
  const { steps } = await desk({ agent: { protocolVersion: 7 } }).run();
  expect(steps[4]).toBe(
    'speaks failed | The agent speaks version 7 of the Agent Client Protocol, Parley speaks version 1. Try another version of the agent or of Parley.',
  );
});

test('an error for initialize', async () => {
  const { steps } = await desk({
    agent: { initializeError: { code: -32603, message: 'Internal error: connect ECONNREFUSED 10.0.0.1:443' } },
  }).run();
  expect(steps[4]).toMatch(
    /^speaks failed \| The agent reported an error\nconnect ECONNREFUSED 10\.0\.0\.1:443 \| The agent can’t reach its service\./,
  );
});

test('an agent whose setting asks for the draft, which it does not speak, is checked in version 1', async () => {
  const { run, pids } = desk({
    agent: { draftError: { code: -32602, message: 'clientInfo is missing' } },
    configuration: { protocol: 2 },
  });
  const { steps, protocol } = await run();
  expect([steps[4], steps[6], protocol, pids().length]).toEqual([
    'speaks passed | ACP version 1. The setting asks for version 2, but the agent answered with the error -32602: clientInfo is missing',
    'session passed | Opened without MCP servers.',
    1,
    2,
  ]);
});

test('the draft of version 2 is spoken to in its way', async () => {
  const { run } = desk({ configuration: { protocol: 2, args: [fakeAgentV2File] } });
  const { steps } = await run({ sendsPrompt: true });
  expect([steps[4], steps[7]?.startsWith('answers passed | “')]).toEqual([
    'speaks passed | ACP version 2 (draft)',
    true,
  ]);
});

const login = { id: 'fake-login', name: 'Fake login' };
const apiKey = { id: 'key', name: 'API key', _meta: { 'api-key': { provider: 'fake' } } };

test('an agent that asks for a sign-in', async () => {
  const { steps, view } = await desk({
    agent: { authRequired: true, initializePatch: { authMethods: [login] } },
  }).run();
  expect(steps.slice(5)).toEqual([
    'signedIn failed | The agent asks you to sign in. | Sign in with: Fake login.',
    ...rest('session', 'answers'),
  ]);
  expect(view.offers).toEqual(['signIn']);
});

test('an agent that asks for a sign-in and offers none', async () => {
  const { steps, view } = await desk({
    agent: { authRequired: { code: -32000, message: 'Run fake login' }, initializePatch: { authMethods: [] } },
  }).run();
  expect([steps[5], view.offers]).toEqual([
    'signedIn failed | The agent asks you to sign in. Run fake login | It offers no sign-in method. Sign in with the agent’s own program in a terminal, then check again.',
    [],
  ]);
});

test.each<[string, string, RegExp]>([
  ['works', 'right-key', /^signedIn passed/],
  ['is refused', 'wrong-key', /^signedIn failed \| The agent asks you to sign in\./],
])('a key that worked before is tried once, as at a start, and %s', async (_, key, words) => {
  const { run, sent } = desk({
    agent: { authRequired: true, apiKey: 'right-key', initializePatch: { authMethods: [apiKey] } },
    keyFor: (_agent, methods) => Promise.resolve({ methodId: methods[0]!.id, key }),
    secrets: () => ['right-key', 'wrong-key'],
  });
  const { steps, view } = await run();
  expect(steps[5]).toMatch(words);
  expect(sent('authenticate')).toHaveLength(1);
  expect(JSON.stringify(view)).not.toContain(key);
});

test.each<[string, Options, string, readonly string[]]>([
  [
    'quota',
    {
      sessionError: {
        code: -32603,
        message: 'Internal error',
        data: { errorKind: 'billing_error', details: 'Your credit is used up' },
      },
    },
    'The model provider asks for payment. Your credit is used up. Check your plan and credit, then retry.',
    [],
  ],
  [
    'its own words',
    {
      sessionError: {
        code: -32603,
        message: 'Internal error',
        data: { details: 'self signed certificate in certificate chain' },
      },
    },
    'The agent reported an error. self signed certificate in certificate chain | The agent does not trust your network’s certificate. Set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to that certificate in the agent’s env.',
    [],
  ],
])('an agent that opens no session: %s', async (_, agent, words, offers) => {
  const { steps, view } = await desk({ agent }).run();
  expect(steps.slice(5)).toEqual([
    'signedIn skipped | Unknown, because the agent did not open a session.',
    `session failed | ${words}`,
    ...rest('answers'),
  ]);
  expect(view.offers).toEqual(offers);
});

test.each<[string, Options, RegExp, readonly string[]]>([
  [
    'asks for a sign-in',
    {
      authRequired: { code: -32603, message: 'Internal error', data: { errorKind: 'authentication_failed' } },
      authRequiredFor: ['session/prompt'],
    },
    /^answers failed \| The model provider did not accept the agent’s credentials/,
    ['signIn'],
  ],
  [
    'has reached a limit',
    {
      authRequired: {
        code: -32603,
        message: 'Internal error',
        data: { errorKind: 'rate_limit', details: 'Slow down' },
      },
      authRequiredFor: ['session/prompt'],
    },
    /^answers failed \| The rate limit is reached\. Slow down \| Wait a moment, then check again\.$/,
    [],
  ],
])('a test prompt that is refused: %s', async (_, agent, words, offers) => {
  const { steps, view } = await desk({ agent }).run({ sendsPrompt: true });
  expect(steps[7]).toMatch(words);
  expect(view.offers).toEqual(offers);
});

test('an agent that takes too long for a session', async () => {
  const { run, clock, sent } = desk({ agent: { answerNever: ['session/new'] } });
  const done = run();
  await waitUntil('a session was asked for', () => sent('session/new').length === 1 && clock.running === 1);
  clock.advance(60_000);
  expect((await done).steps[6]).toBe(
    'session failed | The agent did not open a session within 60 seconds. | Check your connection and the agent’s account, then check again.',
  );
});

test('a check that is cancelled ends its process, and says nothing failed', async () => {
  const { run, sent } = desk({ agent: { neverInitialize: true, ignoreStdinEnd: true } });
  const cancel = new CancellationSource();
  const done = run({}, cancel.token);
  await waitUntil('the agent was asked', () => sent('initialize').length === 1);
  cancel.cancel();
  const { view, steps } = await done;
  expect([view.isCancelled, view.offers, steps.filter((step) => step.includes('failed'))]).toEqual([true, [], []]);
});

test('secrets are in no step and not in the error output', async () => {
  const { run } = desk({
    agent: { stderr: 'key hunter2-hunter2 and kept-secret\n', dieAtInitialize: { code: 1 } },
    configuration: { env: { MY_API_KEY: 'hunter2-hunter2' } },
    secrets: () => ['kept-secret'],
  });
  expect((await run()).view.stderr).toBe('key ••• and •••');
});

test('the test in the form of an agent is the first half of a check', async () => {
  const { check, configuration, sent } = desk({ agent: { initializePatch: { authMethods: [login] } } });
  expect(await testConnection(check, configuration, neverCancelled)).toEqual({
    state: 'done',
    lines: [
      { label: 'Agent', text: 'Fake Agent 9.9.9' },
      { label: 'Protocol', text: 'ACP version 1' },
      { label: 'Supports', text: 'Text, images, attached files, earlier sessions' },
      { label: 'Sign-in', text: 'Fake login' },
    ],
  });
  expect(sent()).toEqual(['initialize']);
  const other = desk({ agent: { dieAtInitialize: { code: 1, stderr: 'boom\n' } } });
  expect(await testConnection(other.check, other.configuration, neverCancelled)).toEqual({
    state: 'failed',
    problem:
      'The process ended with exit code 1. Run the agent in a terminal to see more, or correct its command in the parley.agents setting.',
    stderr: 'boom',
  });
});
