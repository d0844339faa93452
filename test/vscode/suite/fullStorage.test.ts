import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { BeforeImages } from '../../../src/host/changes/stored/beforeImages';
import { Checkpoints } from '../../../src/host/changes/stored/checkpoints';
import { DiskChanges } from '../../../src/host/changes/disk/diskChanges';
import { KeepHistory } from '../../../src/host/changes/keepHistory';
import { ReviewService } from '../../../src/host/changes/reviewService';
import { ReviewStore } from '../../../src/host/changes/reviewStore';
import { WorkspaceFiles } from '../../../src/host/files/workspaceFiles';
import { systemClock } from '../../../src/host/platform/clock';
import { AgentDesk } from './agentDesk';
import { errorOf, sessionId, until } from './desk';
import { ContentStore } from '../../../src/host/storage/contentStore';
import { textIn } from '../../../src/host/storage/contentInHand';

/*
 * Parley's storage on a small file system of its own. Only an administrator of Linux can make one; elsewhere this is
 * skipped.
 */
describe('a storage whose disk is full', () => {
  const mine = 'mine\n'.repeat(3_000);
  const words =
    /Parley can’t back up the current content: the disk with its storage is full\. Make room on the disk of .*storage.*, then try again\./;
  let desk: AgentDesk;
  let storage: string;
  let review: ReviewService;
  let store: ReviewStore;
  let checkpoints: Checkpoints;
  let files: WorkspaceFiles;
  let turns: DiskChanges;
  const told: string[] = [];

  beforeEach(async function () {
    desk = new AgentDesk();
    storage = join(desk.outside, 'storage');
    mkdirSync(storage);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', storage], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    told.length = 0;
    const contents = new ContentStore(join(storage, 'contents'), silentLogger);
    const failed = (_id: string, { message }: Error) => told.push(message);
    const images = new BeforeImages({
      folder: join(storage, 'review'),
      contents,
      turnOf: () => undefined,
      promptOf: () => 1,
      failed,
      log: silentLogger,
    });
    checkpoints = new Checkpoints({
      folder: join(storage, 'checkpoints'),
      contents,
      promptOf: () => 1,
      failed,
      clock: systemClock,
      log: silentLogger,
    });
    review = new ReviewService({
      scopes: desk.options.scopes,
      baselines: desk.baselines,
      clock: systemClock,
      log: silentLogger,
      turnOf: () => undefined,
      dialogs: { confirm: async () => true, report: (message) => desk.reported.push(message) },
      storage: {
        checkpoints,
        announce: (id, path, before) => images.writing(path, { sessionId: id, before }),
        settled: () => store.settled(),
      },
    });
    store = new ReviewStore({
      folder: join(storage, 'review'),
      contents,
      review: () => review.saved,
      images: () => images,
      clock: systemClock,
      log: silentLogger,
    });
    files = new WorkspaceFiles({
      scopes: desk.options.scopes,
      writer: review,
      log: silentLogger,
      askOutside: async () => true,
      warn: (_scope, title, detail) => desk.warned.push(`${title}: ${detail}`),
    });
    turns = review.disk = new DiskChanges({ ...desk.options, review, images });
    images.onDidIdle(() => store.schedule());
    await store.open(async () => {});
    review.onDidChangeChanges(() => store.schedule());
  });
  afterEach(async () => {
    turns?.dispose();
    store?.dispose();
    checkpoints?.dispose();
    review?.dispose();
    try {
      execFileSync('umount', ['-l', storage], { stdio: 'ignore' });
    } catch {
      // It was not made.
    }
    await desk.clear();
  });

  const fill = () => assert.throws(() => writeFileSync(join(storage, 'filler'), Buffer.alloc(4_000_000)), /ENOSPC/);
  const makeRoom = () => rmSync(join(storage, 'filler'));
  const write = (name: string, content: string) =>
    files.writeTextFile({ sessionId, path: desk.path(name), content }, neverCancelled);
  const pending = () =>
    review.tracked(sessionId).map(({ kind, path }) => `${kind} ${path.slice(desk.folder.length + 1)}`);

  for (const how of ['closed', 'open'] as const) {
    it(`a write of the agent to a file that is ${how} is refused, and the user is told once`, async () => {
      desk.put('a.txt', mine);
      desk.put('b.txt', mine);
      const editor = how === 'open' ? await desk.open('a.txt') : undefined;
      fill();
      for (const name of ['a.txt', 'b.txt']) {
        const { code, message, data } = await errorOf(write(name, 'agent\n'));
        assert.equal(code, -32603);
        assert.match(message, new RegExp(`Could not write .*${name}\\. Nothing was written\\. ${words.source}`));
        assert.deepEqual(data, { path: desk.path(name), reason: 'not_kept' });
        assert.equal(desk.disk(name), mine);
      }
      assert.deepEqual([editor?.document.isDirty ?? false, pending()], [false, []]);
      assert.equal(desk.warned.length, 1);
      assert.match(
        desk.warned[0]!,
        new RegExp(`^A file was not written: Desk could not write .*a\\.txt\\. ${words.source}`),
      );
      makeRoom();
      await write('a.txt', 'agent\n');
      assert.deepEqual([desk.disk('a.txt'), pending()], ['agent\n', ['modified a.txt']]);
    });
  }

  it('Undo says so and changes nothing, and works once there is room', async () => {
    desk.put('a.txt', mine);
    await write('a.txt', 'agent\n');
    await store.settled();
    const undo = () => review.decisions.undo([{ sessionId, path: desk.path('a.txt'), ids: undefined }]);
    // The review has something new to save, for which there is no room.
    await write('b.txt', 'agent\n');
    fill();
    await undo();
    assert.match(desk.reported.join(), new RegExp(`^Undo stopped: ${words.source}$`));
    assert.equal(desk.disk('a.txt'), 'agent\n');
    makeRoom();
    await undo();
    assert.equal(desk.disk('a.txt'), mine);
  });

  it('what an agent writes to disk itself is pending with what was there, the user is told, and Keep waits for room', async () => {
    desk.put('a.txt', mine);
    fill();
    await desk.openSaved();
    await turns.begin(sessionId);
    turns.sent(sessionId, Date.now());
    turns.act(sessionId, {
      type: 'toolCall/patched',
      at: Date.now(),
      fields: { toolCallId: 'call', kind: 'execute', status: 'in_progress' },
    });
    assert.match(told[0]!, words);
    desk.put('a.txt', 'agent\n');
    turns.end(sessionId, Date.now());
    await until('the change', () => pending().includes('modified a.txt'));
    const keeping = new KeepHistory(review);
    assert.equal(await keeping.keep([{ sessionId, path: desk.path('a.txt'), ids: undefined }]), 0);
    assert.match(desk.reported.join(), new RegExp(`^Nothing was kept: ${words.source}$`));
    assert.deepEqual(pending(), ['modified a.txt']);
    makeRoom();
    assert.equal(await keeping.keep([{ sessionId, path: desk.path('a.txt'), ids: undefined }]), 1);
    assert.deepEqual(pending(), []);
    // What Keep has let go of can be restored.
    const version = (await checkpoints.log(sessionId)).since(1).get(desk.path('a.txt'));
    assert.equal(textIn(await checkpoints.read(desk.path('a.txt'), version!.content!)), mine);
    keeping.dispose();
  });
});
