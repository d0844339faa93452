import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { absent } from '../../../../src/changes/content';
import { originOf, withMoves } from '../../../../src/changes/movedFiles';
import { DiskChanges } from '../../../../src/host/changes/disk/diskChanges';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { ReviewStore } from '../../../../src/host/changes/reviewStore';
import { BeforeImages } from '../../../../src/host/changes/stored/beforeImages';
import { ReviewContents } from '../../../../src/host/changes/stored/reviewContents';
import { UnclaimedChanges } from '../../../../src/host/changes/unclaimedChanges';
import { standingContent } from '../../../../src/host/files/readContent';
import { systemClock } from '../../../../src/host/platform/clock';
import { type ContentInHand, contentOfText } from '../../../../src/host/storage/contentInHand';
import { ContentStore } from '../../../../src/host/storage/contentStore';
import { FakeClock } from '../../../fakes/fakeClock';
import { DyingDisk } from '../../../fakes/wholeWindow';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

const sessionId = 'session';

/** The review of one window, with all that it stores. */
class Window {
  readonly reported: string[] = [];
  readonly service: ReviewService;
  readonly #contents: ReviewContents;
  readonly #store: ReviewStore;
  readonly #images: BeforeImages;
  readonly #disk: DiskChanges;

  constructor(top: string, disk?: DyingDisk) {
    const folder = join(top, 'store/review');
    const files = disk ? { files: disk.files } : {};
    const stored = new ContentStore(join(top, 'store/contents'), silentLogger, disk?.files);
    const saving = { schedule: () => this.#store.schedule(), save: () => this.#store.save() };
    const contents = (this.#contents = new ReviewContents(stored, saving));
    const options = { log: silentLogger, clock: systemClock, scopes: () => undefined, isGuarded: () => false };
    const turnOf = () => 'turn';
    this.#images = new BeforeImages({
      ...{ ...options, ...files, folder, turnOf, contents: stored },
      promptOf: () => 1,
      failed: () => undefined,
    });
    this.service = new ReviewService({
      ...{ ...options, turnOf },
      baselines: { set: () => '', add: () => '', deleteAll: () => undefined } as never,
      dialogs: { confirm: async () => true, report: (message) => this.reported.push(message) },
      storage: {
        contents,
        announce: (id, path, before) => this.#images.writing(path, { sessionId: id, before }),
        settled: () => this.#store.settled(),
      },
    });
    const unclaimed = new UnclaimedChanges({ review: () => this.service, contents, schedule: saving.schedule });
    this.#store = new ReviewStore({
      ...{ ...options, ...files, folder, contents: stored, clock: new FakeClock() },
      parts: { review: () => this.service.saved, images: () => this.#images, beside: contents, unclaimed },
    });
    this.#disk = this.service.disk = new DiskChanges({
      ...{ log: silentLogger, clock: systemClock, review: this.service },
      stored: { contents, unclaimed, images: this.#images },
      sessions: { scopes: () => undefined },
      folders: { isGuarded: () => false, environment: async () => ({}) },
      saves: { folder: join(top, 'store/saves'), id: 'here', clock: systemClock },
    });
  }

  async open(): Promise<void> {
    await this.#store.open((saved, marks) =>
      this.service.restore(saved, async () => {
        const { unsaved, taken } = await this.#disk.resume(await this.#images.load(), marks);
        this.#images.taken(taken);
        return unsaved;
      }),
    );
  }

  /** Gives a file another content for the agent. */
  async give(path: string, next: ContentInHand): Promise<void> {
    await this.service.write(sessionId, path, await standingContent(path), next);
  }

  get rows(): string[] {
    const all = withMoves([{ sessionId, changes: this.service.tracked(sessionId) }], this.#contents.renames.fromOf);
    return all[0]!.changes.map((change) =>
      [originOf(change) ? 'moved' : change.kind, change.path.split('/').at(-1)].join(' '),
    );
  }

  async undoAll(): Promise<void> {
    const paths = this.service.tracked(sessionId).map(({ path }) => path);
    await this.service.decisions.undoIn(
      sessionId,
      paths.map((path) => ({ sessionId, path, ids: undefined })),
      () => true,
    );
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#store.settled(), this.#images.settled()]);
    for (const part of [this.#disk, this.service, this.#store, this.#images]) part.dispose();
  }
}

describe('a file that Parley writes for an agent', () => {
  let top: string;
  const at = (name: string) => join(top, 'p', name);
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-writes-')));
    mkdirSync(join(top, 'p'));
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const bytes = (...values: number[]) => Buffer.from([0, ...values]);
  const binary = (content: Buffer, mode?: number): ContentInHand => ({
    kind: 'binary',
    digest: content.toString('hex').padEnd(64, '0'),
    bytes: content,
    mode,
  });
  /** Of every file, its content and whether it may be executed. */
  const now = () =>
    ['a', 'b']
      .filter((name) => existsSync(at(name)))
      .map((name) => `${name} ${readFileSync(at(name)).toString('hex')} ${(statSync(at(name)).mode & 0o111) !== 0}`);

  const move = async (window: Window) => {
    const content = await standingContent(at('a'));
    await window.give(at('b'), content);
    await window.give(at('a'), absent);
  };
  const changes: readonly (readonly [
    name: string,
    before: Buffer | string | undefined,
    work: (window: Window) => Promise<void>,
    rows: readonly string[],
  ])[] = [
    ['a changed text', 'one\ntwo\n', (window) => window.give(at('a'), contentOfText('1\ntwo\n')), ['modified a']],
    ['a created text', undefined, (window) => window.give(at('a'), contentOfText('one\n')), ['created a']],
    ['a deleted text', 'one\n', (window) => window.give(at('a'), absent), ['deleted a']],
    ['a changed binary file', bytes(1), (window) => window.give(at('a'), binary(bytes(2))), ['modified a']],
    ['a created binary file', undefined, (window) => window.give(at('a'), binary(bytes(2))), ['created a']],
    ['a deleted binary file', bytes(1), (window) => window.give(at('a'), absent), ['deleted a']],
    ['a text that becomes binary', 'one\n', (window) => window.give(at('a'), binary(bytes(2))), ['modified a']],
    [
      'a binary file that becomes text',
      bytes(1),
      (window) => window.give(at('a'), contentOfText('one\n')),
      ['modified a'],
    ],
    [
      'other permissions',
      'one\n',
      async (window) => window.give(at('a'), { ...contentOfText('one\n'), mode: 0o755 }),
      ['modified a'],
    ],
    [
      'a changed text with other permissions',
      'one\ntwo\n',
      async (window) => window.give(at('a'), { ...contentOfText('1\ntwo\n'), mode: 0o755 }),
      ['modified a'],
    ],
    [
      'a text with other permissions that is changed, and deleted after that',
      'one\ntwo\n',
      async (window) => {
        await window.give(at('a'), { ...contentOfText('one\ntwo\n'), mode: 0o755 });
        await window.give(at('a'), contentOfText('1\ntwo\n'));
        await window.give(at('a'), absent);
      },
      ['deleted a'],
    ],
    ['a moved text', 'one\n', move, ['moved b']],
    ['a moved binary file', bytes(1), move, ['moved b']],
  ];

  it.each(changes)('is reviewed and undone: %s', async (_, before, work, rows) => {
    if (before !== undefined) writeFileSync(at('a'), before);
    const old = now();
    const window = new Window(top);
    await window.open();
    await work(window);
    expect(now()).not.toEqual(old);
    expect(window.rows).toEqual(rows);
    await window.undoAll();
    expect([window.reported, window.rows, now()]).toEqual([[], [], old]);
    await window.close();
  });

  it.each(changes)('is pending, or was not written, wherever the host is killed: %s', async (_, before, work) => {
    if (before !== undefined) writeFileSync(at('a'), before);
    const old = now();
    const found = new Set<boolean>();
    for (let dieAt = 0; ; dieAt++) {
      const disk = new DyingDisk();
      const window = new Window(top, disk);
      await window.open();
      disk.dieAt = disk.steps + dieAt;
      await work(window).catch(() => undefined);
      const isOver = disk.steps <= disk.dieAt;
      await window.close();
      const next = new Window(top);
      await next.open();
      found.add(next.rows.length > 0);
      await next.undoAll();
      expect([next.reported, next.rows, now()], `after step ${dieAt}`).toEqual([[], [], old]);
      await next.close();
      for (const name of ['a', 'b', '../store']) rmSync(at(name), { recursive: true, force: true });
      if (before !== undefined) writeFileSync(at('a'), before);
      if (isOver) break;
    }
    expect(found).toEqual(new Set([false, true]));
  });

  it.each([
    ['is in an editor, with a byte order mark', '\uFEFFone\n', contentOfText('one\n'), []],
    ['was never written', 'one\n', { ...contentOfText('one\n'), form: { encoding: 'utf8', ends: '\n' } }, []],
    [
      'has other line ends since',
      'one\r\n',
      { ...contentOfText('one\n'), form: { encoding: 'utf8', ends: '\n' } },
      ['modified a'],
    ],
  ] as const)('was begun by a window that ended, and %s', async (_, disk, before, rows) => {
    writeFileSync(at('a'), disk);
    const window = new Window(top);
    await window.open();
    const known = before.form ? before : { ...before, form: { encoding: '', ends: '\n' as const } };
    await window.service.recorder.recover({ sessionId, path: at('a'), before: known });
    window.service.publish(sessionId);
    expect(window.rows).toEqual(rows);
    await window.close();
  });

  it('stays as it is if it contains something else by now, and nothing is pending', async () => {
    writeFileSync(at('a'), 'one\n');
    chmodSync(at('a'), 0o644);
    const window = new Window(top);
    await window.open();
    for (const next of [contentOfText('agent\n'), absent, binary(bytes(2))])
      await expect(window.service.write(sessionId, at('a'), contentOfText('else\n'), next)).rejects.toThrow(
        'changed at the same time',
      );
    expect([readFileSync(at('a'), 'utf8'), window.rows]).toEqual(['one\n', []]);
    await window.close();
  });
});
