import { join } from 'node:path';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { UnclaimedChanges } from '../../../src/host/changes/unclaimedChanges';
import { BeforeImages } from '../../../src/host/changes/stored/beforeImages';
import { Checkpoints } from '../../../src/host/changes/stored/checkpoints';
import { FileRestore } from '../../../src/host/changes/fileRestore';
import { DiskChanges } from '../../../src/host/changes/disk/diskChanges';
import { ReviewContents } from '../../../src/host/changes/stored/reviewContents';
import { KeepHistory } from '../../../src/host/changes/keepHistory';
import { ReviewService } from '../../../src/host/changes/reviewService';
import { WorkspaceFiles } from '../../../src/host/files/workspaceFiles';
import { systemClock } from '../../../src/host/platform/clock';
import { Review } from '../../../src/host/review/review';
import { Desk, sessionId, until } from './desk';
import { ContentStore } from '../../../src/host/storage/contentStore';

/** A desk with everything that writes, keeps and brings back files, joined as in a window. */
export class BytesDesk extends Desk {
  prompt = 1;
  private readonly scopes = (id: string) =>
    id === sessionId ? { sessionId, agent: 'Desk', cwd: this.folder, roots: [this.folder] } : undefined;
  /** What the store of this desk keeps. */
  readonly joined: ReviewContents = new ReviewContents(new ContentStore(join(this.outside, 'joined'), silentLogger), {
    schedule: () => this.joinedStore.schedule(),
    save: () => this.joinedStore.save(),
  });
  readonly checkpoints = new Checkpoints({
    folder: join(this.outside, 'checkpoints'),
    contents: this.joined.contents,
    promptOf: () => this.prompt,
    clock: systemClock,
    log: silentLogger,
  });
  readonly service: ReviewService = new ReviewService({
    scopes: this.scopes,
    baselines: this.baselines,
    clock: systemClock,
    log: silentLogger,
    turnOf: () => this.turn,
    dialogs: {
      confirm: async (message) => {
        this.confirmed.push(message);
        return this.confirm;
      },
      report: (message) => this.reported.push(message),
    },
    storage: { checkpoints: this.checkpoints, contents: this.joined },
  });
  private readonly joinedStore = this.openStore(this.service, this.joined);
  private readonly keeper = new KeepHistory(this.service, this.joined);
  readonly shown = new Review(this.service, this.keeper, () => this.folder, systemClock, {
    ...this.reviewOptions,
    movedFrom: this.joined.renames.fromOf,
  });
  private readonly agentFiles = new WorkspaceFiles({
    scopes: this.scopes,
    writer: this.service,
    log: silentLogger,
    askOutside: async () => true,
    warn: (_scope, title, detail) => this.warned.push(`${title}: ${detail}`),
  });
  private readonly restorer = new FileRestore(this.service.recorder, this.checkpoints, silentLogger);
  private readonly follower = (this.service.disk = new DiskChanges({
    scopes: this.scopes,
    review: this.service,
    contents: this.joined,
    unclaimed: new UnclaimedChanges({ review: () => this.service, contents: this.joined, schedule: () => undefined }),
    images: new BeforeImages({
      folder: join(this.outside, 'review'),
      contents: this.joined.contents,
      turnOf: () => undefined,
      promptOf: () => undefined,
      failed: (_id, { message }) => this.warned.push(message),
      log: silentLogger,
    }),
    clock: systemClock,
    log: silentLogger,
    environment: () => Promise.resolve(process.env),
    isGuarded: () => false,
    patienceMs: 20_000,
  }));

  async agentReads(name: string): Promise<string> {
    return (await this.agentFiles.readTextFile({ sessionId, path: this.path(name) }, neverCancelled)).content;
  }

  async agentWrites(name: string, content: string): Promise<void> {
    await this.agentFiles.writeTextFile({ sessionId, path: this.path(name), content }, neverCancelled);
  }

  /**
   * A turn in which the agent does something to the disk by itself, until all of it is listed.
   * @param command it says that it runs a command
   */
  async agentTurn(names: readonly string[], command: boolean, work: () => void): Promise<void> {
    await this.joinedStore.open((saved) => this.service.restore(saved));
    await this.follower.begin(sessionId);
    this.follower.sent(sessionId, Date.now());
    // Without a command it is a tool of a kind that nobody knows.
    this.follower.act(sessionId, {
      type: 'toolCall/patched',
      at: Date.now(),
      fields: { toolCallId: 'call', ...(command ? { kind: 'execute', rawInput: { command: 'a tool' } } : {}) },
    });
    work();
    this.follower.end(sessionId, Date.now());
    await until('the end of the turn', () => !this.follower.isFollowing);
    const missing = names.filter((name) => !this.shown.changes().some(({ path }) => path === this.path(name)));
    if (missing.length > 0) throw new Error(`not listed: ${missing.join(', ')}`);
  }

  async undoShown(): Promise<void> {
    await this.shown.undo({});
  }

  async keepShown(): Promise<void> {
    await this.shown.keep({});
  }

  /** @returns what could not be done. */
  async restoreTo(prompt: number): Promise<readonly string[]> {
    const { files, problems } = await this.restorer.plan(
      sessionId,
      (await this.checkpoints.log(sessionId)).since(prompt),
      prompt,
    );
    return [...problems, ...(await this.restorer.carryOut(sessionId, files, 'restore', prompt))];
  }

  async redo(): Promise<readonly string[]> {
    const { redoable } = await this.checkpoints.log(sessionId);
    const { files, problems } = await this.restorer.plan(sessionId, redoable!.files);
    const failed = await this.restorer.carryOut(sessionId, files, 'redo');
    await this.checkpoints.redone(sessionId, redoable!.id);
    return [...problems, ...failed];
  }

  override async clear(): Promise<void> {
    this.follower.dispose();
    this.shown.dispose();
    this.keeper.dispose();
    this.service.dispose();
    this.checkpoints.dispose();
    this.joinedStore.dispose();
    await super.clear();
  }
}
