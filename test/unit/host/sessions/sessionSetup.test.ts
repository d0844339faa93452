import { expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { knownServer } from '../../../../src/host/mcp/readServers';
import { decodeServerFile } from '../../../../src/host/mcp/serverDefinition';
import { SessionSetup } from '../../../../src/host/sessions/sessionSetup';
import { Worktrees } from '../../../../src/host/worktrees/worktrees';
import { MemoryState } from '../../../fakes/memoryState';

/* What a session is opened with, in a worktree and outside of one. */

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { workspaceFolders: [{ name: 'project', uri: { scheme: 'file', fsPath: '/r' } }] },
}));
vi.mock('../../../../src/node/environment', async (original) => ({
  ...(await original<object>()),
  loginShellPath: async () => undefined,
}));

const worktree = { path: '/r.worktrees/fix', repository: '/r', branch: 'fix', base: 'c0' };
const never = () => ({ dispose: () => undefined });

/** Opens a session, with a server of the workspace that the user has agreed to. */
async function opened(cwd: string, roots: readonly string[]) {
  const args = ['${workspaceFolder}/data', '${workspaceFolder:project}', '/elsewhere'];
  const { servers, inputs } = decodeServerFile(
    JSON.stringify({ servers: { files: { command: process.execPath, args } } }),
  );
  const known = servers.map((entry) => ({
    ...knownServer(entry, { kind: 'workspace', file: '/r/.vscode/mcp.json', folder: '/r' }, inputs, () => undefined),
    adoption: 'adopted' as const,
  }));
  const state = new MemoryState();
  await state.update(`parley.worktree.${worktree.path}`, worktree);
  const worktrees = new Worktrees(state, silentLogger);
  const setup = new SessionSetup({
    servers: { onDidChange: never, current: known, read: async () => known },
    folders: { onDidChange: never },
    editor: { onDidUse: never, serverFor: async () => undefined },
    answers: async () => ({}),
    worktrees,
    userHome: '/home/me',
    log: silentLogger,
  } as never);
  const agent = {
    configuration: { name: 'A' },
    features: { mcp: { stdio: true }, additionalDirectories: true },
  };
  const place = { id: 's', cwd, roots: worktrees.reach(cwd, roots) };
  return (await setup.prepare(agent as never, place, neverCancelled, never)).params;
}

it('in a worktree, folders and MCP servers are those of the worktree', async () => {
  const { cwd, additionalDirectories, mcpServers } = await opened(worktree.path, ['/r', '/docs']);
  expect([cwd, additionalDirectories]).toEqual([worktree.path, ['/docs']]);
  expect(mcpServers).toMatchObject([{ args: [`${worktree.path}/data`, worktree.path, '/elsewhere'] }]);
});

it('elsewhere they are those of the workspace', async () => {
  const { cwd, additionalDirectories, mcpServers } = await opened('/r', ['/r', '/docs']);
  expect([cwd, additionalDirectories]).toEqual(['/r', ['/docs']]);
  expect(mcpServers).toMatchObject([{ args: ['/r/data', '/r', '/elsewhere'] }]);
});
