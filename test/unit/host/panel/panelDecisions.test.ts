import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { PanelController } from '../../../../src/host/panel/panelController';
import { undoAll } from '../../../../src/host/review/confirmations';
import type { FromWebview } from '../../../../src/protocol/fromWebview';
import type { Scope } from '../../../../src/changes/scope';

const asked = vi.hoisted(() => ({ questions: [] as string[], agrees: true, which: 0 }));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  window: {
    showWarningMessage: async (question: string, { modal }: { readonly modal: boolean }, ...actions: string[]) => {
      asked.questions.push(`${modal ? 'modal: ' : ''}${question} [${actions.join('] [')}]`);
      return asked.agrees ? actions[asked.which] : undefined;
    },
    showInformationMessage: async (message: string) => void asked.questions.push(message),
  },
}));

/** The files that wait, by session. */
let waiting: Record<string, readonly string[]>;
let done: string[];
let controller: PanelController;
let review: object;
const messages = new Emitter<FromWebview>();

beforeEach(() => {
  waiting = { other: ['/w/b.ts'], shown: ['/w/a.ts', '/w/c.ts'] };
  [done, asked.questions, asked.agrees, asked.which] = [[], [], true, 0];
  const act = (what: string) => async (scope: Scope) => void done.push(`${what} ${JSON.stringify(scope)}`);
  review = {
    get rows() {
      return Object.entries(waiting).map(([sessionId, paths]) => ({
        sessionId,
        changes: paths.map((path) => ({ path, hunks: [], added: 1, removed: 0 })),
      }));
    },
    keep: act('keep'),
    undo: act('undo'),
    // What came while the question waited is not in it.
    chosen: async (scope: Scope) => async () => ({ of: scope }),
    open: async () => void done.push('open'),
    keepMany: act('keep'),
    undoTargets: act('undo'),
  };
  const view = { session: { id: 'shown', session: { id: 'shown' }, cwd: '/w' } };
  const services = {
    chat: {},
    requests: {},
    changes: { review, panelReview: { kept: { after: (_: string, keep: () => Promise<void>) => keep() } } },
    files: {},
    log: silentLogger,
  };
  controller = new PanelController({ view, panel: { onDidReceive: messages.event } } as never, services as never);
});
afterEach(() => controller.dispose());

const send = async (message: FromWebview) => {
  messages.fire(message);
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setImmediate(resolve));
};

describe('Keep and Undo of all changes in the panel', () => {
  it('Undo is about the session that is shown, and asks before', async () => {
    await send({ type: 'change/undo' });
    expect(asked.questions).toEqual([
      'modal: Undo this session’s changes in 2 files? Your later edits stay. [Undo All]',
    ]);
    expect(done).toEqual(['undo {"of":{"sessionId":"shown"}}']);
  });

  it('Undo does nothing where the user does not agree', async () => {
    asked.agrees = false;
    await send({ type: 'change/undo' });
    expect(done).toEqual([]);
  });

  it('Keep is about the session that is shown, and asks nothing', async () => {
    await send({ type: 'change/keep' });
    expect([done, asked.questions]).toEqual([['keep {"sessionId":"shown"}'], []]);
  });

  it('neither touches what other sessions have pending', async () => {
    waiting = { first: ['/w/b.ts'], second: ['/w/b.ts'] };
    await send({ type: 'change/undo' });
    expect([done, asked.questions]).toEqual([[], ['This session has no pending changes.']]);
  });

  it('a file is decided as far as the session changed it, without a question', async () => {
    for (const type of ['change/undo', 'change/keep'] as const) await send({ type, path: '/w/b.ts' });
    expect([done, asked.questions]).toEqual([
      ['undo {"sessionId":"shown","path":"/w/b.ts"}', 'keep {"sessionId":"shown","path":"/w/b.ts"}'],
      [],
    ]);
  });
});

describe('the command that undoes the changes of all sessions', () => {
  const run = () => undoAll(review as never, 'shown');

  it('is the same as Undo in the panel where the others have none', async () => {
    waiting = { shown: ['/w/a.ts'] };
    await run();
    expect([asked.questions, done]).toEqual([
      ['modal: Undo this session’s changes in one file? Your later edits stay. [Undo All]'],
      ['undo {"of":{"sessionId":"shown"}}'],
    ]);
  });

  it.each([
    ['all sessions in 3 files', { other: ['/w/b.ts'], shown: ['/w/a.ts', '/w/c.ts'] }],
    ['other sessions in one file', { first: ['/w/b.ts'], second: ['/w/b.ts'] }],
  ])('says that it is about %s, and its default changes nothing', async (words, files) => {
    waiting = files as typeof waiting;
    await run();
    expect([asked.questions, done]).toEqual([
      [`modal: Undo changes of ${words}? Your later edits stay. [Show Changes] [Undo All]`],
      ['open'],
    ]);
    asked.which = 1;
    await run();
    expect(done.at(-1)).toBe('undo {"of":{}}');
  });

  it('says so where nothing is pending', async () => {
    waiting = {};
    await run();
    expect([asked.questions, done]).toEqual([['No agent changes to review.'], []]);
  });
});
