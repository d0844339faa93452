import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lineEdits } from '../../../../src/changes/lineEdits';
import { contentOfText } from '../../../../src/host/storage/contentInHand';
import { mergeText } from '../../../../src/host/takeOver/mergeText';
import { type PreparedPrompt, takeOverFrom } from '../../../../src/host/takeOver/takeOverFrom';

const told = vi.hoisted(() => ({
  lists: [] as { label: string; description?: string }[][],
  answer: '',
  /** By the beginning of the title; else it is `answer`. */
  answers: {} as Record<string, string>,
  changes: [] as object[],
  folders: [] as string[],
  asked: (): void => undefined,
}));
vi.mock('vscode', () => ({
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  ProgressLocation: { Notification: 15 },
  workspace: {
    get workspaceFolders() {
      return told.folders.map((fsPath) => ({ uri: { scheme: 'file', fsPath } }));
    },
  },
  window: {
    showQuickPick: async (
      items: { label: string; description?: string }[],
      { canPickMany, title = '' }: { canPickMany?: boolean; title?: string },
    ) => (
      canPickMany || told.asked(),
      told.lists.push(items),
      canPickMany ? items : items.find(({ label }) => label === (told.answers[title.split(':')[0]!] ?? told.answer))
    ),
    withProgress: async (_: unknown, work: () => Promise<unknown>) => work(),
  },
}));
vi.mock('../../../../src/host/files/readContent', () => ({
  withBytes: async (_: string, content: object) => content,
  standingContent: async (file: string) => contentOfText(readFileSync(file, 'utf8')),
}));
vi.mock('../../../../src/host/takeOver/worktreeChanges', () => ({
  worktreeChanges: async () => ({ changes: told.changes, unread: [] }),
}));

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-')));
  Object.assign(told, {
    lists: [],
    answer: 'Ask One to Merge',
    answers: {},
    changes: [],
    folders: [join(top, 'repo')],
    asked: () => undefined,
  });
});
afterEach(() => rmSync(top, { recursive: true }));

const path = (label: string) => join(top, 'repo', label);

function change(label: string, base: string, mine: string, theirs: string) {
  mkdirSync(dirname(path(label)), { recursive: true });
  writeFileSync(path(label), mine);
  const texts = { base: contentOfText(base), theirs: contentOfText(theirs) };
  told.changes.push({ path: path(label), label, ...texts, edits: lineEdits(base, theirs) });
}

async function takeOver(guarded: readonly string[] = []) {
  const notices: { severity: string; title: string; detail: string }[] = [];
  const prompts: PreparedPrompt[] = [];
  const worktree = { path: join(top, 'tree'), repository: join(top, 'repo'), branch: 'fix', base: 'c0' };
  const live = {
    id: 'a',
    agent: 'One',
    cwd: worktree.path,
    session: { notify: (notice: (typeof notices)[0]) => notices.push(notice) },
  };
  const isAsked = await takeOverFrom(live as never, worktree, {
    worktrees: {} as never,
    review: {
      write: async (_: string, file: string, __: unknown, { text }: { text: string }) => writeFileSync(file, text),
    },
    prompts: {
      isGuarded: (file: string) => guarded.some((label) => path(label) === file),
      open: async (prompt: PreparedPrompt) => void prompts.push(prompt),
    },
  } as never);
  expect(isAsked).toBe(prompts.length > 0);
  return { notice: notices[0], prompts };
}

it('lines of both sides stay the user’s until the agent has merged them, in a session in the user’s folder', async () => {
  change('a.ts', 'one\ntwo\nthree\n', 'zero\none\nMINE\nthree\n', 'one\nTHEIRS\nthree\nfour\n');
  change('same.ts', 'one\n', 'mine\n', 'theirs\n');
  change('far.ts', 'one\n', 'one\n', 'ONE\n');
  const { notice, prompts } = await takeOver();
  expect(told.lists[1]!.map(({ label }) => label)).toEqual([
    'Yours',
    'The Worktree’s',
    'Both',
    'Ask One to Merge',
    'For Each File…',
  ]);
  expect(readFileSync(path('a.ts'), 'utf8')).toBe('zero\none\nMINE\nthree\nfour\n');
  expect(readFileSync(path('same.ts'), 'utf8')).toBe('mine\n');
  expect(notice).toEqual({
    severity: 'info',
    title: 'Took over 2 files from fix into repo',
    detail: [
      'a.ts',
      'far.ts',
      'a.ts: your lines stay until One has merged them',
      'same.ts: your lines stay until One has merged them',
    ].join('\n'),
  });
  const { attachment, ...prompt } = prompts[0]!;
  expect(prompt).toEqual({
    agent: 'One',
    from: 'a',
    place: { cwd: join(top, 'repo'), roots: [join(top, 'repo')] },
    text: 'Merge the attached lines of 2 files, which have changed here and on fix.',
  });
  expect(attachment).toMatchObject({ label: 'Lines to merge from fix', detail: '2 places', linkable: false });
  const places = String(attachment.content).split('\n## ').slice(1);
  expect(places[0]).toBe(
    'a.ts:3\n\nBefore both:\n\n```\ntwo\n```\n\nIn this folder:\n\n```\nMINE\n```\n\nIn the worktree:\n\n```\nTHEIRS\n```\n',
  );
  expect(places[1]).toMatch(/^same\.ts:1\n/);
});

