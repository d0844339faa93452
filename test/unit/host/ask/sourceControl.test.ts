import { beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { NoAnswerGiven } from '../../../../src/host/ask/separateAnswer';
import { SourceControlAsks } from '../../../../src/host/ask/sourceControl';
import { MemoryState } from '../../../fakes/memoryState';

const told = vi.hoisted(() => ({ words: [] as string[], pick: '', answer: undefined as string | undefined }));
vi.mock('vscode', () => {
  const say = async (words: string) => (told.words.push(words), told.answer);
  return {
    ProgressLocation: { Notification: 15 },
    commands: { executeCommand: async () => undefined },
    workspace: {},
    window: {
      showInformationMessage: say,
      showErrorMessage: say,
      showWarningMessage: say,
      setStatusBarMessage: (words: string) => void told.words.push(words),
      showQuickPick: async (items: readonly { readonly label: string }[]) =>
        items.find(({ label }) => label === told.pick),
      withProgress: async (_: unknown, work: (progress: object, token: object) => Promise<void>) =>
        work({}, { onCancellationRequested: () => ({ dispose() {} }) }),
    },
  };
});

const read = vi.hoisted(() => ({ changes: undefined as unknown }));
vi.mock('../../../../src/host/ask/repositoryChanges', () => ({ readChanges: async () => read.changes }));

beforeEach(() => {
  Object.assign(told, { words: [], pick: '', answer: undefined });
  read.changes = { top: '/w', isStaged: true, diff: '+a\n', files: ['a.ts'], leftOut: [], messages: [] };
});

function desk(
  answer: (prompt: string, token: { readonly isCancellationRequested: boolean }) => Promise<string | undefined>,
) {
  const asked: string[] = [];
  const shown: unknown[] = [];
  const names = ['One', 'Two'];
  const asks = new SourceControlAsks({
    answers: {
      ask: async ({ name }, prompt, token) => {
        asked.push(name);
        return answer(prompt, token);
      },
    },
    agents: {
      all: () => names.map((name) => ({ name })) as never,
      named: (name: string) => (names.includes(name) ? ({ name } as never) : undefined),
      current: () => 'One',
    },
    threads: async () => ({
      show: (...given: unknown[]) => void shown.push(given),
      openFirst: async () => void shown.push('opened'),
    }),
    git: async () => ({}) as never,
    showAgents: async () => undefined,
    state: new MemoryState(),
    log: silentLogger,
  });
  const repository = {
    rootUri: { scheme: 'file', fsPath: '/w', toString: () => 'file:///w' },
    inputBox: { value: '' },
  };
  return { asks, asked, shown, repository };
}

it('the message goes into the box', async () => {
  const { asks, repository, asked } = desk(async () => '```\nAdd a\n```');
  await asks.writeMessage(repository);
  expect([repository.inputBox.value, asked, told.words]).toEqual(['Add a', ['One'], []]);
});

it('another agent can be chosen, and is remembered', async () => {
  const { asks, repository, asked } = desk(async () => 'Add a');
  told.pick = 'Two';
  await asks.writeMessage(repository, true);
  await asks.writeMessage(repository);
  told.pick = 'nobody';
  await asks.writeMessage(repository, true);
  expect(asked).toEqual(['Two', 'Two']);
});

it('what the user typed meanwhile stays, unless they agree', async () => {
  const { asks, repository } = desk(async () => ((repository.inputBox.value = 'mine'), 'Add a'));
  await asks.writeMessage(repository);
  expect(repository.inputBox.value).toBe('mine');
  expect(told.words).toEqual(['One has written a commit message. Replace what you typed meanwhile?']);
  told.answer = 'Replace';
  await asks.writeMessage(Object.assign(repository, { inputBox: { value: '' } }));
  expect(repository.inputBox.value).toBe('Add a');
});

it.each([
  ['no message', async (): Promise<string> => '  ', 'One did not answer with a commit message.'],
  ['a book', async (): Promise<string> => 'x'.repeat(100_000), 'One did not answer with a commit message.'],
  [
    'a failure',
    (): Promise<string> => Promise.reject(new NoAnswerGiven('The answer is too long.')),
    'The answer is too long.',
  ],
] as const)('%s: the box stays as it was, and the user reads why', async (_, answer, words) => {
  const { asks, repository } = desk(answer);
  repository.inputBox.value = 'before';
  await asks.writeMessage(repository);
  expect([repository.inputBox.value, told.words]).toEqual(['before', [words]]);
});

it('Stop leaves the box, says nothing, and lets another one begin', async () => {
  const { asks, repository, asked } = desk(async () => (asks.stop(), undefined));
  await asks.writeMessage(repository);
  await asks.writeMessage(repository);
  expect([repository.inputBox.value, told.words, asked.length]).toEqual(['', [], 2]);
});

it('one at a time for a repository', async () => {
  let end: (text: string) => void = () => undefined;
  const { asks, repository } = desk(() => new Promise((resolve) => (end = resolve)));
  const first = asks.writeMessage(repository);
  await vi.waitFor(() => expect(end.length).toBe(1));
  await asks.review(repository);
  expect(told.words).toEqual(['An agent is working on this repository already.']);
  end('Add a');
  await first;
});

it('the user learns what the agent did not see', async () => {
  read.changes = { ...(read.changes as object), leftOut: ['.env', 'a.pem'] };
  const { asks, repository } = desk(async () => 'Add a');
  await asks.writeMessage(repository);
  expect(told.words).toEqual(['The agent did not see .env, a.pem: protected, or may contain secrets.']);
});

it('a review shows its remarks, and its other words are offered', async () => {
  const { asks, repository, shown } = desk(
    async () => '[{"path": "a.ts", "line": 1, "text": "Odd."}, {"path": "b.ts", "line": 1, "text": "Elsewhere."}]',
  );
  await asks.review(repository);
  expect(shown).toEqual([['/w', 'One', [{ path: 'a.ts', line: 1, text: 'Odd.' }]]]);
  expect(told.words).toEqual(['One has 1 remark on the changes.']);
  told.answer = 'Show Remarks';
  await asks.review(repository);
  await vi.waitFor(() => expect(shown.at(-1)).toBe('opened'));
});

it('a review of protected files only asks no agent', async () => {
  read.changes = { ...(read.changes as object), files: [], leftOut: ['.env'] };
  const { asks, repository, asked } = desk(async () => '[]');
  await asks.review(repository);
  expect([asked, told.words]).toEqual([
    [],
    ['All changed files are protected or may contain secrets, so there is nothing to review.'],
  ]);
});

it.each([undefined, {}, { rootUri: { scheme: 'git' }, inputBox: { value: '' } }, { rootUri: { scheme: 'file' } }])(
  'without a repository the user learns where to run it (%o)',
  async (argument) => {
    const { asks, asked } = desk(async () => 'Add a');
    await asks.writeMessage(argument);
    await asks.review(argument);
    expect([asked, told.words.length]).toEqual([[], 2]);
  },
);
