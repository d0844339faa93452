import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Decisions } from '../../../../src/host/changes/decisions';
import { NotStoredError } from '../../../../src/host/platform/notStoredError';
import { noDisk } from '../../../../src/host/changes/disk/diskAttribution';
import type { BeforeImageRecorder } from '../../../../src/host/changes/beforeImageRecorder';
import type { ReviewContents } from '../../../../src/host/changes/stored/reviewContents';
import type { FilledContent } from '../../../../src/changes/content';
import { Ledger } from '../../../../src/changes/ledger';
import { type ContentInHand, contentOfText, textIn } from '../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

const path = '/p/a.txt';
const session = 's';
/** What was done, in order. */
let steps: string[];
/** Takes the place of writing the file. */
let writes: (next: ContentInHand) => Promise<void>;

let ledger: Ledger;
let writing: Map<string, number>;
let reported: string[];
let decided: string[];
let isHeld: boolean;
/** What is on disk. */
let standing: () => ContentInHand;
let decisions: Decisions;
/** Saves the review. */
let save: () => void;
const full = () => {
  throw new NotStoredError('/store', Object.assign(new Error('full'), { code: 'ENOSPC' }));
};

beforeEach(() => {
  save = () => void steps.push('saved');
  ledger = new Ledger();
  ledger.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n');
  [steps, reported, decided, writing, isHeld] = [[], [], [], new Map(), false];
  writes = async (next) => void steps.push(`writes ${JSON.stringify(textIn(next))}`);
  standing = () => contentOfText(ledger.current(path));
  const asked = (what: string) => async () => void steps.push(what);
  const files: ConstructorParameters<typeof Decisions>[1] = {
    session: (id) => (id === session ? { ledger, writing, published: new Map() } : undefined),
    labelOf: () => 'a.txt',
    disk: { ...noDisk, isHeld: () => isHeld },
    isOnlyUnsaved: async () => false,
    look: async () => standing(),
    replace: async (_id, _path, _expected, next) => {
      const isForm = next.kind === 'text' && next.bytes;
      await (isForm ? steps.push('stored as before') : writes(next));
      return next;
    },
    refresh: asked('refreshed'),
    publish: () => void steps.push('told'),
  };
  const recorder = {
    takingOut: async () => save(),
    deletingMany: async () => undefined,
    keeping: async () => save(),
    deleting: asked('kept whole'),
    isAsLeft: async () => true,
  } as unknown as BeforeImageRecorder;
  const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const contents = {
    contents: { read: async () => Buffer.from('1\r\n') },
    renames: { fromOf: () => undefined },
  } as unknown as ReviewContents;
  decisions = new Decisions(
    { log, contents, confirm: async () => true, report: (message) => void reported.push(message) },
    files,
    recorder,
  );
  decisions.onDidDecide(({ verdict, hunks }) => decided.push(`${verdict} ${hunks.length}`));
});

const ids = () => ledger.get(path)!.hunks.map(({ id }) => id);
const target = (some?: readonly string[]) => ({ sessionId: session, path, ids: some });