it('each file gets the lines that are chosen for it, and a list that is left takes nothing over', async () => {
  change('a.ts', 'one\n', 'mine\n', 'theirs\n');
  change('b.ts', 'one\n', 'mine\n', 'theirs\n');
  change('c.ts', 'one\n', 'mine\n', 'theirs\n');
  told.answer = 'For Each File…';
  told.answers = { 'a.ts': 'The Worktree’s', 'b.ts': 'Ask One to Merge', 'c.ts': '' };
  expect((await takeOver()).prompts).toEqual([]);
  expect(readFileSync(path('a.ts'), 'utf8')).toBe('mine\n');
  told.answers['c.ts'] = 'Both';
  const { notice, prompts } = await takeOver();
  expect(['a.ts', 'b.ts', 'c.ts'].map((label) => readFileSync(path(label), 'utf8'))).toEqual([
    'theirs\n',
    'mine\n',
    'mine\ntheirs\n',
  ]);
  expect(notice!.detail).toBe('a.ts\nc.ts\nb.ts: your lines stay until One has merged them');
  expect(prompts[0]!.text).toBe('Merge the attached lines of b.ts, which have changed here and on the branch fix.');
  expect(told.lists.at(-1)!.map(({ label }) => label)).not.toContain('For Each File…');
});

it('lines that the user changes too while they choose stay theirs, and the notice says so', async () => {
  change('a.ts', 'one\n\ntwo\n', 'one\n\ntwo\n', 'ONE\n\nTWO\n');
  change('b.ts', 'one\n', 'mine\n', 'theirs\n');
  told.answer = 'The Worktree’s';
  told.asked = () => writeFileSync(path('a.ts'), 'one\n\nmine\n');
  const { notice } = await takeOver();
  expect(readFileSync(path('a.ts'), 'utf8')).toBe('ONE\n\nmine\n');
  expect(notice).toMatchObject({
    severity: 'warning',
    detail: 'a.ts\nb.ts\na.ts: lines that you have changed meanwhile stay. Take over again to choose.',
  });
});

it('the list says what becomes of the execute permission, with each change of a file', async () => {
  change('both.sh', 'one\ntwo\nthree\n', 'one\ntwo\nthree\n', '1\ntwo\n3\n');
  change('run.sh', 'one\n', 'one\n', 'one\n');
  change('line.sh', 'one\n', 'one\n', '1\n');
  for (const [i, [was, is]] of [[0o644, 0o755] as const, [0o755, 0o644] as const, [0o644, 0o644] as const].entries()) {
    const { base, theirs } = told.changes[i] as { base: object; theirs: object };
    Object.assign(told.changes[i]!, { base: { ...base, mode: was }, theirs: { ...theirs, mode: is } });
  }
  await takeOver();
  expect(told.lists[0]!.map(({ label, description }) => `${label} ${description}`)).toEqual([
    'both.sh:1 Added execute permission · +1 −1 1',
    'both.sh:3 Added execute permission · +1 −1 3',
    'run.sh Removed execute permission',
    'line.sh +1 −1 1',
  ]);
});

it('no prompt opens where another answer is chosen, or the list is left', async () => {
  for (const [answer, text] of [
    ['Yours', 'mine\n'],
    ['Both', 'mine\ntheirs\n'],
    ['', 'mine\n'],
  ] as const) {
    told.changes = [];
    told.answer = answer;
    change('a.ts', 'one\n', 'mine\n', 'theirs\n');
    const { prompts } = await takeOver();
    expect([prompts, readFileSync(path('a.ts'), 'utf8')]).toEqual([[], text]);
  }
});

it('no prompt has lines of a protected file or of one that may contain secrets', async () => {
  change('keep.ts', 'one\n', 'my secret\n', 'theirs\n');
  change('.env', 'A=1\n', 'A=mine\n', 'A=2\n');
  const both = await takeOver(['keep.ts']);
  expect(both.prompts).toEqual([]);
  expect(both.notice!.severity).toBe('warning');
  expect(both.notice!.detail.split('\n').slice(-2)).toEqual([
    'keep.ts: left as it is. It is protected or may contain secrets.',
    '.env: left as it is. It is protected or may contain secrets.',
  ]);
  change('b.ts', 'one\n', 'mine\n', 'theirs\n');
  const { prompts } = await takeOver(['keep.ts']);
  expect(prompts[0]!.text).toBe('Merge the attached lines of b.ts, which have changed here and on the branch fix.');
  expect(prompts[0]!.attachment.content).not.toMatch(/my secret|A=mine/);
});

it('a prompt has each place as long as there is room, and names the others', () => {
  const place = (line: number, text: string) => ({ line, base: '', mine: text, theirs: '```\nnew\n' });
  const huge = 'x'.repeat(400 * 1024);
  const files = [
    { path: '/w/a.ts', label: 'a.ts', overlaps: [place(0, 'mine\n'), place(6, huge)] },
    { path: '/w/b.ts', label: 'b.ts', overlaps: [place(9, huge)] },
  ];
  const text = mergeText(files, 'fix');
  expect(text).toContain('## a.ts:1\n\nBefore both: no lines\n\n');
  expect(text).toContain('````\n```\nnew\n````');
  expect(text).toContain('## a.ts:7');
  expect(text).toMatch(/## Also to merge\n\n.*\n\n- b\.ts:10\n$/);
  expect(text.length).toBeLessThan(512 * 1024);
});
