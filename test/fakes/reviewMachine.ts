import { silentLogger } from '../../src/base/log';
import type { StoreFiles } from '../../src/host/storage/storeFiles';
import { Checkpoints } from '../../src/host/changes/stored/checkpoints';
import { FileRestore } from '../../src/host/changes/fileRestore';
import { BeforeImageRecorder } from '../../src/host/changes/beforeImageRecorder';
import { absent } from '../../src/changes/content';
import { readStored } from '../../src/host/files/readContent';
import { ContentStore } from '../../src/host/storage/contentStore';
import { noDisk } from '../../src/host/changes/disk/diskAttribution';
import { BeforeImages } from '../../src/host/changes/stored/beforeImages';
import type { ReplayOptions } from '../../src/host/changes/disk/replayLog';
import { ReviewStore } from '../../src/host/changes/reviewStore';
import type { Entry } from '../../src/changes/entry';
import { Ledger, type Wish } from '../../src/changes/ledger';
import { mergeTexts } from '../../src/changes/merge';
import { FakeClock } from './fakeClock';
import { type ContentInHand, contentOfText, textIn } from '../../src/host/storage/contentInHand';

export const session = 'session';

/** The process was ended here; nothing that it was about to do happens any more. */
class Died extends Error {}

/**
 * A computer on which an extension host runs: its disk, and the editor with what is not saved, which both outlive the
 * host. At the step `dieAt` the host is killed: of what is being written then, half is there.
 */
export class Machine {
  readonly disk = new Map<string, string>();
  /** Unsaved texts; an editor keeps them, and a backup of them. */
  readonly documents = new Map<string, string>();
  readonly clock = new FakeClock();
  steps = 0;
  dieAt = Infinity;
  /**
   * From this step on nothing can be written to the storage, with this code; of what is written then, half is there.
   */
  full: { readonly at: number; readonly code: string } | undefined;
  /** Told before a file of the workspace is written. */
  onPut: (path: string, text: string | undefined) => void = () => {};

  /** What a user sees in a file. */
  text(path: string): string | undefined {
    return this.documents.get(path) ?? this.disk.get(path);
  }

  /** Something that the host makes the computer do. */
  step(half?: () => void): void {
    if (this.steps++ < this.dieAt) return;
    if (this.steps === this.dieAt + 1) half?.();
    throw new Died();
  }

  private refuse(file: string, half: () => void): void {
    if (!this.full || this.steps <= this.full.at) return;
    if (this.full.code === 'ENOSPC') half();
    throw Object.assign(new Error(this.full.code), { code: this.full.code, path: file });
  }

  readonly files: StoreFiles = {
    makeFolder: async () => this.step(),
    write: async (file, content) => {
      const text = bytesText(content);
      const half = () => void this.disk.set(file, text.slice(0, text.length / 2));
      this.step(half);
      this.refuse(file, half);
      this.disk.set(file, text);
    },
    append: async (file, content) => {
      const text = bytesText(content);
      const before = this.disk.get(file) ?? '';
      const half = () => void this.disk.set(file, before + text.slice(0, text.length / 2));
      this.step(half);
      this.refuse(file, half);
      this.disk.set(file, (this.disk.get(file) ?? '') + text);
    },
    rename: async (from, to) => {
      this.step();
      this.disk.set(to, this.disk.get(from)!);
      this.disk.delete(from);
    },
    read: async (file) => {
      this.step();
      const text = this.disk.get(file);
      if (text === undefined) throw Object.assign(new Error(`no ${file}`), { code: 'ENOENT' });
      return text;
    },
    readBytes: async (file) => Buffer.from(await this.files.read(file)),
    truncate: async (file, size) => {
      this.step();
      const text = this.disk.get(file);
      if (text !== undefined) this.disk.set(file, Buffer.from(text).subarray(0, size).toString('utf8'));
    },
    list: async (folder) => {
      this.step();
      return [...this.disk.keys()]
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => file.slice(folder.length + 1));
    },
    remove: async (path) => {
      this.step();
      for (const file of [...this.disk.keys()])
        if (file === path || file.startsWith(`${path}/`)) this.disk.delete(file);
    },
    removeSync: (file) => void this.disk.delete(file),
    copy: () => Promise.reject(new Error('no bytes are copied here')),
    writeAt: async (file, offset, bytes) => {
      const written = (part: Uint8Array) => {
        const before = Buffer.from(this.disk.get(file) ?? '');
        const after = Buffer.alloc(Math.max(before.length, offset + part.length));
        before.copy(after);
        after.set(part, offset);
        this.disk.set(file, after.toString('utf8'));
      };
      const half = () => written(bytes.subarray(0, bytes.length / 2));
      this.step(half);
      this.refuse(file, half);
      written(bytes);
    },
    readAt: async (file, offset, size) => (await this.files.readBytes(file)).subarray(offset, offset + size),
  };

  /** Through the document and saved, as the host does it; unsaved text of the user stays unsaved. */
  async put(
    path: string,
    text: string | undefined,
    stands: (text: string) => void = () => {},
  ): Promise<string | undefined> {
    const wasUnsaved = this.documents.has(path);
    this.onPut(path, text);
    this.step();
    if (text === undefined) {
      this.documents.delete(path);
      this.disk.delete(path);
      return undefined;
    }
    if (this.disk.has(path)) this.documents.set(path, text);
    else this.disk.set(path, text);
    stands(text);
    this.step();
    if (!wasUnsaved && this.documents.has(path)) {
      this.disk.set(path, text);
      this.documents.delete(path);
    }
    return text;
  }
}

