import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { absent } from '../../../../src/changes/content';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { ReviewStore } from '../../../../src/host/changes/reviewStore';
import { UnclaimedChanges } from '../../../../src/host/changes/unclaimedChanges';
import { sha256 } from '../../../../src/host/storage/contentName';
import { systemClock } from '../../../../src/host/platform/clock';
import { contentsIn } from '../../../fakes/wholeFiles';
import type { ReviewContents } from '../../../../src/host/changes/stored/reviewContents';
import { type ContentInHand, contentOfText } from '../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

class Window {
  readonly reported: string[] = [];
  readonly contents: ReviewContents;
  readonly review: ReviewService;
  readonly unclaimed: UnclaimedChanges;
  readonly store: ReviewStore;

  constructor(private readonly top: string) {
    this.contents = contentsIn(join(top, 'bytes'));
    const baselines = { set: () => '', add: () => '', deleteAll: () => undefined } as never;
    const scopes = (sessionId: string) => ({ sessionId, agent: 'Agent', cwd: this.folder, roots: [this.folder] });
    this.review = new ReviewService({
      scopes,
      baselines,
      clock: systemClock,
      log: silentLogger,
      turnOf: () => 'e0',
      dialogs: { confirm: async () => true, report: (message) => this.reported.push(message) },
      storage: { contents: this.contents },
    });
    this.unclaimed = new UnclaimedChanges({
      review: () => this.review,
      contents: this.contents,
      schedule: () => undefined,
    });
    this.store = new ReviewStore({
      folder: join(top, 'review'),
      contents: this.contents.contents,
      parts: { review: () => this.review.saved, beside: this.contents, unclaimed: this.unclaimed },
      clock: systemClock,
      log: silentLogger,
    });
  }

