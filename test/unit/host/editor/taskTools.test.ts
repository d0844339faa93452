import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { Emitter } from '../../../../src/base/event';
import { taskTools } from '../../../../src/host/editor/taskTools';
import { ToolDesk } from '../../../fakes/toolDesk';
import { workTime } from '../../../fakes/workTime';

const world = vi.hoisted(() => ({
  tasks: [] as unknown[],
  settings: undefined as unknown,
  execute: undefined as undefined | ((task: unknown) => unknown),
}));
const endedProcess = new Emitter<unknown>();
const endedTask = new Emitter<unknown>();

vi.mock('vscode', () => {
  class ShellExecution {
    constructor(readonly fields: object) {
      Object.assign(this, fields);
    }
  }
  class ProcessExecution {
    constructor(readonly fields: object) {
      Object.assign(this, fields);
    }
  }
  return {
    ShellExecution,
    ProcessExecution,
    ShellQuoting: { Escape: 1, Strong: 2, Weak: 3 },
    TaskRevealKind: { Always: 1, Silent: 2, Never: 3 },
    Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
    workspace: { getConfiguration: () => ({ get: () => world.settings }) },
    tasks: {
      fetchTasks: async () => world.tasks,
      executeTask: async (task: unknown) => world.execute?.(task),
      onDidEndTaskProcess: (listener: (event: unknown) => void) => endedProcess.event(listener),
      onDidEndTask: (listener: (event: unknown) => void) => endedTask.event(listener),
    },
  };
});

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  Object.assign(world, { tasks: [], settings: undefined });
});
afterEach(() => desk.dispose());

async function task(name: string, fields: object, more: object = {}) {
  const { ShellExecution } = await import('vscode');
  return {
    name,
    source: 'Workspace',
    scope: { uri: { scheme: 'file', fsPath: desk.folder } },
    execution: new ShellExecution(fields as never),
    presentationOptions: {},
    ...more,
  };
}

const run = (args: object, token = neverCancelled) => taskTools['run_task']!(args as never, desk.session(), token);

describe('tasks', () => {
  it('lists the tasks of the session’s folders by their group', async () => {
    const elsewhere = { scope: { uri: { scheme: 'file', fsPath: '/elsewhere' } } };
    world.tasks = [
      await task('build', { commandLine: 'make' }, { group: { id: 'build' }, detail: 'Makes\u202eit' }),
      await task('unit', { commandLine: 'npm test' }, { group: { id: 'test' } }),
      await task('other', { commandLine: 'x' }, elsewhere),
    ];
    const list = (args: object) => taskTools['tasks']!(args as never, desk.session(), neverCancelled);
    expect(await list({})).toBe(
      '2 tasks\n  build (Workspace, group build): Makes⟨U+202E⟩it\n  unit (Workspace, group test)',
    );
    expect(await list({ group: 'test' })).toBe('1 task of the group test\n  unit (Workspace, group test)');
  });
});

