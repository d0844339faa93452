import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import type { ToolCallFields } from '../../../src/acp/decodeUpdate';
import { silentLogger } from '../../../src/base/log';
import { systemClock } from '../../../src/host/platform/clock';
import { DiskChanges } from '../../../src/host/changes/disk/diskChanges';
import type { DiskOptions } from '../../../src/host/changes/disk/diskWatch';
import { UnclaimedChanges } from '../../../src/host/changes/unclaimedChanges';
import { BeforeImages } from '../../../src/host/changes/stored/beforeImages';
import type { WindowSaves } from '../../../src/host/changes/disk/saveAnnouncer';
import { DEFAULT_GUARDS, guardMatcher } from '../../../src/changes/guardedFiles';
import { Desk, sessionId, until } from './desk';

/** How long a prompt waits for git on a loaded machine. */
export const PATIENCE_MS = 20_000;

/** A desk at which an agent writes to disk by itself. */
export class AgentDesk extends Desk {
  readonly saves: WindowSaves = { folder: join(this.outside, 'saves'), id: 'here', clock: systemClock };
  readonly images = new BeforeImages({
    folder: join(this.outside, 'review'),
    contents: this.contents.contents,
    turnOf: () => this.turn,
    promptOf: () => undefined,
    failed: (_id, { message }) => this.warned.push(message),
    log: silentLogger,
  });
  readonly unclaimed = new UnclaimedChanges({
    review: () => this.review,
    contents: this.contents,
    schedule: () => this.store.schedule(),
  });
  readonly options: DiskOptions = {
    stored: { contents: this.contents, images: this.images, unclaimed: this.unclaimed },
    saves: this.saves,
    sessions: {
      scopes: (id) =>
        id === sessionId ? { sessionId, agent: 'Desk', cwd: this.folder, roots: [this.folder] } : undefined,
    },
    review: this.review,
    folders: {
      environment: () => Promise.resolve(process.env),
      isGuarded: (path) => guardMatcher(DEFAULT_GUARDS)(relative(this.folder, path)),
    },
    clock: systemClock,
    log: silentLogger,
  };
  readonly turns = (this.review.disk = new DiskChanges(this.options, PATIENCE_MS));
  readonly all = this.shownReview;

  /** A turn begins, in which the agent says that it runs a command, unless it is silent. */
  async begin(says: 'command' | 'nothing' = 'command'): Promise<void> {
    await this.openSaved();
    await this.turns.begin(sessionId);
    this.turns.sent(sessionId, Date.now());
    if (says === 'command') this.tool({ toolCallId: 'command', kind: 'execute', status: 'in_progress' });
  }

  end(): void {
    this.turns.end(sessionId, Date.now());
  }

  async endAndUndo(): Promise<void> {
    this.end();
    await this.all.undo({});
  }

  tool(fields: Partial<ToolCallFields>): void {
    this.turns.act(sessionId, { type: 'toolCall/patched', at: Date.now(), fields: { toolCallId: 'call', ...fields } });
  }

  /** As the panel shows them. */
  rows(): string[] {
    return this.all
      .changes()
      .map(({ kind, label, added, removed, note }) => `${kind} ${label} ${note ?? `+${added} -${removed}`}`);
  }

  async shows(...rows: string[]): Promise<void> {
    await until(rows.join(', ') || 'no rows', () => JSON.stringify(this.rows()) === JSON.stringify(rows)).catch(() =>
      assert.deepEqual(this.rows(), rows),
    );
  }

  /** Makes a repository of the folder, whose first commit has these files. */
  repository(...files: string[]): void {
    this.git('init', '-q');
    this.git('add', ...files);
    this.git('commit', '-q', '-m', 'first');
  }

  git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: this.folder,
      stdio: 'ignore',
    });
  }

  override async clear(): Promise<void> {
    this.turns.dispose();
    await super.clear();
  }
}
