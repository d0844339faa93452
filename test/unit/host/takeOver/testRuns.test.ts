import { beforeEach, expect, it, vi } from 'vitest';
import { TestRuns } from '../../../../src/host/takeOver/testRuns';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

const told = vi.hoisted(() => ({
  asked: {} as Record<string, unknown>,
  answer: undefined as string | undefined,
  tasks: [] as { name: string; command: string; cwd: string }[],
  end: (_code: number | undefined) => {},
  fails: false,
}));
vi.mock('vscode', () => ({
  window: { showInputBox: async (asked: Record<string, unknown>) => ((told.asked = asked), told.answer) },
}));
vi.mock('../../../../src/host/worktrees/worktreeTask', () => ({
  runInWorktree: (command: string, { path: cwd }: { path: string }, name: string) => {
    told.tasks.push({ name, command, cwd });
    return told.fails ? Promise.reject(new Error('no')) : new Promise((resolve) => (told.end = resolve));
  },
}));

const sides = ['a', 'b'].map((sessionId) => ({
  sessionId,
  worktree: { path: `/w/${sessionId}`, repository: '/w/repo', branch: sessionId, base: 'c0' },
}));
let clock: FakeClock;
let state: MemoryState;
let tests: TestRuns;
beforeEach(() => {
  Object.assign(told, { asked: {}, answer: undefined, tasks: [], fails: false });
  clock = new FakeClock();
  state = new MemoryState();
  tests = new TestRuns(state, clock);
});

const words = (changedAt = 0) => sides.map(({ sessionId }) => tests.words(sessionId, changedAt));
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('one worktree is tested after another, and the rows say how it goes', async () => {
  let changes = 0;
  tests.onDidChange(() => changes++);
  expect([words(), tests.isBusy(['a', 'b'])]).toEqual([[undefined, undefined], false]);
  const ended = tests.run('npm test', sides);
  expect([words(), tests.isBusy(['b'])]).toEqual([['tests run, 0 s', 'tests wait'], true]);
  clock.advance(4_000);
  expect(words()[0]).toBe('tests run, 4 s');
  told.end(0);
  await settled();
  expect(words()).toEqual(['tests passed in 4 s', 'tests run, 0 s']);
  clock.advance(1_500);
  told.end(1);
  await ended;
  expect(words()).toEqual(['tests passed in 4 s', 'tests failed (exit code 1) in 1.5 s']);
  // The session went on afterwards, or while they ran.
  expect(words(clock.now())[1]).toBe('tests failed (exit code 1) in 1.5 s, before its last turn');
  expect(told.tasks).toEqual([
    { name: 'Test a', command: 'npm test', cwd: '/w/a' },
    { name: 'Test b', command: 'npm test', cwd: '/w/b' },
  ]);
  expect([changes, tests.isBusy(['a', 'b'])]).toEqual([6, false]);
});

it('a command that was stopped or could not begin has no result', async () => {
  told.fails = true;
  await tests.run('npm test', sides);
  expect(words()).toEqual(['tests did not end', 'tests did not end']);
});

it('the command is what the user typed last in this workspace, and nothing else', async () => {
  expect([tests.command, await tests.ask(), told.asked['value']]).toEqual(['', undefined, '']);
  told.answer = 'npm test';
  expect(await tests.ask()).toBe('npm test');
  told.answer = ' ';
  expect(await new TestRuns(state, clock).ask()).toBeUndefined();
  expect([told.asked['value'], tests.command]).toEqual(['npm test', 'npm test']);
});