  get folder(): string {
    return join(this.top, 'p');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async open(): Promise<void> {
    await this.store.open((saved) => this.review.restore(saved));
  }

  /** A file becomes another one while the agent works, and nobody claims it. */
  happens(name: string, before: ContentInHand | undefined, after: ContentInHand): void {
    if (after.kind === 'absent') rmSync(this.path(name), { force: true });
    else writeFileSync(this.path(name), after.kind === 'text' ? after.text : after.bytes!);
    this.unclaimed.add('s', this.path(name), before, after, { turn: 'e4', prompt: 1 });
  }

  listed(): string[] {
    return (this.unclaimed.view('s')?.changes ?? []).map(({ label, kind }) => `${kind} ${label}`);
  }

  pending(): string[] {
    return this.review
      .tracked('s')
      .map(
        ({ path, kind, added, removed, note }) =>
          `${kind} ${path.slice(this.folder.length + 1)} ${note ?? `+${added} -${removed}`}`,
      );
  }

  include(...names: string[]): Promise<string[]> {
    return this.unclaimed.include(names.map((name) => ({ sessionId: 's', path: this.path(name) })));
  }

  async undo(name: string): Promise<string | undefined> {
    await this.review.decisions.undoIn('s', [{ sessionId: 's', path: this.path(name), ids: undefined }], () => true);
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  async end(): Promise<void> {
    await this.contents.contents.settled();
    for (const part of [this.store, this.unclaimed, this.review]) part.dispose();
  }
}

describe('changes for which nothing speaks', () => {
  let top: string;
  let window: Window;
  beforeEach(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-unclaimed-')));
    mkdirSync(join(top, 'p'));
    window = new Window(top);
    await window.open();
  });
  afterEach(async () => {
    await window.end();
    rmSync(top, { recursive: true, force: true });
  });

  it('are listed and pending nowhere', async () => {
    window.happens('new.txt', absent, contentOfText('one\n'));
    window.happens('old.txt', contentOfText('one\n'), contentOfText('two\n'));
    window.happens('gone.txt', contentOfText('one\n'), absent);
    expect([window.listed(), window.pending()]).toEqual([
      ['created new.txt', 'modified old.txt', 'deleted gone.txt'],
      [],
    ]);
    expect(await window.undo('new.txt')).toBe('one\n');
  });

  it('move with a file that the user renames', async () => {
    window.happens('a.txt', contentOfText('one\n'), contentOfText('two\n'));
    renameSync(window.path('a.txt'), window.path('b.txt'));
    window.unclaimed.moved(window.path('a.txt'), window.path('b.txt'));
    expect(window.listed()).toEqual(['modified b.txt']);
    expect(await window.include('b.txt')).toEqual([]);
    expect(window.pending()).toEqual(['modified b.txt +1 -1']);
    expect(await window.undo('b.txt')).toBe('one\n');
  });

  it('are one change for each file, and none where the file is as it was', () => {
    window.happens('a.txt', contentOfText('one\n'), contentOfText('two\n'));
    window.happens('a.txt', contentOfText('two\n'), contentOfText('three\n'));
    expect(window.listed()).toEqual(['modified a.txt']);
    window.happens('a.txt', contentOfText('three\n'), contentOfText('one\n'));
    expect(window.listed()).toEqual([]);
  });

  it.each<[what: string, before: ContentInHand, after: ContentInHand, row: string, undone: string | undefined]>([
    ['a new file', absent, contentOfText('one\n'), 'created a.txt +1 -0', undefined],
    ['lines', contentOfText('one\ntwo\n'), contentOfText('one\n2\n'), 'modified a.txt +1 -1', 'one\ntwo\n'],
    ['a file that is gone', contentOfText('one\n'), absent, 'deleted a.txt +0 -1', 'one\n'],
  ])('are pending and undone like any other once they are included: %s', async (_, before, after, row, undone) => {
    window.happens('a.txt', before, after);
    expect(await window.include('a.txt')).toEqual([]);
    expect([window.listed(), window.pending()]).toEqual([[], [row]]);
    expect(window.review.tracked('s')[0]!.turn).toBe('e4');
    expect(await window.undo('a.txt')).toBe(undone);
  });

  it('include no line that was written since', async () => {
    window.happens('a.txt', contentOfText('one\ntwo\nthree\n'), contentOfText('one\n2\nthree\n'));
    writeFileSync(window.path('a.txt'), 'one\n2\nthree\nmine\n');
    await window.include('a.txt');
    expect(window.pending()).toEqual(['modified a.txt +1 -1']);
    expect(await window.undo('a.txt')).toBe('one\ntwo\nthree\nmine\n');
  });

  it('stand beside changes of the agent in the same file, and leave those as they are', async () => {
    writeFileSync(window.path('a.txt'), 'ONE\ntwo\nthree\n');
    window.review.record(
      's',
      window.path('a.txt'),
      contentOfText('one\ntwo\nthree\n'),
      contentOfText('ONE\ntwo\nthree\n'),
      { turn: 'e2' },
    );
    window.happens('a.txt', contentOfText('ONE\ntwo\nthree\n'), contentOfText('ONE\ntwo\n3\n'));
    window.review.recordEdit(window.path('a.txt'), 'ONE\ntwo\n3\n');
    expect(window.pending()).toEqual(['modified a.txt +1 -1']);
    await window.include('a.txt');
    expect(
      window.review.tracked('s')[0]!.hunks.map(({ turns, currentLines }) => [turns.at(-1), ...currentLines]),
    ).toEqual([
      ['e2', 'ONE'],
      ['e4', '3'],
    ]);
    expect(await window.undo('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('stay where the same lines were changed again, and say so', async () => {
    window.happens('a.txt', contentOfText('one\n'), contentOfText('two\n'));
    writeFileSync(window.path('a.txt'), 'three\n');
    expect(await window.include('a.txt')).toEqual([
      'Parley could not include a.txt: the same lines were changed again.',
    ]);
    expect([window.listed(), window.pending()]).toEqual([['modified a.txt'], []]);
  });

  it('are dismissed without a trace in the file', () => {
    window.happens('a.txt', contentOfText('one\n'), contentOfText('two\n'));
    window.unclaimed.dismiss([{ sessionId: 's', path: window.path('a.txt') }]);
    expect([window.listed(), readFileSync(window.path('a.txt'), 'utf8')]).toEqual([[], 'two\n']);
  });

  it('are there after a restart, with what was before', async () => {
    const binary = (...bytes: number[]): ContentInHand => ({
      kind: 'binary',
      digest: sha256(Buffer.from(bytes)),
      bytes: Buffer.from(bytes),
    });
    window.happens('a.txt', contentOfText('one\n'), contentOfText('two\n'));
    window.happens('b.bin', binary(0, 9), binary(0, 1, 2, 255));
    await window.store.save();
    await window.end();
    window = new Window(top);
    await window.open();
    expect(window.listed()).toEqual(['modified a.txt', 'modified b.bin']);
    expect(await window.include('a.txt', 'b.bin')).toEqual([]);
    expect(window.pending()).toEqual(['modified a.txt +1 -1', 'modified b.bin Binary file']);
    expect(await window.undo('a.txt')).toBe('one\n');
    await window.undo('b.bin');
    expect([...window.reported, ...readFileSync(window.path('b.bin'))]).toEqual([0, 9]);
  });
});
