import { expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { LiveSession } from '../../../../src/host/sessions/liveSession';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

/* Where a prompt is worked on: in a worktree that is made for it, or in the folder to which the session moves. */

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: {
    isTrusted: true,
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  },
}));

function scene(make: (folder: string, words: string) => Promise<{ path: string }>) {
  const opened: string[] = [];
  const prompted: string[] = [];
  const agent = runningAgent(
    connectionWith({
      newSession: async ({ cwd }) => {
        opened.push(cwd);
        return { sessionId: `s${opened.length}`, ...nothingOffered };
      },
      closeSession: async () => undefined,
      prompt: async (sessionId) => {
        prompted.push(opened[Number(sessionId.slice(1)) - 1]!);
        return { stopReason: 'end_turn' };
      },
    }),
  );
  const services = sessionServices({
    processes: { running: () => agent, start: async () => agent },
    opening: {
      worktrees: {
        at: () => undefined,
        reach: (cwd) => [cwd],
        placeOf: () => 'folder',
        make: async (folder, words) => {
          const { path } = await make(folder, words);
          return { worktree: { path, repository: '/w', branch: words, base: 'c0' }, cwd: path };
        },
      },
    },
  });
  const live = new LiveSession({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, services);
  return { live, opened, prompted };
}

const draft = (text: string) => ({ text, mentions: [], attachments: [] });

it('a prompt for several agents whose worktree could not be made is tried again in a worktree, not in the folder', async () => {
  const tried: string[] = [];
  const { live, prompted } = scene(async (_, words) => {
    tried.push(words);
    if (tried.length === 1) throw new Error('a hook failed');
    return { path: '/tree' };
  });
  await live.submit(draft('Tidy it'), 'a-tidy-it');
  expect([tried, prompted]).toEqual([['a-tidy-it'], []]);
  await live.retry();
  expect([tried, prompted]).toEqual([['a-tidy-it', 'a-tidy-it'], ['/tree']]);
  live.dispose();
});

it('what is sent while a session moves waits, and goes out in the other folder', async () => {
  const { live, prompted } = scene(() => Promise.reject(new Error('unused')));
  await live.submit(draft('Begin'));
  expect(live.isIdle).toBe(true);
  await live.whileMoving(async () => {
    expect(live.isIdle).toBe(false);
    await live.submit(draft('Go on'));
    expect(live.queue.list).toHaveLength(1);
    await live.moveTo('/tree', ['/tree']);
  });
  await expect.poll(() => prompted).toEqual(['/w', '/tree']);
  expect(live.queue.list).toEqual([]);
  live.dispose();
});
