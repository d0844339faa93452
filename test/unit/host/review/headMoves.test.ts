import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { HeadMoves } from '../../../../src/host/review/headMoves';

/** VS Code's Git extension, which may be missing, fail, or be switched on and off. */
const git = vi.hoisted(() => ({
  isThere: true,
  activate: async (): Promise<unknown> => undefined,
  changed: undefined as undefined | { event: (listener: () => void) => unknown; fire(event: void): void },
}));
const reads = vi.hoisted(() => ({ head: async (): Promise<unknown> => undefined }));

vi.mock('vscode', () => ({
  extensions: {
    getExtension: () => (git.isThere ? { activate: () => git.activate() } : undefined),
    onDidChange: (listener: () => void) => git.changed?.event(listener),
  },
  workspace: { workspaceFolders: [] },
}));
vi.mock('../../../../src/node/pinnedCommits', () => ({
  PinnedCommits: {
    open: async () => ({
      head: () => reads.head(),
      show: async () => undefined,
      getCommit: async (hash: string) => ({ hash, parents: [] }),
    }),
  },
}));

class FakeRepository {
  readonly changed = new Emitter<void>();
  listeners = 0;
  readonly rootUri = { fsPath: '/p' };
  readonly state: { HEAD: { commit: string } | undefined; onDidChange: unknown };

  constructor(commit: string) {
    this.state = {
      HEAD: { commit },
      onDidChange: (listener: () => void) => {
        const registration = this.changed.event(listener);
        this.listeners++;
        return { dispose: () => (registration.dispose(), this.listeners--) };
      },
    };
  }

  moves(commit: string): void {
    this.state.HEAD = { commit };
    this.changed.fire();
  }
}

const [opened, closed, enablement] = [
  new Emitter<FakeRepository>(),
  new Emitter<FakeRepository>(),
  new Emitter<boolean>(),
];
let repositories: FakeRepository[];
let enabled: boolean;
let heads: HeadMoves;
let moves: string[];
let logged: string[];
const unhandled: unknown[] = [];
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

const exported = {
  get enabled() {
    return enabled;
  },
  onDidChangeEnablement: enablement.event,
  getAPI() {
    if (!enabled) throw new Error('Git model not found');
    return { repositories, onDidOpenRepository: opened.event, onDidCloseRepository: closed.event };
  },
};

const onUnhandled = (error: unknown) => void unhandled.push(error);

beforeEach(() => {
  git.changed = new Emitter<void>();
  Object.assign(git, { isThere: true, activate: async () => exported });
  reads.head = async () => undefined;
  [repositories, enabled, moves, logged] = [[new FakeRepository('a')], true, [], []];
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
  heads = new HeadMoves(async () => ({}), { ...silentLogger, warn: (line: string) => void logged.push(line) });
  heads.onDidMove(({ root, head, earlier }) => moves.push(`${root} ${[...new Set(earlier)]} ${head}`));
});

afterEach(async () => {
  await settled();
  process.off('unhandledRejection', onUnhandled);
  heads.dispose();
  expect(unhandled).toEqual([]);
});

describe("VS Code's Git extension", () => {
  it('that cannot be activated is tried again after the next turn', async () => {
    git.activate = () => Promise.reject(new Error('broken'));
    await heads.start();
    expect(logged).toEqual([expect.stringContaining('broken')]);
    git.activate = async () => exported;
    await heads.start();
    repositories[0]!.moves('b');
    await settled();
    expect(moves).toEqual([]);
    heads.turnEnded();
    await settled();
    repositories[0]!.moves('c');
    await settled();
    expect(moves).toEqual(['/p b c']);
  });

  it('that is installed or enabled later is followed from then on', async () => {
    git.isThere = false;
    await heads.start();
    git.isThere = true;
    git.changed?.fire();
    await settled();
    repositories[0]!.moves('b');
    await settled();
    expect(moves).toEqual(['/p a b']);
  });

  it('that is switched off and on is followed while it is on', async () => {
    enabled = false;
    await heads.start();
    expect(logged).toEqual([]);
    enabled = true;
    enablement.fire(true);
    repositories[0]!.moves('b');
    await settled();
    enabled = false;
    enablement.fire(false);
    expect(repositories[0]!.listeners).toBe(0);
    repositories[0]!.moves('c');
    await settled();
    expect(moves).toEqual(['/p a b']);
  });

  it('tells nothing any more of a repository that it has closed', async () => {
    await heads.start();
    const [repository] = repositories as [FakeRepository];
    closed.fire(repository);
    expect(repository.listeners).toBe(0);
    repository.moves('b');
    repository.moves('c');
    await settled();
    expect(moves).toEqual([]);
    const again = new FakeRepository('c');
    opened.fire(again);
    opened.fire(again);
    expect(again.listeners).toBe(1);
    again.moves('d');
    await settled();
    expect(moves).toEqual(['/p c d']);
  });

  it('is followed on where one repository could not be read at the end of a turn', async () => {
    await heads.start();
    reads.head = () => Promise.reject(new Error('no such folder'));
    heads.turnEnded();
    await settled();
    repositories[0]!.moves('b');
    await settled();
    expect([moves, logged]).toEqual([['/p a b'], [expect.stringContaining('no such folder')]]);
  });

  it('tells late of what was HEAD at the end of a turn: both are earlier commits', async () => {
    await heads.start();
    reads.head = async () => ({ commit: 'agent' });
    heads.turnEnded();
    repositories[0]!.moves('user');
    await settled();
    reads.head = async () => Promise.reject(new Error('locked'));
    heads.turnEnded();
    repositories[0]!.moves('next');
    await settled();
    expect(moves).toEqual(['/p a,agent user', '/p user,agent next']);
  });

  it('keeps no listener at the end', async () => {
    const activated = heads.start();
    heads.dispose();
    await activated;
    expect(repositories[0]!.listeners).toBe(0);
  });
});
