import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { catalogue } from '../../src/host/agents/catalogue';
import { decodeAgent } from '../../src/host/agents/agentSettings';
import { AgentPrograms, type Launch } from '../../src/host/agents/agentPrograms';
import { processTag } from '../../src/node/processTag';
import { removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { vscodeFromNpm } from '../launch/vscode.mjs';
import { runtimeOptions } from '../fakes/runtimePins';
import { bareMachine } from './bareMachine.mjs';

/* The built-in agents as users get them: installed from the registry by Parley's own code, then started. */

const { asked, agree } = vi.hoisted(() => {
  const words: string[] = [];
  return {
    asked: words,
    agree: (question: string, _options: unknown, action: string) => (words.push(question), Promise.resolve(action)),
  };
});
vi.mock('vscode', () => ({
  window: {
    showWarningMessage: agree,
    showInformationMessage: agree,
  },
  ConfigurationTarget: {},
}));

const workspace = temporaryFolder('agents');
const bare = bareMachine();
const own = { ...runtimeOptions(), pins: join(root, 'media/runtime.json') };
let withNode = '';
beforeAll(async () => {
  const { node } = await vscodeFromNpm();
  withNode = [dirname(node), process.env['PATH']].join(delimiter);
  // What a repository could put in the way.
  mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
});
afterAll(() => {
  removeFolder(bare);
  removeFolder(own.root);
  removeFolder(workspace);
});

const wanted = process.env['PARLEY_AGENTS']?.split(',').filter(Boolean) ?? [];

const agents = catalogue.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

test.each(
  [true, false].flatMap((hasNode) =>
    agents.map((agent) => [agent.name, hasNode ? 'with Node.js' : 'without Node.js', hasNode, agent] as const),
  ),
)('%s is installed %s and answers initialize', async (name, _where, hasNode, agent) => {
  vi.stubEnv('PATH', hasNode ? withNode : bare);
  asked.length = 0;
  const store = temporaryFolder('installed-agents');
  onTestFinished(() => removeFolder(store));
  const lock = agent.locked ? join(root, 'media/agents', `${agent.id}.lock.json`) : undefined;
  const configuration = decodeAgent(name, {}, { ...agent, lock });
  if (typeof configuration === 'string') throw new Error(configuration);
  const programs = new AgentPrograms({
    installation: { root: store, tree: { mark: processTag }, runtime: own, log: silentLogger },
    agents: () => [configuration],
    folders: () => [workspace],
    state: { keys: () => [], get: (_: string, value?: unknown) => value, update: async () => undefined } as never,
  });
  const progress: string[] = [];
  const since = Date.now();
  const prepared = await programs.prepare(configuration, workspace, neverCancelled, (detail) => progress.push(detail));
  const took = Date.now() - since;
  if ('failure' in prepared) throw new Error(JSON.stringify(prepared.failure));
  const { configuration: launch, env } = prepared as Launch;
  console.log(`${name}: installed in ${took} ms, ${progress.length} steps, then: ${progress.at(-2)}`);
  const packages = progress.flatMap((line) => /: (\d+) of (\d+) packages/.exec(line)?.slice(1).map(Number) ?? []);
  expect(packages.at(-2)).toBe(packages.at(-1));
  // Copilot's package has a program for each system. What the first of the others downloads serves the rest.
  const needsNode = !hasNode && agent === agents.find(({ id }) => id !== 'copilot');
  expect(asked.filter((words) => words.includes('needs Node.js'))).toHaveLength(needsNode ? 1 : 0);
  expect(asked.filter((words) => words.startsWith('Installing '))).toHaveLength(agent.id === 'opencode' ? 1 : 0);
  expect(existsSync(join(store, '.staging')) ? readdirSync(join(store, '.staging')) : []).toEqual([]);
  expect(await initialize(launch, env)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1 } });
  // The second time nothing is downloaded, and no npm is needed.
  progress.length = 0;
  await programs.prepare(configuration, workspace, neverCancelled, (detail) => progress.push(detail));
  expect(progress).toEqual([expect.stringMatching(/^Starting /)]);
});

async function initialize({ command, args }: Launch['configuration'], env: Launch['env']): Promise<unknown> {
  const home = temporaryFolder('home');
  const child = spawn(command, [...args], {
    cwd: workspace,
    env: { ...env, HOME: home, USERPROFILE: home, NO_BROWSER: '1' } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    return await new Promise((resolve, reject) => {
      let text = '';
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('\n')) resolve(JSON.parse(text.split('\n', 1)[0]!));
      });
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })}\n`,
      );
    });
  } finally {
    child.removeAllListeners('exit');
    process.kill(-child.pid!, 'SIGKILL');
    removeFolder(home);
  }
}