describe('what the user decides of changes', () => {
  it('is told once it is done: a Keep of a file, and of one hunk after a look at the file', async () => {
    expect(await decisions.keep(target([ids()[0]!]))).toBe(true);
    expect([steps, decided]).toEqual([['refreshed', 'told'], ['kept 1']]);
    expect(await decisions.keep(target())).toBe(true);
    expect([steps.slice(2), decided, ledger.get(path)]).toEqual([['told'], ['kept 1', 'kept 1'], undefined]);
  });

  it('is only what was chosen and is still as it was', async () => {
    const asOf = ledger.get(path)!;
    ledger.agentWrote(path, 'one\n2\n3\n4\nfive\n', 'one\n2\nthree\n4\nfive\n');
    expect(await decisions.keep({ ...target(), asOf })).toBe(true);
    expect([decided, ids().length]).toEqual([['kept 2'], 1]);
    expect(await decisions.keep({ ...target(), asOf })).toBe(false);
    expect([decided, ids().length]).toEqual([['kept 2'], 1]);
  });

  it('is undone when the review is on disk', async () => {
    await decisions.undo([target()]);
    expect(steps).toEqual(['refreshed', 'saved', 'writes "1\\n2\\n3\\n4\\n5\\n"', 'told']);
    expect([decided, reported]).toEqual([['undone 2'], []]);
  });

  it('keeps a file whole before Undo deletes it', async () => {
    ledger.clear();
    ledger.agentWrote(path, undefined, 'new\n');
    await decisions.undo([target()]);
    expect(steps).toEqual(['refreshed', 'saved', 'kept whole', 'writes undefined', 'told']);
  });

  it('is told by its verdict; what comes back is no decision', async () => {
    const [first, second] = ids();
    await decisions.decide(session, path, 'undo', [first!]);
    await decisions.decide(session, path, 'restore', [first!]);
    await decisions.decide(session, path, 'agents', [second!]);
    expect(decided).toEqual(['undone 1', 'agents 1']);
  });

  it('leaves places as conflicts that the user has edited too, and says so', async () => {
    ledger.edited(path, 'my one\n2\n3\n4\nfive\n');
    await decisions.undo([target()]);
    expect([reported, ids().length]).toEqual([
      ['One change in a.txt was not undone: you have edited the same lines since.'],
      1,
    ]);
  });

  it('leaves a file alone in which the user has older unsaved work', async () => {
    isHeld = true;
    await decisions.undo([target()]);
    expect([steps, decided]).toEqual([['refreshed', 'told'], []]);
    expect(reported).toEqual([
      'Parley did not change a.txt: it has unsaved changes from before the agent’s change. Save or revert it first.',
    ]);
  });

  it('is reported where it could not be done, and nothing is decided', async () => {
    writes = () => Promise.reject(new Error('the file is read-only'));
    expect(await decisions.decide(session, path, 'undo', ids())).toBe(0);
    expect([decided, reported, ids().length]).toEqual([[], ['a.txt: the file is read-only'], 2]);
  });

  it('is not begun where what it takes out cannot be kept, which is said once however many files there are', async () => {
    save = full;
    await decisions.undo([target(), { ...target(), path: '/p/b.txt' }]);
    expect([steps, decided, ids().length]).toEqual([['refreshed', 'told'], [], 2]);
    expect(await decisions.decide(session, path, 'undo', ids())).toBe(0);
    expect(await decisions.canKeep([session])).toBe(false);
    const words =
      'Parley can’t back up the current content: the disk with its storage is full. Make room on the disk of /store, then try again.';
    expect(reported).toEqual([`Undo stopped: ${words}`, `Nothing was changed: ${words}`, `Nothing was kept: ${words}`]);
  });

  it('does nothing in a session of which nothing is known', async () => {
    expect(await decisions.decide('another', path, 'undo', ids())).toBe(0);
    expect([decided, reported, ids().length]).toEqual([[], [], 2]);
  });

  describe('how a text is stored', () => {
    const stored = (digest: string, ends: '\n' | '\r\n'): FilledContent => ({
      kind: 'text',
      digest,
      form: { encoding: 'utf8', ends },
      stored: { name: 'a'.repeat(64), size: 1 },
    });
    const shown = (ends: '\n' | '\r\n'): ContentInHand => ({
      ...contentOfText(ledger.current(path) ?? ''),
      form: { encoding: 'utf8', ends },
      bytes: Buffer.from('x'),
    });
    beforeEach(() => {
      standing = () => shown('\n');
      ledger.agentReplaced(path, stored('0', '\r\n'), stored('1', '\n'));
    });

    it('stays with the other hunk, and goes with the last, whose Undo brings back the bytes', async () => {
      const [first, second] = ids();
      await decisions.undoIn(session, [target([first!])], () => true);
      expect(ledger.get(path)).toMatchObject({ beside: 'Line endings changed from CRLF to LF', added: 1 });
      standing = () => shown('\r\n');
      await decisions.decide(session, path, 'undo', [second!]);
      expect(ledger.get(path)).toBeUndefined();
    });

    it('is pending by itself once all hunks are kept', async () => {
      await decisions.keep(target(ids()));
      expect(ledger.get(path)).toMatchObject({ note: 'Line endings changed from CRLF to LF', hunks: [] });
      await decisions.undoIn(session, [target()], () => true);
      expect([ledger.get(path), steps.includes('stored as before')]).toEqual([undefined, true]);
    });

    it('is undone with the whole file, before its hunks', async () => {
      await decisions.undoIn(session, [target()], () => true);
      expect(ledger.get(path)).toBeUndefined();
      expect(steps.indexOf('stored as before')).toBeLessThan(steps.findIndex((step) => step.includes('writes')));
    });

    it.each(['keep', 'undo'] as const)('is decided alone: %s', async (wish) => {
      await decisions.decideForm(session, path, wish);
      expect(ledger.get(path)).toMatchObject({ added: 2 });
      expect(ledger.get(path)!.beside).toBeUndefined();
      expect(steps.includes('stored as before')).toBe(wish === 'undo');
    });
  });
});
