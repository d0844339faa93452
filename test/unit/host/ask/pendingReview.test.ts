import { beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { changeGroups } from '../../../../src/changes/changeGroups';
import type { Change } from '../../../../src/changes/hunk';
import type { SessionChanges } from '../../../../src/changes/scope';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { pendingDiff } from '../../../../src/host/ask/pendingDiff';
import { PendingReview } from '../../../../src/host/ask/pendingReview';
import { RemarkThreads } from '../../../../src/host/ask/remarkThreads';

interface Thread {
  readonly uri: { readonly fsPath: string };
  readonly range: { readonly start: { readonly line: number } };
  readonly comments: readonly { readonly author: { readonly name: string }; readonly body: string }[];
  contextValue?: string;
}
const told = vi.hoisted(() => ({
  words: [] as string[],
  offers: [] as string[],
  pick: undefined as string | undefined,
  threads: [] as Thread[],
  contexts: {} as Record<string, unknown>,
}));
vi.mock('vscode', async () => {
  const say = async (words: string, ...offers: string[]) => {
    told.words.push(words);
    told.offers = offers;
    return told.pick !== undefined && offers.includes(told.pick) ? told.pick : undefined;
  };
  return {
    ...(await import('../../../fakes/fakeVscode')),
    ProgressLocation: { Notification: 15 },
    CommentMode: { Preview: 1 },
    CommentThreadCollapsibleState: { Expanded: 1 },
    Range: class {
      readonly start: object;
      constructor(line: number) {
        this.start = { line };
      }
    },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    commands: {
      executeCommand: async (_: string, key: string, value: unknown) => void (told.contexts[key] = value),
    },
    comments: {
      createCommentController: () => ({
        createCommentThread: (uri: Thread['uri'], range: Thread['range'], comments: Thread['comments']) => {
          const thread = {
            uri,
            range,
            comments,
            dispose: () => void told.threads.splice(told.threads.indexOf(thread), 1),
          };
          told.threads.push(thread);
          return thread;
        },
        dispose() {},
      }),
    },
    workspace: { asRelativePath: ({ fsPath }: Thread['uri']) => fsPath.replace('/w/', '') },
    window: {
      showInformationMessage: say,
      showErrorMessage: say,
      setStatusBarMessage: say,
      withProgress: async (_: unknown, work: (progress: object, token: object) => Promise<void>) =>
        work({}, { onCancellationRequested: () => ({ dispose() {} }) }),
    },
  };
});
vi.mock('../../../../src/host/agents/pickAgent', () => ({ galleryItem: 'gallery', pickAgent: async () => 'Two' }));

beforeEach(() => Object.assign(told, { words: [], offers: [], pick: undefined, threads: [], contexts: {} }));

const change = (path: string, baseline: string | undefined, current: string | undefined, note?: string): Change => ({
  path,
  kind: baseline === undefined ? 'created' : current === undefined ? 'deleted' : 'modified',
  turn: 't',
  baseline,
  current,
  hunks: [],
  added: 1,
  removed: 1,
  ...(note === undefined ? {} : { note }),
});
const numbered = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

const sessions: readonly SessionChanges[] = [
  { sessionId: 'old', changes: [change('/w/old.ts', 'a\n', 'b\n')] },
  {
    sessionId: 's',
    changes: [
      change('/w/src/a.ts', numbered('1', '2', '3', '4', '5', '6'), numbered('1', '2', '3', '4', 'five', '6')),
      change('/w/new.ts', undefined, 'x\n'),
      change('/w/.env', 'KEY=1\n', 'KEY=2\n'),
    ],
  },
];

function desk(answer: string, { list = sessions, active = 's', isOpen = true } = {}) {
  const prompts: string[] = [];
  const filled: [string, readonly NewAttachment[]][] = [];
  const opened: string[] = [];
  const threads = new RemarkThreads();
  const service = new PendingReview({
    sessions: {
      active: { id: active, cwd: '/w' },
      record: (id: string) => ({ id, agent: 'One', cwd: '/w' }),
      openSession: async (id: string) => (opened.push(id), isOpen),
    } as never,
    agents: {
      named: (name: string) => ({ name }) as never,
      choices: async () => [],
      showAll: async () => undefined,
      answers: async () => ({ ask: async (_: unknown, prompt: string) => (prompts.push(prompt), answer) }),
    },
    changes: { sessions: () => list, look: async () => undefined, isGuarded: (path) => path.endsWith('.lock') },
    threads: async () => threads,
    fill: async (text, made) => void filled.push([text, made]),
    log: silentLogger,
  });
  return { service, prompts, filled, opened, threads };
}

it('an agent sees the diffs, and not what is protected or secret', () => {
  const made = pendingDiff(
    [
      ...sessions[1]!.changes,
      change('/w/yarn.lock', 'a\n', 'b\n'),
      change('/w/b.bin', undefined, undefined, 'binary'),
      change('/w/gone.ts', 'z\n', undefined),
    ],
    '/w',
    (path) => path.endsWith('.lock'),
  );
  expect(made.files).toEqual(['src/a.ts', 'new.ts', 'gone.ts']);
  expect(made.leftOut).toEqual(['.env', 'yarn.lock', 'b.bin']);
  expect(made.hidden).toEqual(['.env', 'yarn.lock']);
  expect(made.diff.trimEnd()).toBe(
    [
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -2,5 +2,5 @@',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+five',
      ' 6',
      'diff --git a/new.ts b/new.ts',
      '--- /dev/null',
      '+++ b/new.ts',
      '@@ -1,0 +1,1 @@',
      '+x',
      'diff --git a/gone.ts b/gone.ts',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1,1 +1,0 @@',
      '-z',
    ].join('\n'),
  );
});

it('its remarks are comments on the lines, and all of them become a draft for the session', async () => {
  const { service, prompts, filled, opened } = desk(
    '[{"path": "src/a.ts", "line": 5, "text": "Spelled out."}, {"path": "b/new.ts", "line": 1, "text": "Unused."}]',
  );
  told.pick = 'Send All to One';
  await service.review();
  expect(prompts[0]).toContain('+five');
  expect(prompts[0]).not.toContain('KEY=');
  expect(
    told.threads.map(({ uri, range, comments, contextValue }) => [
      uri.fsPath,
      range.start.line,
      comments[0]!.author.name,
      comments[0]!.body,
      contextValue,
    ]),
  ).toEqual([
    ['/w/src/a.ts', 4, 'Two', 'Spelled out.', 'ofSession'],
    ['/w/new.ts', 0, 'Two', 'Unused.', 'ofSession'],
  ]);
  expect(told.words).toEqual([
    'The agent did not see .env: protected, or may contain secrets.',
    'Two has 2 remarks on the changes.',
  ]);
  await vi.waitFor(() => expect(filled).toHaveLength(1));
  expect(opened).toEqual(['s']);
  expect(filled[0]![0]).toBe(
    'Look into the attached remarks of Two on your changes. Where they are right, fix the code.',
  );
  expect(filled[0]![1]).toMatchObject([
    { label: 'Review by Two', detail: '2 remarks', content: 'src/a.ts:5: Spelled out.\n\nnew.ts:1: Unused.\n' },
  ]);
});

it('one remark can be sent, and a new review of the session replaces it', async () => {
  const { service, filled, threads } = desk('[{"path": "src/a.ts", "line": 5, "text": "Spelled out."}]');
  await service.review();
  threads.show('/w', 'Three', [{ path: 'src/a.ts', line: 1, text: 'Of Source Control.' }]);
  await service.review();
  expect(told.threads.map(({ comments }) => comments[0]!.body)).toEqual(['Of Source Control.', 'Spelled out.']);
  expect(told.contexts).toMatchObject({ 'parley.hasRemarks': true, 'parley.hasSessionRemarks': true });
  await service.send(told.threads[0]);
  expect(filled).toEqual([]);
  await service.send(told.threads[1]);
  expect(filled[0]![1][0]!.content).toBe('src/a.ts:5: Spelled out.\n');
  threads.dismissAll();
  expect(told.contexts).toMatchObject({ 'parley.hasRemarks': false, 'parley.hasSessionRemarks': false });
});

it('reviews the files of the chosen rows', async () => {
  const rows = changeGroups(sessions, 'file');
  const { service, prompts } = desk('[]');
  await service.review(rows[0]);
  expect(prompts[0]).toContain('<files>\nold.ts\n</files>');
  const [first, second] = rows[1]!.kind === 'session' ? rows[1]!.children : [];
  await service.review(first, [first, second]);
  expect(prompts[1]).toContain('<files>\nsrc/a.ts\nnew.ts\n</files>');
  expect(told.words.at(-1)).toBe('Two has no remarks on the changes.');
});

it('reviews the latest session where the shown one has nothing pending', async () => {
  const { service, prompts } = desk('[]', { active: 'other' });
  await service.review();
  expect(prompts[0]).toContain('src/a.ts');
});

it('says why there is nothing to review, or nobody to send it to', async () => {
  await desk('[]', { list: [] }).service.review();
  const secret = desk('[]', { list: [{ sessionId: 's', changes: [change('/w/.env', 'a', 'b')] }] });
  await secret.service.review();
  expect(secret.prompts).toEqual([]);
  const closed = desk('[{"path": "src/a.ts", "line": 5, "text": "Spelled out."}]', { isOpen: false });
  await closed.service.review();
  await closed.service.sendAll();
  expect(closed.filled).toEqual([]);
  expect(told.words).toEqual([
    'There are no pending changes of an agent to review.',
    'All changed files are protected, binary or may contain secrets, so there is nothing to review.',
    'The agent did not see .env: protected, or may contain secrets.',
    'Two has 1 remark on the changes.',
    'The session of these changes no longer exists.',
  ]);
});
