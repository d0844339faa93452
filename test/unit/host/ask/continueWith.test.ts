import { beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { ContinueWith } from '../../../../src/host/ask/continueWith';
import { NoAnswerGiven } from '../../../../src/host/ask/separateAnswer';
import { emptyThread, type Thread } from '../../../../src/thread/thread';
import { FakeClock } from '../../../fakes/fakeClock';

const told = vi.hoisted(() => ({
  words: [] as string[],
  lists: [] as { label: string; description?: string; detail?: string }[][],
  extent: '',
  agent: undefined as string | symbol | undefined,
  offered: [] as string[],
}));
vi.mock('vscode', async () => {
  const say = async (words: string) => void told.words.push(words);
  return {
    ...(await import('../../../fakes/fakeVscode')),
    ProgressLocation: { Notification: 15 },
    window: {
      showInformationMessage: say,
      showErrorMessage: say,
      showQuickPick: async (items: { label: string }[]) => (
        told.lists.push(items),
        items.find(({ label }) => label === told.extent)
      ),
      withProgress: async (_: unknown, work: (progress: object, token: object) => Promise<void>) =>
        work({}, { onCancellationRequested: () => ({ dispose() {} }) }),
    },
  };
});
vi.mock('../../../../src/host/agents/pickAgent', () => ({
  galleryItem: 'gallery',
  pickAgent: async (choices: { agent: { name: string } }[]) => (
    (told.offered = choices.map(({ agent }) => agent.name)),
    told.agent
  ),
}));

beforeEach(() => {
  Object.assign(told, { words: [], lists: [], extent: '', agent: 'Two', offered: [] });
});

const record = { id: 'a', agent: 'One', cwd: '/w', createdAt: 1, updatedAt: 1, title: 'Fix it' };

function desk({
  answer = async (_prompt: string): Promise<string | undefined> => 'All done but the tests.',
  thread = emptyThread as Thread,
  entries = 2,
  isInWorktree = false,
} = {}) {
  const did: unknown[] = [];
  const prompts: string[] = [];
  const clock = new FakeClock();
  const view = { name: 'view' };
  const service = new ContinueWith({
    sessions: {
      active: {
        id: 'a',
        roots: ['/w'],
        connection: { moveTo: (cwd: string, roots: readonly string[]) => did.push(['moved', cwd, roots]) },
      },
      find: () => ({ session: { thread: { entries: { length: entries } } } }),
      record: (id: string) => (id === 'a' ? record : undefined),
      newSession: async (shownIn: unknown, agent: string, shown: () => Promise<void>) => {
        did.push([shownIn === view, agent]);
        await shown();
        did.push('started');
      },
      views: { showing: () => view, active: {} },
    } as never,
    panels: {
      reveal: async () => void did.push('revealed'),
      deliver: (message: unknown) => did.push(message),
      active: { draft: { add: async (made: NewAttachment) => void did.push(made) } },
    } as never,
    agents: {
      named: (name: string) => (['One', 'Two'].includes(name) ? ({ name } as never) : undefined),
      choices: async () => ['One', 'Two', 'Three'].map((name) => ({ agent: { name } })) as never,
      showAll: async () => void did.push('gallery'),
      answers: async () => ({ ask: async (_: unknown, prompt: string) => (prompts.push(prompt), answer(prompt)) }),
    },
    earlier: {
      conversation: async () => ({ thread, summary: 'short\n', whole: `${'x'.repeat(38 * 1024)}\n` }),
      pending: () => [{ path: '/w/a.ts', label: 'w/a.ts', kind: 'modified', added: 1, removed: 0, hunks: 1 } as never],
      reach: (cwd, roots) => (isInWorktree ? [cwd, ...roots] : undefined),
    },
    clock,
    log: silentLogger,
  });
  return { service, did, prompts, clock };
}

it('the whole conversation is attached to a prompt that waits in the new session', async () => {
  const { service, did, prompts } = desk();
  told.extent = 'Whole Conversation';
  await service.run();
  expect(told.offered).toEqual(['Two', 'Three']);
  expect(told.lists[0]!.map(({ label, description }) => [label, description])).toEqual([
    ['Whole Conversation', '38 KB'],
    ['Summary by One', 'up to 16 KB'],
    ['Your Messages and the Last Answer', '1 KB'],
  ]);
  expect(told.lists[0]![1]!.detail).toBe('One reads 38 KB in a separate session, without files or terminal');
  expect(prompts).toEqual([]);
  const [opened, revealed, made, draft, started] = did as [unknown, unknown, NewAttachment, unknown, unknown];
  expect([opened, revealed, started]).toEqual([[true, 'Two'], 'revealed', 'started']);
  expect(made).toMatchObject({ label: 'Session: Fix it', detail: 'whole conversation · 38 KB', linkable: false });
  expect(made.content).toContain('- a.ts: modified, 1 hunk, +1 −0');
  expect(draft).toEqual({
    type: 'draft/restore',
    text: 'Continue “Fix it”, the attached session of One. First read the conversation, its plan and its pending changes.',
    mentions: [],
  });
});

it('the new session of one in a worktree works in the same one', async () => {
  const { service, did } = desk({ isInWorktree: true });
  told.extent = 'Whole Conversation';
  await service.run();
  expect(did[1]).toEqual(['moved', '/w', ['/w', '/w']]);
});

it('the first agent writes the summary', async () => {
  const { service, did, prompts } = desk();
  told.extent = 'Summary by One';
  await service.run('a', 'Two');
  expect(prompts).toHaveLength(1);
  const made = did.find((item) => (item as NewAttachment).kind === 'file') as NewAttachment;
  expect(made.detail).toBe('summary by One · 1 KB');
  expect(made.content).toContain('All done but the tests.');
});

it.each([
  ['fails', () => Promise.reject(new NoAnswerGiven('The answer is too long.')), ['The answer is too long.']],
  ['says nothing', async () => ' ', ['One did not answer with a summary.']],
  ['is cancelled', async () => undefined, []],
] as readonly [string, () => Promise<string | undefined>, readonly string[]][])(
  'no session opens where the summary %s',
  async (_, answer, words) => {
    const { service, did } = desk({ answer });
    told.extent = 'Summary by One';
    await service.run();
    expect([did, told.words]).toEqual([[], words]);
  },
);

it('an agent whose window is used up is not asked for a summary, until the window starts again', async () => {
  const windows = [{ id: 'five_hour', minutes: 300, isReached: true as const, resetsAt: 5_000 }];
  const { service, clock } = desk({ thread: { ...emptyThread, account: { windows } } });
  await service.run();
  expect(told.lists[0]!.map(({ label }) => label)).not.toContain('Summary by One');
  clock.advance(10_000);
  await service.run();
  expect(told.lists[1]!.map(({ label }) => label)).toContain('Summary by One');
});

it('nothing happens where there is no conversation, or the user chooses nothing', async () => {
  await desk({ entries: 0 }).service.run();
  await desk().service.run('other');
  expect(told.words).toEqual(Array(2).fill('There is no conversation to continue yet.'));
  told.agent = undefined;
  const { service, did } = desk();
  await service.run();
  told.agent = 'gallery';
  await service.run();
  expect([did, told.lists]).toEqual([['gallery'], []]);
});
