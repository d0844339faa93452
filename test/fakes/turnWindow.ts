import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/log';
import type { Clock } from '../../src/base/scheduler';
import type { ToolCallFields } from '../../src/acp/decodeUpdate';
import { BeforeImages } from '../../src/host/changes/stored/beforeImages';
import { standingContent } from '../../src/host/files/readContent';
import { ContentStore } from '../../src/host/storage/contentStore';
import { UnclaimedChanges } from '../../src/host/changes/unclaimedChanges';
import { DiskChanges } from '../../src/host/changes/disk/diskChanges';
import type { ReviewService } from '../../src/host/changes/reviewService';
import { isSameContent, isSameMode, storedIn } from '../../src/changes/content';
import { systemClock } from '../../src/host/platform/clock';
import { type DyingDisk, session, WholeWindow } from './wholeWindow';
import { textIn } from '../../src/host/storage/contentInHand';
import { isSameForm } from '../../src/changes/textForm';
import { isFormChange } from '../../src/changes/wholeChange';
import type { ContentInHand } from '../../src/host/storage/contentInHand';

const nameOf = (content: ContentInHand) => (content.kind === 'absent' ? undefined : textIn(content) || content.digest);

/** The same window with all that follows an agent's own writes; `vscode` has to be `diskVscode`. */
export class TurnWindow extends WholeWindow {
  /** The last turn, as the thread has it. */
  readonly mark: { turn: string; prompt: number };
  readonly failed: string[];
  readonly images: BeforeImages;
  /** Made when what is left was read, as in a real window. */
  turns!: DiskChanges;
  unclaimed!: UnclaimedChanges;
  readonly folder: string;
  /** With nothing in it no git is found. */
  environment: NodeJS.ProcessEnv = {};
  clock: Clock = systemClock;
  /** Handles what was read and waits. */
  caughtUp: () => Promise<void> = async () => undefined;
  /** Undefined: as long as the product waits. */
  patienceMs: number | undefined = 60_000;

  constructor(root: string, disk?: DyingDisk) {
    const failed: string[] = [];
    const mark = { turn: 'turn', prompt: 1 };
    const contents = new ContentStore(join(root, 'store/contents'), silentLogger, disk?.files);
    const images = new BeforeImages({
      folder: join(root, 'store/review'),
      contents,
      turnOf: () => mark.turn,
      promptOf: () => mark.prompt,
      failed: (_id, { message }) => failed.push(message),
      log: silentLogger,
      ...(disk ? { files: disk.files } : {}),
    });
    super(root, disk, { clock: systemClock, images, contents });
    this.mark = mark;
    this.failed = failed;
    this.images = images;
    this.folder = join(root, 'p');
    mkdirSync(this.folder, { recursive: true });
    images.onDidIdle(() => this.store.schedule());
  }

  private follow(): DiskChanges {
    const { ledger, recorder, beside } = this;
    const review = {
      record: (_id, path, before, after, mark) => {
        const whole = ledger.saved.get(path)?.whole;
        const isSame = before !== undefined && isSameContent(before, after);
        if (before && !isSame) this.beside.renames.note(path, nameOf(before), nameOf(after));
        const isText = before && before.kind !== 'binary' && after.kind !== 'binary';
        if (!isText || (whole && !isFormChange(whole))) return this.record(path, before, after);
        if (!isSame) {
          recorder.changed(session, path, before, textIn(after), mark);
          ledger.agentWrote(path, textIn(before), textIn(after), mark?.turn);
        }
        if (!isSameForm(before, after) || (isSame && !isSameMode(before, after))) this.record(path, before, after);
      },
      recordEdit: (path, text) => ledger.edited(path, text),
      textNow: (path) => (ledger.has(path) ? { text: ledger.current(path) } : undefined),
      baselines: (path) => [ledger.lines(path)?.baseline ?? []].flat(),
      isWriting: () => false,
      lookAgain: async () => {},
      entry: (_id, path) => ledger.saved.get(path),
    } satisfies Partial<ReviewService>;
    return new DiskChanges({
      images: this.images,
      unclaimed: (this.unclaimed = new UnclaimedChanges({
        review: () =>
          ({
            ...review,
            labelOf: (_id: string, path: string) => path.slice(this.folder.length + 1),
            look: standingContent,
            refresh: async () => {},
            wholes: () => [],
          }) as unknown as ReviewService,
        contents: beside,
        schedule: () => this.store.schedule(),
      })),
      caughtUp: () => this.caughtUp(),
      review: review as unknown as ReviewService,
      scopes: (id) => ({ sessionId: id, agent: 'Agent', cwd: this.folder, roots: [this.folder] }),
      contents: beside,
      clock: this.clock,
      log: silentLogger,
      environment: async () => this.environment,
      isGuarded: () => false,
      ...(this.patienceMs === undefined ? {} : { patienceMs: this.patienceMs }),
    });
  }

  /** A turn begins, in which the agent says that it runs a command, unless it is silent. */
  async begin(says: 'command' | 'nothing' = 'command'): Promise<void> {
    await this.turns.begin(session);
    this.sends(says);
  }

  /** The prompt is sent. */
  sends(says: 'command' | 'nothing' = 'command'): void {
    this.turns.sent(session, Date.now());
    if (says === 'command') this.tool({ kind: 'execute', status: 'in_progress' });
  }

  /** The agent tells of a call. */
  tool(fields: Partial<ToolCallFields>): void {
    this.turns.act(session, { type: 'toolCall/patched', at: Date.now(), fields: { toolCallId: 'call', ...fields } });
  }

  /** @param at when the answer came */
  endTurn(at = Date.now()): void {
    this.turns.end(session, at);
  }

  /** The names of files that changed while the agent worked, and for which nothing speaks. */
  apart(): string[] {
    return this.unclaimed.all.map(({ path }) => path.slice(this.folder.length + 1)).sort();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  /** As a window does that opens the folder. @returns how many files were found to be changed meanwhile. */
  override async open(): Promise<number> {
    let changed = 0;
    const left = await this.images.load();
    this.turns = this.follow();
    await this.store.open(async (saved, marks) => {
      this.ledger.restore(saved.get(session) ?? new Map());
      const { found, unsaved, taken } = await this.turns.resume(left, marks);
      for (const write of unsaved) await this.recorder.recover(write);
      changed = found;
      this.images.taken(taken);
    });
    return changed;
  }

  /** Looks at all that an agent has changed, as an event of a watcher makes it. */
  async seen(...names: string[]): Promise<void> {
    await this.turns.settle(names.map((name) => this.at(name)));
  }

  /** What a file holds after Undo, or what it holds where there is nothing to undo; undefined: it is gone. */
  async undone(name: string, now: Buffer | undefined): Promise<Buffer | undefined> {
    const path = this.at(name);
    const whole = this.ledger.whole(path);
    if (whole) return whole.before?.kind === 'absent' ? undefined : this.contents.read(storedIn(whole.before)[0]!);
    const plan = this.ledger.plan(path, 'undo');
    return plan ? (plan.text === undefined ? undefined : Buffer.from(plan.text)) : now;
  }

  /** As the end of a process does it: nothing is written. */
  end(): void {
    this.store.dispose();
    this.checkpoints.dispose();
    this.turns.dispose();
  }
}
