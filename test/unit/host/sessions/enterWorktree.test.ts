import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { Deferred } from '../../../../src/base/deferred';
import type { Emitter } from '../../../../src/base/event';
import { LiveSession } from '../../../../src/host/sessions/liveSession';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

/* The first prompt of a session that is to work in a worktree, with a command that prepares it. */

interface Task {
  readonly name: string;
  readonly source: string;
  readonly execution: { readonly commandLine: string; readonly options: { readonly cwd: string } };
}
const world = vi.hoisted(() => ({
  setup: undefined as string | undefined,
  /** Runs a task, or refuses to. */
  run: (_task: unknown): Promise<object> => Promise.reject(new Error('unused')),
  ended: undefined as unknown as Emitter<{ execution: { task: unknown }; exitCode: number | undefined }>,
}));
vi.mock('vscode', async () => {
  const { Emitter } = await import('../../../../src/base/event');
  world.ended = new Emitter();
  return {
    ...(await import('../../../fakes/fakeVscode')),
    TaskScope: { Workspace: 2 },
    TaskRevealKind: { Always: 1, Never: 3 },
    TaskPanelKind: { Dedicated: 2 },
    ShellExecution: class {
      constructor(
        readonly commandLine: string,
        readonly options: object,
      ) {}
    },
    Task: class {
      constructor(
        readonly definition: object,
        readonly scope: number,
        readonly name: string,
        readonly source: string,
        readonly execution: object,
      ) {}
    },
    tasks: {
      executeTask: (task: unknown) => world.run(task),
      onDidEndTaskProcess: world.ended.event,
      onDidEndTask: () => ({ dispose: () => undefined }),
    },
    workspace: {
      isTrusted: true,
      workspaceFolders: undefined,
      getConfiguration: () => ({ inspect: () => ({ globalValue: world.setup, workspaceValue: 'echo not this' }) }),
    },
  };
});

const worktree = { path: '/w.worktrees/fix-it', repository: '/w', branch: 'fix-it', base: 'c0' };

function scene(make: () => Promise<object> = async () => ({ worktree, cwd: worktree.path })) {
  const opened: string[] = [];
  const prompts: string[] = [];
  const agent = runningAgent(
    connectionWith({
      newSession: async ({ cwd }) => {
        opened.push(cwd);
        return { sessionId: `s${opened.length}`, ...nothingOffered };
      },
      prompt: async (_id, [block]) => {
        prompts.push(block?.type === 'text' ? block.text : '');
        return { stopReason: 'end_turn' };
      },
    }),
  );
  const words: string[] = [];
  const services = sessionServices({
    processes: { running: () => agent, start: async () => agent },
    prompts: { build: async ({ text }) => [{ type: 'text', text }] },
    opening: {
      worktrees: {
        at: (folder) => (folder === worktree.path ? worktree : undefined),
        reach: (cwd) => [cwd],
        placeOf: (_agent, folder) => (folder === '/w' ? 'worktree' : undefined),
        make: async (_folder, asked) => {
          words.push(asked);
          return (await make()) as never;
        },
      },
    },
  });
  const live = new LiveSession({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, services);
  const notices = () =>
    [...live.session.thread.entries].flatMap((entry) =>
      entry.kind === 'notice' ? [`${entry.severity} | ${entry.title} | ${entry.detail ?? ''}`] : [],
    );
  const send = () => live.submit({ text: 'Fix it\nplease', mentions: [], attachments: [] });
  return { live, opened, prompts, words, notices, send };
}

const made =
  'info | New worktree: fix-it | This session works in /w.worktrees/fix-it. Uncommitted changes of your folder are not there.';

beforeEach(() => {
  world.setup = undefined;
  world.run = () => Promise.reject(new Error('no task is expected'));
});

it('the session begins in the worktree, which is named after the first line', async () => {
  const { live, opened, prompts, words, notices, send } = scene();
  await send();
  expect([words, opened, prompts, live.cwd]).toEqual([['Fix it'], [worktree.path], ['Fix it\nplease'], worktree.path]);
  expect(notices()).toEqual([made]);
});

it('without a worktree nothing is sent, and the thread says why and offers another try', async () => {
  const { live, opened, prompts, notices, send } = scene(() => Promise.reject(new Error('hook says no')));
  await send();
  expect([opened, prompts, live.cwd]).toEqual([[], [], '/w']);
  expect(notices()[0]).toBe('error | The worktree could not be created | hook says no');
  expect([...live.session.thread.entries].find(({ kind }) => kind === 'notice')).toMatchObject({ actions: ['retry'] });
  expect(live.connection.view).toEqual({ state: 'idle' });
});

describe('the command that prepares it', () => {
  let task: Task;
  let started: Deferred<void>;
  const runs = (end?: number) => async (given: unknown) => {
    task = given as Task;
    started.resolve();
    if (end !== undefined) queueMicrotask(() => world.ended.fire({ execution: { task }, exitCode: end }));
    return { task };
  };
  beforeEach(() => {
    world.setup = 'npm ci';
    started = new Deferred<void>();
  });

  it('runs in the worktree before the prompt, without a word if it ends well', async () => {
    world.run = runs(0);
    const { prompts, notices, send } = scene();
    await send();
    expect(task.execution).toMatchObject({ commandLine: 'npm ci', options: { cwd: worktree.path } });
    expect([prompts.length, notices()]).toEqual([1, [made]]);
  });

  it('may fail: the prompt is sent, and the thread has the exit code', async () => {
    world.run = runs(3);
    const { prompts, notices, send } = scene();
    await send();
    expect([prompts.length, notices()]).toEqual([
      1,
      [made, 'warning | The setup of the worktree ended with exit code 3 | npm ci'],
    ]);
  });

  it('may be refused by VS Code: the prompt is sent, and the thread says that it did not end', async () => {
    world.run = () => Promise.reject(new Error('Tasks are disabled'));
    const { prompts, notices, send } = scene();
    await send();
    expect([prompts.length, notices()]).toEqual([
      1,
      [made, 'warning | The setup of the worktree did not end | npm ci'],
    ]);
  });

  it('is not waited for after Stop: nothing is sent, and its end is said when it comes', async () => {
    world.run = runs();
    const { live, prompts, notices, send } = scene();
    const sent = send();
    await started.promise;
    expect(live.connection.view).toMatchObject({ state: 'starting', detail: 'Setting up the worktree' });
    live.stop();
    await sent;
    expect([prompts, live.session.isRunning, live.cwd]).toEqual([[], false, worktree.path]);
    expect(notices()).toEqual([made, 'info | Stopped | ']);
    world.ended.fire({ execution: { task }, exitCode: 1 });
    await vi.waitFor(() => expect(notices()).toHaveLength(3));
    expect(notices()[2]).toBe('warning | The setup of the worktree ended with exit code 1 | npm ci');
  });
});
