import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import type { Change } from '../../../../src/changes/hunk';
import { reviewTools } from '../../../../src/host/editor/reviewTools';
import { RemarkThreads } from '../../../../src/host/ask/remarkThreads';
import { ToolDesk } from '../../../fakes/toolDesk';

interface FakeThread {
  readonly comments: readonly {
    readonly body: string;
    readonly author: { readonly name: string };
  }[];
  readonly range: { readonly start: number; readonly end: number };
  isGone?: boolean;
  dispose(): void;
}
const world = vi.hoisted(() => ({
  threads: [] as unknown[],
}));
const threads = () => world.threads as FakeThread[];

vi.mock('vscode', () => ({
  Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
  Range: class {
    constructor(
      readonly start: number,
      _from: number,
      readonly end: number,
    ) {}
  },
  CommentMode: { Preview: 1 },
  CommentThreadCollapsibleState: { Collapsed: 0, Expanded: 1 },
  comments: {
    createCommentController: () => ({
      createCommentThread: (_uri: unknown, range: unknown, comments: unknown) => {
        const thread = { range, comments, isGone: false, dispose: () => (thread.isGone = true) };
        world.threads.push(thread);
        return thread;
      },
      dispose: () => undefined,
    }),
  },
  commands: { executeCommand: async () => undefined },
  workspace: {
    openTextDocument: async () => ({ lineCount: 3 }),
  },
}));

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  world.threads = [];
  writeFileSync(path.join(desk.folder, 'a.ts'), 'one\ntwo\n');
});
afterEach(() => desk.dispose());

const lines = (start: number, count: number) => ({ start, end: start + count });
function change(name: string, baselineLines: readonly string[], currentLines: readonly string[]): Change {
  return {
    path: path.join(desk.folder, name),
    kind: 'modified',
    hunks: [
      {
        state: 'pending',
        baseline: lines(4, baselineLines.length),
        current: lines(6, currentLines.length),
        baselineLines,
        currentLines,
      },
    ],
    added: 1,
    removed: 1,
  } as never;
}

describe('review', () => {
  const review = (args: object, changes: readonly Change[]) =>
    reviewTools['review']!(args as never, desk.session({ pending: async () => changes }), neverCancelled);

  it('gives each hunk in unified form, and no file outside the session', async () => {
    const outside = { ...change('x', ['a'], ['b']), path: '/etc/other' };
    expect(await review({}, [change('a.ts', ['old'], ['new', 'more']), outside])).toBe(
      '1 file with pending changes\na.ts: modified\n@@ -5,1 +7,2 @@\n-old\n+new\n+more\n' +
        '(1 outside the session’s folders left out)',
    );
  });

  it('gives the files of a folder', async () => {
    const changes = [change('src/a.ts', ['old'], ['new']), change('srcs/b.ts', ['old'], ['new'])];
    expect(await review({ path: 'src' }, changes)).toMatch(/^1 file with pending changes\nsrc\/a\.ts: modified\n/);
    expect(await review({ path: 'srcs/b.ts' }, changes)).toMatch(/^1 file with pending changes\nsrcs\/b\.ts/);
  });

  it('says so when nothing is pending', async () => {
    expect(await review({ path: 'a.ts' }, [])).toBe('No pending changes in a.ts: the user has kept or undone all.');
  });

  it('bounds huge hunks and pages between hunks', async () => {
    const huge = change(
      'a.ts',
      [],
      Array.from({ length: 5_000 }, () => 'x'.repeat(5_000)),
    );
    const answer = await review({ limit: 1 }, [huge, huge]);
    expect(answer.length).toBeLessThan(62_000);
    expect(answer).toMatch(/cut|1 more: cursor "1"/);
  });
});

describe('comment', () => {
  const comment = (args: object, remarks: RemarkThreads) =>
    reviewTools['comment']!(
      args as never,
      desk.session({
        remark: async ({ path: file, ...place }, text) =>
          remarks.add('s', '[A]\u202e(command:x)', { fsPath: file } as never, place, text),
      }),
      neverCancelled,
    );

  it('shows an agent’s words as text, and a hidden character', async () => {
    const answer = await comment(
      { path: 'a.ts', line: '2', end_line: 9, text: '[x](command:y)\u202e' },
      new RemarkThreads(),
    );
    expect(answer).toBe('The user sees the remark at a.ts:2.');
    expect(threads()).toHaveLength(1);
    expect(threads()[0]).toMatchObject({ range: { start: 1, end: 2 }, canReply: false });
    expect(threads()[0]!.comments[0]!.body).toBe('[x](command:y)⟨U+202E⟩');
    expect(threads()[0]!.comments[0]!.author.name).toBe('[A]⟨U+202E⟩(command:x)');
  });

  it.each([
    [{ path: '../b', line: 1, text: 'x' }, 'outside'],
    [{ path: 'a.ts', text: 'x' }, 'line is missing'],
    [{ path: 'a.ts', line: 4, text: 'x' }, 'has 3 lines'],
    [{ path: 'a.ts', line: 1, text: 'x'.repeat(10_001) }, 'at most 10000'],
    [{ path: 'a.ts', line: 1, text: {} }, 'text must be a string'],
  ])('refuses %o', async (args, message) => {
    await expect(comment(args, new RemarkThreads())).rejects.toThrow(message);
    expect(threads()).toEqual([]);
  });

  it('shows at most 50 for a session, and another one after the user has deleted one', async () => {
    const remarks = new RemarkThreads();
    const add = () => comment({ path: 'a.ts', line: 1, text: 'x' }, remarks);
    for (let at = 0; at < 50; at++) await add();
    await expect(add()).rejects.toThrow('too many');
    remarks.dismiss(threads()[0]);
    expect(threads()[0]!.isGone).toBe(true);
    await add();
    remarks.dismissAll();
    expect(threads().every(({ isGone }) => isGone)).toBe(true);
  });
});
