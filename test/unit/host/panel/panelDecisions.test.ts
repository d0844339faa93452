import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { PanelController } from '../../../../src/host/panel/panelController';
import type { FromWebview } from '../../../../src/protocol/messages';
import type { Scope } from '../../../../src/changes/scope';

const asked = vi.hoisted(() => ({ questions: [] as string[], agrees: true }));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  window: {
    showWarningMessage: async (question: string, { modal }: { readonly modal: boolean }, action: string) => {
      asked.questions.push(`${modal ? 'modal: ' : ''}${question} [${action}]`);
      return asked.agrees ? action : undefined;
    },
  },
}));

/** The files that wait, by session. */
let waiting: Record<string, readonly string[]>;
let done: string[];
let controller: PanelController;
const messages = new Emitter<FromWebview>();

beforeEach(() => {
  waiting = { other: ['/w/b.ts'], shown: ['/w/a.ts', '/w/c.ts'] };
  [done, asked.questions, asked.agrees] = [[], [], true];
  const act = (what: string) => async (scope: Scope) => void done.push(`${what} ${JSON.stringify(scope)}`);
  const review = {
    get rows() {
      return Object.entries(waiting).map(([sessionId, paths]) => ({ sessionId, changes: paths.map((path) => ({ path })) }));
    },
    keep: act('keep'),
    undo: act('undo'),
    // What came while the question waited is not in it.
    chosen: (scope: Scope) => async () => ({ of: scope }),
    keepMany: act('keep'),
    undoTargets: act('undo'),
  };
  const view = { session: { id: 'shown', session: { id: 'shown' }, cwd: '/w' } };
  controller = new PanelController({ view, panel: { onDidReceive: messages.event }, review, log: silentLogger } as never);
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
    expect(asked.questions).toEqual(['modal: Undo this session’s changes in 2 files? Your later edits stay. [Undo All]']);
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

  it('both ask where only other sessions have changes', async () => {
    waiting = { first: ['/w/b.ts'], second: ['/w/b.ts'] };
    for (const type of ['change/undo', 'change/keep'] as const) await send({ type });
    expect(asked.questions).toEqual([
      'modal: This session has no pending changes. Undo other sessions’ changes in one file? Your later edits stay. [Undo All]',
      'modal: This session has no pending changes. Keep other sessions’ changes in one file? [Keep All]',
    ]);
    expect(done).toEqual(['undo {"of":{}}', 'keep {"of":{}}']);
  });

  it('both do nothing where nothing is pending any more', async () => {
    waiting = {};
    for (const type of ['change/undo', 'change/keep'] as const) await send({ type });
    expect([done, asked.questions]).toEqual([[], []]);
  });

  it('a file is decided as a whole, without a question', async () => {
    for (const type of ['change/undo', 'change/keep'] as const) await send({ type, path: '/w/b.ts' });
    expect([done, asked.questions]).toEqual([['undo {"path":"/w/b.ts"}', 'keep {"path":"/w/b.ts"}'], []]);
  });
});
