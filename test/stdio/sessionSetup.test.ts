import { describe, expect, onTestFinished, test } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { additionalDirectories } from '../../src/host/sessions/additionalDirectories';
import { knownServer } from '../../src/host/mcp/readServers';
import { passServers } from '../../src/host/mcp/passServers';
import { decodeServerFile } from '../../src/host/mcp/serverDefinition';
import { openSession } from '../../src/host/sessions/openSession';
import { findProgram } from '../../src/node/findProgram';
import { reduce } from '../../src/thread/reducer';
import { Session } from '../../src/thread/session';
import { emptyThread } from '../../src/thread/thread';
import { runningAgent } from '../fakes/runningAgent';
import { sessionRouter } from '../fakes/sessionRouter';
import { FakeClock } from '../fakes/fakeClock';
import { startLink } from './harness';

/* What an agent is told of MCP servers and further folders when a session is opened: on the wire, which the harness checks
   against the schema and the agent's capabilities. */

const file = `{
  // As a user writes it.
  "servers": {
    "files": { "command": "node", "args": ["files.js", "\${workspaceFolder}"], "env": { "KEY": "\${input:key}" } },
    "web": { "type": "http", "url": "https://mcp.example/", "headers": { "Authorization": "Bearer \${input:key}" } },
    "old": { "type": "sse", "url": "https://mcp.example/sse" },
  },
}`;

/** How the session is opened, by what the agent can and what is known of the session. */
type Way = 'session/new' | 'session/load' | 'session/resume';
const wayCapabilities: Record<Way, object> = {
  'session/new': {},
  'session/load': { loadSession: true },
  'session/resume': {},
};

async function open(way: Way, capabilities: Record<string, unknown>, roots: readonly string[] = []) {
  const sessionCapabilities = {
    ...(way === 'session/resume' ? { resume: {} } : {}),
    ...(capabilities['additionalDirectories'] ? { additionalDirectories: {} } : {}),
  };
  const link = startLink({
    agent: {
      initializePatch: {
        agentCapabilities: { ...wayCapabilities[way], sessionCapabilities, mcpCapabilities: capabilities['mcp'] },
      },
    },
  });
  const features = await link.connection.initialize();
  const { servers, inputs } = decodeServerFile(file);
  const { mcpServers, outcomes } = await passServers({
    known: servers.map((entry) => knownServer(entry, { kind: 'settings' }, inputs, () => undefined)),
    agent: 'Fake',
    takes: features.mcp,
    valuesFor: () => ({
      env: () => undefined,
      folder: link.folder,
      folderNamed: () => undefined,
      userHome: '/home/me',
    }),
    answer: () => Promise.resolve('sk-secret'),
    findProgram: (command, folder) => findProgram(command, folder, process.env),
  });
  const folders = features.additionalDirectories
    ? { additionalDirectories: [...additionalDirectories([link.folder, ...roots], link.folder)] }
    : {};
  const session = new Session(
    'ours',
    new FakeClock(),
    silentLogger,
    reduce(emptyThread, {
      type: 'message/chunkAppended',
      at: 1,
      role: 'agent',
      content: { type: 'text', text: 'what is here' },
    }),
  );
  onTestFinished(() => session.dispose());
  await openSession(
    {
      agent: runningAgent(link.connection, { name: 'Fake', features, routeKey: 'fake#1' }),
      session,
      params: { cwd: link.folder, mcpServers, ...folders },
      earlier: way === 'session/new' ? undefined : { agent: 'Fake', remoteId: 'earlier-1', remoteSince: 0 },
      router: sessionRouter(),
      clock: {
        now: () => Date.now(),
        setTimeout: (callback, ms) => ({ dispose: clearTimeout.bind(null, setTimeout(callback, ms)) }),
      },
      log: silentLogger,
    },
    neverCancelled,
  );
  const [sent] = link.sent(way);
  return { params: sent!['params'], outcomes, link };
}

describe.each(['session/new', 'session/load', 'session/resume'] as const)('%s', (way) => {
  test('65, 66 has servers over the transports that the agent takes, in the schema’s shape', async () => {
    const { params, link } = await open(way, { mcp: { http: true, sse: true } });
    expect(params.mcpServers).toEqual([
      {
        name: 'files',
        command: expect.stringMatching(/^\/.*\/node$/),
        args: ['files.js', link.folder],
        env: [{ name: 'KEY', value: 'sk-secret' }],
      },
      {
        type: 'http',
        name: 'web',
        url: 'https://mcp.example/',
        headers: [{ name: 'Authorization', value: 'Bearer sk-secret' }],
      },
      { type: 'sse', name: 'old', url: 'https://mcp.example/sse', headers: [] },
    ]);
  });

  test('67 has every further folder once, absolute, without the cwd', async () => {
    const { params } = await open(way, { additionalDirectories: true }, ['/docs', '/lib', '/docs/']);
    expect(params.additionalDirectories).toEqual(['/docs', '/lib']);
  });

  test('67 says nothing of further folders to an agent that does not take them', async () => {
    const { params } = await open(way, {}, ['/docs']);
    expect('additionalDirectories' in params).toBe(false);
  });
});

test.each([undefined, null, {}, { http: 'true', sse: 1 }, { http: null }])(
  '65 stdio only for an agent whose mcpCapabilities are %j',
  async (mcp) => {
    const { params, outcomes } = await open('session/new', { mcp });
    expect(params.mcpServers.map(({ name }: { name: string }) => name)).toEqual(['files']);
    expect(outcomes.map(({ why }) => why)).toEqual([
      undefined,
      'Fake does not support HTTP servers',
      'Fake does not support SSE servers',
    ]);
  },
);

test('69 folders that a list tells are as it tells them last, and go into no request', async () => {
  const listed = (additionalDirectories: unknown) => ({
    sessions: [{ sessionId: 'earlier-1', cwd: '/w', additionalDirectories }],
  });
  const link = startLink({
    agent: {
      initializePatch: { agentCapabilities: { sessionCapabilities: { list: {} } } },
      listPages: [listed(['/a', '/b']), listed(['/c', 7]), listed([]), listed(null)],
    },
  });
  await link.connection.initialize();
  const told = [];
  for (let page = 0; page < 4; page++)
    told.push((await link.connection.listSessions('/w')).sessions[0]?.additionalDirectories);
  expect(told).toEqual([['/a', '/b'], ['/c'], undefined, undefined]);
  const { params } = await open('session/load', { additionalDirectories: true }, ['/docs']);
  expect(params.additionalDirectories).toEqual(['/docs']);
});
