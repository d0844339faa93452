import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/base/log';
import { ReviewStore, type SavedReview } from '../../../src/host/changes/reviewStore';
import type { ChangeView } from '../../../src/protocol/changeView';
import { changeGroups } from '../../../src/changes/changeGroups';
import { decodeThread } from '../../../src/changes/commentThreads';
import { decodeCheckpoint } from '../../../src/changes/decodeSaved';
import { DEFAULT_GUARDS, guardMatcher } from '../../../src/changes/guardedFiles';
import { Ledger } from '../../../src/changes/ledger';
import { Renames } from '../../../src/changes/movedFiles';
import { targetsIn, targetsOf } from '../../../src/changes/scope';
import { labelOfPath } from '../../../src/view/labels';
import { FakeClock } from '../../fakes/fakeClock';
import { ContentStore } from '../../../src/host/storage/contentStore';
import { joinRenames } from '../../../src/view/changeRows';

const folders = [
  '/home/me/my project',
  '/w/100% #1',
  '/ünï/日本語 🐟',
  'C:\\Users\\Jörg\\my project',
  'c:/w/100% #1',
  '\\\\server\\share\\日本',
];
const names = [
  'a b.txt',
  'issue #1.txt',
  '100%.txt',
  '%20 %2F.txt',
  'what?.txt',
  '[x] {y} (z).txt',
  '日本語 🐟.txt',
  '\u00e9.txt',
  'e\u0301.txt',
  '-dash',
  'a\tb.txt',
  '$(sync).txt',
];
const separatorOf = (folder: string) => (folder.includes('\\') ? '\\' : '/');
const all = folders.flatMap((folder) =>
  names.map((name) => ({ folder, name, path: [folder, 'src', name].join(separatorOf(folder)) })),
);

/** What is pending of all of them; each is an exact name, and none is taken for another. */
function ledger(): Ledger {
  const made = new Ledger();
  for (const [i, { path }] of all.entries()) made.agentWrote(path, '1\n2\n3\n', `one ${i}\n2\nthree\n`, 'e0');
  return made;
}

describe('paths with spaces, #, %, Unicode, on drives and shares', () => {
  it('are each a file of their own in the ledger, its groups and its scopes', () => {
    const { changes } = ledger();
    const sessions = [{ sessionId: 's', changes }];
    expect(changes.map(({ path }) => path)).toEqual(all.map(({ path }) => path));
    expect(new Set(changeGroups(sessions, 'file').map(({ id }) => id)).size).toBe(all.length);
    for (const [i, { path }] of all.entries()) {
      const targets = targetsIn(sessions, { path });
      expect(targets).toEqual([{ sessionId: 's', path, ids: undefined }]);
      const places = changes[i]!.hunks.map((hunk) => ({ sessionId: 's', path, hunk }));
      expect(targetsOf(places)).toEqual([{ sessionId: 's', path, ids: changes[i]!.hunks.map(({ id }) => id) }]);
    }
  });

  it('are undone one without the other', () => {
    const made = ledger();
    for (const { path } of all) {
      expect(made.plan(path, 'undo')?.text).toBe('1\n2\n3\n');
      made.done(path, 'undo', '1\n2\n3\n');
    }
    expect(made.changes).toEqual([]);
  });

  it('come back whole after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'review paths #1 % é '));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = ledger();
    const store = new ReviewStore({
      folder,
      contents: new ContentStore(join(folder, 'contents'), silentLogger),
      parts: { review: () => new Map([['s', before.saved]]) },
      clock: new FakeClock(),
      log: silentLogger,
    });
    await store.open(async () => {});
    await store.save();
    let saved: SavedReview = new Map();
    const contents = new ContentStore(join(folder, 'contents'), silentLogger);
    await new ReviewStore({
      folder,
      contents,
      parts: { review: () => new Map() },
      clock: new FakeClock(),
      log: silentLogger,
    }).open(async (found) => void (saved = found));
    const after = new Ledger();
    after.restore(saved.get('s')!);
    expect(after.changes).toEqual(before.changes);
  });

  it.each(all)('$path is said relative to its folder, whatever stands in either', ({ folder, name, path }) => {
    const label = labelOfPath(path, folder);
    expect(label).toBe(`src/${name}`);
    expect(labelOfPath(path, `${folder}${separatorOf(folder)}`)).toBe(label);
    expect(labelOfPath(path, `${folder}2`)).toBe(path);
  });

  it('are guarded by their names, with either slash, below a folder or as a whole', () => {
    const isGuarded = guardMatcher(DEFAULT_GUARDS);
    for (const folder of folders) {
      const [slash] = separatorOf(folder);
      for (const name of [
        '.env.local',
        `.github${slash}workflows${slash}a b #1.yml`,
        `日本 %${slash}.vscode${slash}tasks.json`,
        'PACKAGE-LOCK.JSON',
      ]) {
        expect(isGuarded(`${folder}${slash}${name}`), name).toBe(true);
        expect(isGuarded(labelOfPath(`${folder}${slash}${name}`, folder)), name).toBe(true);
      }
      expect(isGuarded(`${folder}${slash}src${slash}env.ts`)).toBe(false);
    }
  });

  it('are known again after they were moved, by their own names first', () => {
    for (const folder of folders) {
      const slash = separatorOf(folder);
      const [from, other, to] = [
        `${folder}${slash}old${slash}a #1 é.txt`,
        `${folder}${slash}old${slash}b.txt`,
        `${folder}${slash}new${slash}a #1 é.txt`,
      ];
      const renames = new Renames();
      for (const gone of [other, from]) renames.note(gone, 'same\n', undefined);
      renames.note(to, undefined, 'same\n');
      expect(renames.fromOf(to)).toBe(from);
      const view = (path: string, kind: ChangeView['kind'], added: number, removed: number): ChangeView => ({
        path,
        label: labelOfPath(path, folder),
        kind,
        added,
        removed,
        hunks: 1,
        conflicts: 0,
      });
      const rows = joinRenames([view(from, 'deleted', 0, 1), view(to, 'created', 1, 0)], (path) =>
        renames.fromOf(path),
      );
      expect(rows.map(({ kind, from: before, label }) => [kind, before, label])).toEqual([
        ['renamed', 'old/a #1 é.txt', 'new/a #1 é.txt'],
      ]);
    }
  });

  it('are read again from checkpoints and comments as they were written', () => {
    const again = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
    for (const { path } of all) {
      const event = { type: 'touched', prompt: 1, path, before: { content: { kind: 'absent' } } };
      expect(decodeCheckpoint(again(event))).toEqual(event);
      const uri = `file:///${encodeURIComponent(path)}`;
      const thread = {
        id: 't',
        uri,
        first: 1,
        last: 2,
        anchor: path,
        diff: '',
        comments: [{ id: 'c', text: path, isSent: false }],
      };
      expect(decodeThread(again(thread))).toEqual(thread);
    }
  });
});