describe('run_task', () => {
  it('asks with the whole command, and gives the end of the output', async () => {
    world.tasks = [
      await task('unit', {
        command: 'npm',
        args: ['test', 'two words', { value: 'a"b', quoting: 3 }],
        options: { env: { CI: '1', ROOT: '${workspaceFolder}' } },
      }),
    ];
    Object.assign(desk, {
      output: `${'x'.repeat(10_000_000)}\n\x1b[31mfailed\x1b[0m\r\n`,
      exit: { exitCode: 3, signal: null },
    });
    const answer = await run({ task: 'unit' });
    expect(desk.asked).toEqual([`Run the task “unit”: CI=1 ROOT=${desk.folder} npm test 'two words' "a\\"b"`]);
    expect(answer).toMatch(/^Exit code 3\.\n… only the end of the output:\nx+\nfailed$/);
    expect(answer.length).toBeLessThan(12_200);
    expect(desk.methods()).toEqual(['create', 'show', 'release']);
    expect(desk.calls[0]!.params).toMatchObject({
      command: `npm test 'two words' "a\\"b"`,
      args: [],
      cwd: desk.folder,
      env: [
        { name: 'CI', value: '1' },
        { name: 'ROOT', value: desk.folder },
      ],
    });
  });

  it('takes no time for output in one line, and shows what a progress bar has come to', async () => {
    world.tasks = [await task('unit', { commandLine: 'npm test' })];
    desk.output = 'x'.repeat(12_000);
    const before = workTime();
    for (let round = 0; round < 20; round++) await run({ task: 'unit' });
    expect(workTime() - before).toBeLessThan(1_000);
    desk.output = '10 %\r50 %\r100 %\r\nok\r';
    expect(await run({ task: 'unit' })).toBe('Exit code 0.\n100 %\nok');
  });

  it.each([
    ['refused', { task: 'a' }, 'The user did not allow this task. Do not ask again; go on without it.'],
    ['unknown', { task: 'b' }, 'There is no such task. List them with the tool tasks.'],
    ['a wrong type', { task: 7 }, 'task must be a string of at most 4000 characters.'],
    ['no name', {}, 'task is missing.'],
  ])('starts nothing: %s', async (_, args, message) => {
    world.tasks = [await task('a', { commandLine: 'make' })];
    desk.allows = false;
    await expect(run(args)).rejects.toThrow(message);
    expect(desk.calls).toEqual([]);
  });

  it('shows control characters of a name and of a command', async () => {
    world.tasks = [await task('a\x1b[2J\n', { commandLine: 'make\u202e # \nrm -rf .' })];
    await run({ task: 'a\x1b[2J\n' });
    expect(desk.asked[0]).not.toMatch(/[\x1b\u202e\n]/);
    expect(desk.asked[0]).toContain('rm -rf .');
  });

  it('refuses a folder outside the session, and a command that is too long to judge', async () => {
    world.tasks = [
      await task('out', { commandLine: 'make', options: { cwd: '/' } }),
      await task('long', { commandLine: 'x'.repeat(9_000) }),
    ];
    await expect(run({ task: 'out' })).rejects.toThrow('/ is outside the session’s folders.');
    await expect(run({ task: 'long' })).rejects.toThrow('too long');
    expect(desk.asked).toEqual([]);
  });

  it('says how to look again at a task that still runs', async () => {
    world.tasks = [await task('watch', { commandLine: 'make' })];
    desk.exit = undefined;
    const answer = run({ task: 'watch', timeout: 5 });
    await vi.waitFor(() => expect(desk.methods()).toContain('show'));
    await vi.waitFor(() => expect(desk.clock.running).toBe(1));
    desk.clock.advance(5_000);
    expect(await answer).toBe('Still running after 5 s. Look again with run_task and run "term-1".\n');
    desk.exit = { exitCode: 0, signal: null };
    expect(await run({ run: 'term-1' })).toBe('Exit code 0.\n');
    expect(desk.asked).toHaveLength(1);
  });

  it('ends the task of a call that is withdrawn', async () => {
    world.tasks = [await task('watch', { commandLine: 'make' })];
    desk.exit = undefined;
    const source = new CancellationSource();
    const answer = run({ task: 'watch' }, source.token);
    await vi.waitFor(() => expect(desk.clock.running).toBe(1));
    await vi.waitFor(() => expect(desk.methods()).toContain('show'));
    source.cancel();
    await expect(answer).rejects.toThrow('stopped');
    expect(desk.methods()).toEqual(['create', 'show', 'kill', 'release']);
  });

  it('lets VS Code run what only VS Code can, and names the tasks before it', async () => {
    world.settings = [{ label: 'all', dependsOn: ['build', { type: 'npm' }] }];
    const all = await task('all', { commandLine: 'echo ${input:word}' });
    world.tasks = [all];
    world.execute = (started) => {
      const execution = { task: started, terminate: () => undefined };
      queueMicrotask(() => endedProcess.fire({ execution, exitCode: 2 }));
      return execution;
    };
    expect(await run({ task: 'all' })).toBe(
      'Exit code 2. VS Code ran this task in its own terminal, so its output cannot be read here.' +
        ' The results of the tasks before it are not known.',
    );
    expect(desk.asked).toEqual(['Run the task “all”: echo ${input:word} (after build, another task)']);
    expect(desk.calls).toEqual([]);
  });

  it('ends a task that VS Code starts after the call was withdrawn', async () => {
    world.tasks = [await task('all', { commandLine: 'echo ${file}' })];
    const source = new CancellationSource();
    let isEnded = false;
    world.execute = async (started) => {
      source.cancel();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { task: started, terminate: () => (isEnded = true) };
    };
    await expect(run({ task: 'all' }, source.token)).rejects.toThrow(
      'The call was withdrawn, and the task was stopped.',
    );
    expect(isEnded).toBe(true);
  });

  it('does not let VS Code run a task that changed while the user was asked', async () => {
    world.tasks = [await task('all', { commandLine: 'echo ${file}' })];
    const other = await task('all', { commandLine: 'rm ${file}' });
    desk.meanwhile = () => (world.tasks = [other]);
    await expect(run({ task: 'all' })).rejects.toThrow('changed while the user was asked');
  });

  it('does not let VS Code run one that got another task before it while the user was asked', async () => {
    world.tasks = [await task('all', { commandLine: 'echo ${file}' })];
    const executed: unknown[] = [];
    world.execute = (started) => void executed.push(started);
    desk.meanwhile = () => (world.settings = [{ label: 'all', dependsOn: 'evil' }]);
    await expect(run({ task: 'all' })).rejects.toThrow('changed while the user was asked');
    expect(executed).toEqual([]);
  });
});