/** One run of the extension host, with everything of it that keeps or brings back what stands in files. */
export class ReviewHost {
  readonly ledger = new Ledger();
  readonly contents: ContentStore;
  readonly checkpoints: Checkpoints;
  readonly restore: FileRestore;
  readonly store: ReviewStore;
  readonly images: BeforeImages;
  readonly recorder: BeforeImageRecorder;
  /** Called when a text of the agent stands in a file. */
  onWritten: (text: string) => void = () => {};

  constructor(
    readonly machine: Machine,
    public prompt: number,
  ) {
    const { clock, files } = machine;
    this.contents = new ContentStore('/store/contents', silentLogger, files);
    const { contents } = this;
    this.checkpoints = new Checkpoints({
      folder: '/store/checkpoints',
      contents,
      files,
      promptOf: () => this.prompt,
      clock,
      log: silentLogger,
    });
    this.images = new BeforeImages({
      folder: '/store/review',
      contents,
      files,
      turnOf: () => undefined,
      promptOf: () => this.prompt,
      failed: () => {},
      log: silentLogger,
    });
    this.store = new ReviewStore({
      folder: '/store/review',
      contents,
      parts: { review: () => new Map([[session, this.ledger.saved]]), images: () => this.images },
      clock,
      log: silentLogger,
      files,
    });
    this.images.onDidIdle(() => this.store.schedule());
    this.recorder = new BeforeImageRecorder(
      {
        checkpoints: this.checkpoints,
        announce: (sessionId, path, before) => this.images.writing(path, { sessionId, before }),
        settled: () => this.store.settled(),
      },
      {
        ledger: () => this.ledger,
        look: async (path) => contentOfText(machine.text(path)),
        isOnlyUnsaved: async () => false,
        disk: noDisk,
        replace: async (_id, path, _expected, next) => contentOfText(await machine.put(path, textIn(next))),
        changed: () => {},
        publish: () => this.store.schedule(),

        wholes: () => [],
      },
    );
    this.restore = new FileRestore(this.recorder, this.checkpoints, silentLogger);
  }

  /** What the host does when the window opens. */
  async open(): Promise<void> {
    const left = await this.images.load();
    // No turn is followed: all that the log tells of is writes through Parley.
    const replayed = {
      watch: { roots: new Map(), rootOf: () => undefined },
      contents: this.contents,
      review: {
        record: (_id: string, path: string, before: ContentInHand, after: ContentInHand) =>
          this.ledger.agentWrote(path, textIn(before), textIn(after)),
        recordEdit: (path: string, text: string | undefined) => this.ledger.edited(path, text),
      },
    } as unknown as ReplayOptions;
    await this.store.open(async (saved, marks) => {
      for (const [, entries] of saved) this.ledger.restore(entries);
      for (const { id, records } of left)
        for (const write of await (
          await import('../../src/host/changes/disk/replayLog')
        ).replayLog(records, marks.get(id) ?? 0, replayed))
          await this.recorder.recover(write);
      this.images.taken(left.map(({ id }) => id));
      for (const path of this.ledger.paths) this.ledger.edited(path, this.machine.text(path));
    });
    await this.checkpoints.log(session);
  }

