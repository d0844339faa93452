import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { WorktreeCommands } from '../../../../src/host/takeOver/worktreeCommands';
import { MemoryState } from '../../../fakes/memoryState';

const window = vi.hoisted(() => ({
  told: [] as string[],
  answer: undefined as string | undefined,
  list: [] as string[][],
  untracked: 'mixed',
  asked: (): void => undefined,
}));
vi.mock('../../../../src/host/platform/liveList', () => ({
  pickLive: async (_: object, rows: () => { description: string }[], follow: (redraw: () => void) => Disposable) => {
    const draw = () => window.list.push(rows().map(({ description }) => description));
    draw();
    await new Promise<void>((resolve) => follow(() => (draw(), resolve())));
  },
}));
vi.mock('vscode', () => {
  const tell = async (message: string) => {
    window.told.push(message);
    window.asked();
    return window.answer;
  };
  return {
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    workspace: { workspaceFolders: [], getConfiguration: () => ({ get: () => window.untracked }) },
    window: { showInformationMessage: tell, showWarningMessage: tell, showErrorMessage: tell },
  };
});

describe('a worktree whose sessions were archived', () => {
  let top: string;
  let removed: string[];
  let commands: WorktreeCommands;
  let index: SessionIndex;
  let pending: string[];
  let open: object[];
  let canOpen: boolean;
  /** What happens while Git looks. */
  let meanwhile: () => Promise<void>;

  const worktree = () => ({ path: join(top, 'tree'), repository: join(top, 'repo'), branch: 'fix', base: 'c0' });

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-')));
    for (const name of ['repo', 'tree']) mkdirSync(join(top, name));
    [removed, pending, open] = [[], [], []];
    [canOpen, meanwhile] = [true, async () => undefined];
    Object.assign(window, { told: [], answer: undefined, list: [], untracked: 'mixed', asked: () => undefined });
    const known = [worktree()];
    const repository = (root: string) => ({
      rootUri: { fsPath: root },
      state: { mergeChanges: [], indexChanges: [], workingTreeChanges: [] },
      status: () => meanwhile(),
      deleteWorktree: async (path: string) => {
        removed.push(path);
        rmSync(path, { recursive: true });
      },
      getBranch: async () => ({ commit: 'c1' }),
    });
    index = new SessionIndex(new MemoryState());
    for (const id of ['a', 'b'])
      index.put({ id, agent: 'A', cwd: worktree().path, createdAt: 0, updatedAt: 0, isArchived: true });
    commands = new WorktreeCommands({
      worktrees: {
        all: known,
        at: (folder: string) => known.find(({ path }) => folder.startsWith(path)),
        open: async (root: string) => (canOpen || root === worktree().repository ? repository(root) : undefined),
        forget: async () => void known.pop(),
      },
      sessions: { open, find: () => undefined, active: { hasBegun: false } },
      index,
      review: { pendingSessions: ['a'], tracked: () => pending.map((path) => ({ path })) },
    } as never);
  });
  afterEach(() => rmSync(top, { recursive: true }));

  it('is removed if the user wants it, and its sessions go on in the repository', async () => {
    window.answer = 'Remove Worktree';
    await commands.offerRemoval(worktree().path);
    expect(window.told).toEqual([
      'The session is archived. Remove its worktree fix, too?',
      'Removed the worktree fix. Its branch stays.',
    ]);
    expect(removed).toEqual([worktree().path]);
    expect(index.list().map(({ cwd }) => cwd)).toEqual([join(top, 'repo'), join(top, 'repo')]);
  });

  it('stays if the user wants nothing', async () => {
    await commands.offerRemoval(worktree().path);
    expect(removed).toEqual([]);
  });

  it('stays with a word about what would be lost', async () => {
    window.answer = 'Remove Worktree';
    pending = [join(worktree().path, 'a.ts'), join(top, 'repo/a.ts')];
    await commands.offerRemoval(worktree().path);
    expect(window.told).toEqual(['The worktree fix stays: 1 file has changes that you have not decided on.']);
    expect(removed).toEqual([]);
  });

  it('stays where nobody can list its new files', async () => {
    window.answer = 'Remove Worktree';
    window.untracked = 'hidden';
    await commands.offerRemoval(worktree().path);
    expect(window.told).toEqual(['The worktree fix stays: Git cannot list its new files.']);
    expect(removed).toEqual([]);
  });

  it('is not spoken of while another session works in it, or in another folder', async () => {
    index.patch('b', { isArchived: undefined });
    await commands.offerRemoval(worktree().path);
    await commands.offerRemoval(join(top, 'repo'));
    expect(window.told).toEqual([]);
  });

  it('stays in a clean-up while any session works in it, also one that went on there with another agent', async () => {
    open.push({ cwd: join(worktree().path, 'inner'), isIdle: false });
    expect(await commands.discard(worktree())).toBe('A session works in it.');
    expect(removed).toEqual([]);
  });

  it('is not taken off the list if a session works in it by the time of the answer', async () => {
    rmSync(join(top, 'repo'), { recursive: true });
    window.answer = 'Take Off the List';
    window.asked = () => void open.push({ cwd: worktree().path, isIdle: false });
    await commands.remove(worktree());
    expect(window.told.at(-1)).toBe('The worktree fix stays: A session works in it.');
    expect(index.list().map(({ cwd }) => cwd)).toEqual([worktree().path, worktree().path]);
  });

  describe('while Git looks at it', () => {
    const begins = () => open.push({ cwd: worktree().path, isIdle: false });

    it('stays in a clean-up if a session begins to work in it', async () => {
      meanwhile = async () => void begins();
      expect(await commands.discard(worktree())).toBe('A session works in it.');
      expect(removed).toEqual([]);
    });

    it('stays if a session begins to work in it', async () => {
      meanwhile = async () => void begins();
      await commands.remove(worktree());
      expect(window.told).toEqual(['The worktree fix could not be removed: A session works in it.']);
      expect(removed).toEqual([]);
    });
  });

  it('stays in a clean-up if Git cannot say whether all of its commits are on a branch', async () => {
    canOpen = false;
    expect(await commands.discard(worktree())).toBe('The Git extension cannot open it.');
    expect(removed).toEqual([]);
  });

  it('is taken off the list if its repository is gone, and its files stay', async () => {
    rmSync(join(top, 'repo'), { recursive: true });
    window.answer = 'Take Off the List';
    await commands.remove(worktree());
    expect(window.told).toEqual([
      `The repository of the worktree fix is not at ${join(top, 'repo')} any more. Take the worktree off the list? Its files stay.`,
    ]);
    expect(removed).toEqual([]);
    expect(existsSync(worktree().path)).toBe(true);
    expect(index.list().map(({ cwd }) => cwd)).toEqual([join(top, 'repo'), join(top, 'repo')]);
  });

  it('is not taken off the list while a session works in it', async () => {
    rmSync(join(top, 'repo'), { recursive: true });
    open.push({ cwd: worktree().path, isIdle: false });
    await commands.remove(worktree());
    expect(window.told).toEqual(['The worktree fix stays: A session works in it.']);
  });

  it('is listed with its sessions, and with its size once that is counted', async () => {
    writeFileSync(join(worktree().path, 'a.txt'), 'x');
    await commands.list();
    expect(window.list).toEqual([['2 sessions'], [expect.stringMatching(/^2 sessions · \d+ (B|KB)$/)]]);
  });
});