  /** The agent writes; what the user has typed since `base` stays. */
  async write(path: string, text: string | undefined, base?: string): Promise<void> {
    const before = this.machine.text(path);
    const merged =
      text !== undefined && base !== undefined && before !== undefined && before !== base
        ? mergeTexts(base, before, text).text
        : text;
    const heard = await this.recorder.prepare(session, path, contentOfText(before));
    await this.machine.put(path, merged, this.onWritten);
    this.recorder.changed(session, path, contentOfText(before), merged);
    this.ledger.agentWrote(path, before, merged);
    heard();
  }

  /** The agent wants to write, but the user types on the same lines while that is prepared, so nothing is written. */
  async refuse(path: string, typed: string): Promise<void> {
    const heard = await this.recorder.prepare(session, path, contentOfText(this.machine.text(path)));
    this.machine.documents.set(path, typed);
    heard(true);
  }

  /**
   * The user types while a write is prepared, so it is prepared once more; then it is carried out, and nobody hears of
   * it.
   */
  async writeUnheard(path: string, typed: string, text: string): Promise<void> {
    const heard = await this.recorder.prepare(session, path, contentOfText(this.machine.text(path)));
    this.machine.disk.set(path, typed);
    heard(true);
    await this.recorder.prepare(session, path, contentOfText(typed));
    await this.machine.put(path, text);
  }

  async decide(path: string, wish: Wish | 'keep', ids?: readonly string[]): Promise<void> {
    this.ledger.edited(path, this.machine.text(path));
    if (wish === 'keep') {
      await this.recorder.keeping(session);
      return this.ledger.keep(path, ids);
    }
    const plan = this.ledger.plan(path, wish, ids);
    if (!plan) return;
    await this.recorder.takingOut();
    if (plan.text === undefined) await this.recorder.deleting(session, path);
    await this.machine.put(path, plan.text);
    this.ledger.done(path, wish, plan.text, ids);
  }

  /** As Undo of all does it. */
  async undoAll(): Promise<void> {
    const paths = this.ledger.changes.map(({ path }) => path);
    await this.recorder.deletingMany(
      session,
      paths.map((path) => ({ path, ids: undefined })),
    );
    for (const path of paths) await this.decide(path, 'undo');
  }

  async restoreTo(prompt: number): Promise<void> {
    const log = await this.checkpoints.log(session);
    const { files, problems } = await this.restore.plan(session, log.since(prompt), prompt);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (files.length > 0) await this.carryOut(files, 'restore', prompt);
  }

  async redo(): Promise<boolean> {
    const { redoable } = await this.checkpoints.log(session);
    if (!redoable) return false;
    const { files } = await this.restore.plan(session, redoable.files);
    await this.carryOut(files, 'redo');
    await this.checkpoints.redone(session, redoable.id);
    return true;
  }

  /** Every text that can be got at after a restart: in files, in editors, in the review, in checkpoints. */
  async reachable(): Promise<string[]> {
    const texts = [...this.machine.disk].filter(([path]) => path.startsWith('/p/')).map(([, text]) => text);
    texts.push(...this.machine.documents.values());
    const addEntry = ({ pieces }: Entry) => {
      for (const piece of pieces)
        texts.push(
          ...(piece.kind === 'same'
            ? piece.lines
            : [...piece.baseline, ...piece.agent, ...piece.current, ...(piece.undone ?? [])]),
        );
    };
    for (const entry of this.ledger.saved.values()) addEntry(entry);
    const log = await this.checkpoints.log(session);
    const versions = [
      ...log.prompts.flatMap((prompt) => [...log.since(prompt).values()]),
      ...log.saves.flatMap(({ files }) => [...files.values()]),
    ];
    for (const version of versions) {
      const entry = await this.checkpoints.entryOf(version);
      texts.push(textIn(await readStored('', version.content ?? absent, this.contents)) ?? '');
      if (entry) addEntry(entry);
    }
    return texts;
  }

  private async carryOut(
    ...[files, reason, prompt]: Parameters<FileRestore['carryOut']> extends [string, ...infer R] ? R : never
  ): Promise<void> {
    const problems = await this.restore.carryOut(session, files, reason, prompt);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}

function bytesText(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}
