import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../../src/base/log';
import { BeforeImages } from '../../../../../src/host/changes/stored/beforeImages';
import { UnclaimedChanges } from '../../../../../src/host/changes/unclaimedChanges';
import { TurnFollower } from '../../../../../src/host/changes/disk/turnFollower';
import { KeepHistory } from '../../../../../src/host/changes/keepHistory';
import { ReviewService } from '../../../../../src/host/changes/reviewService';
import * as editor from '../../../../fakes/diskVscode';
import { FakeClock } from '../../../../fakes/fakeClock';
import { contentsIn } from '../../../../fakes/wholeFiles';
import { until } from '../../../../launch/poll.mjs';
import { contentOfText } from '../../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

describe('files with pending changes', () => {
  let top: string;
  let folder: string;
  let clock: FakeClock;
  let service: ReviewService;
  let follower: TurnFollower;
  /** What keeps the process busy besides the test. */
  let busy: string[];

  const path = (name: string) => join(folder, name);
  const current = (name: string) => service.tracked('s').find((change) => change.path === path(name))?.current;
  const isResource = (name: string) =>
    name === 'Timeout' || name === 'Immediate' || name.startsWith('FSEvent') || name.startsWith('StatWatcher');
  const resources = () => process.getActiveResourcesInfo().filter(isResource);
  const agent = (name: string, before: string, after: string) => {
    writeFileSync(path(name), after);
    service.record('s', path(name), contentOfText(before), contentOfText(after));
  };

  beforeEach(() => {
    busy = resources();
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-followed-')));
    folder = join(top, 'p');
    mkdirSync(folder);
    // The times of files are real.
    clock = Object.assign(new FakeClock(), { now: () => Date.now() });
    const scopes = (sessionId: string) => ({ sessionId, agent: 'Agent', cwd: folder, roots: [folder] });
    const contents = contentsIn(join(top, 'bytes'));
    const baselines = { set: () => '', add: () => '', deleteAll: () => undefined };
    service = new ReviewService({
      scopes,
      baselines: baselines as never,
      clock,
      log: silentLogger,
      turnOf: () => 'e0',
      dialogs: { confirm: async () => true, report: () => undefined },
      storage: { contents },
    });
    const images = new BeforeImages({
      folder: join(top, 'review'),
      contents: contents.contents,
      turnOf: () => 'e0',
      promptOf: () => 1,
      failed: () => undefined,
      log: silentLogger,
    });
    follower = new TurnFollower({
      scopes,
      review: service,
      loaded: (disk) => (service.disk = disk),
      contents,
      unclaimed: new UnclaimedChanges({ review: () => service, contents, schedule: () => undefined }),
      images: async () => images,
      whenReady: async () => {},
      clock,
      log: silentLogger,
      environment: async () => ({}),
      isGuarded: () => false,
    });
    for (const name of ['a.txt', 'b.txt']) agent(name, 'one\ntwo\n', 'one\n2\n');
  });
  afterEach(() => {
    for (const part of [follower, service]) part.dispose();
    rmSync(top, { recursive: true, force: true });
  });

  /** Nothing runs and nothing is watched. */
  const expectIdle = async () => {
    await until('no timer of Parley', () => clock.running === 0);
    expect(editor.watchers).toBe(0);
    await until('no timer and no watcher of the system', () => resources().length <= busy.length);
  };
  const rest = async () => {
    await until('the end of the watch', () => {
      clock.advance(100);
      return editor.watchers === 0;
    });
    clock.advance(10_000);
  };

  it('cost no timer and no watcher while no turn runs, before the first one and after it', async () => {
    await expectIdle();
    await follower.begin('s');
    expect(editor.watchers).toBe(1);
    follower.end('s', Date.now());
    await rest();
    await expectIdle();
    expect(service.session('s')?.ledger.count).toBe(2);
  });

  it('are watched while a command outlives its turn, and the next one', async () => {
    await follower.begin('s');
    follower.command('s', 'term', true, Date.now());
    for (let turn = 0; turn < 2; turn++) {
      follower.end('s', Date.now());
      clock.advance(60_000);
      expect(editor.watchers).toBe(1);
      await follower.begin('s');
    }
    follower.end('s', Date.now());
    follower.command('s', 'term', false, Date.now());
    await rest();
    await expectIdle();
  });

  it('are known from the first call of work without a prompt, which comes with its beginning', async () => {
    writeFileSync(path('c.txt'), 'before\n');
    const at = Date.now();
    follower.act('s', { type: 'turn/started', at, turnId: 't2', prompt: [] });
    follower.act('s', {
      type: 'toolCall/patched',
      at,
      fields: {
        toolCallId: 'c',
        kind: 'edit',
        status: 'in_progress',
        content: [{ type: 'diff', path: path('c.txt'), oldText: 'before\n', newText: 'after\n' }],
      },
    });
    writeFileSync(path('c.txt'), 'after\n');
    follower.act('s', { type: 'toolCall/patched', at: Date.now(), fields: { toolCallId: 'c', status: 'completed' } });
    await until('the watch', () => editor.watchers === 1);
    follower.end('s', Date.now());
    await rest();
    await until('the change', () => current('c.txt') === 'after\n');
    expect(service.tracked('s').find((change) => change.path === path('c.txt'))).toMatchObject({
      added: 1,
      removed: 1,
    });
  });

  it('are not watched after a turn that was stopped while it began', async () => {
    const begun = follower.begin('s');
    follower.end('s', Date.now());
    await begun;
    const late = follower.begin('s');
    await vi.waitUntil(() => editor.watchers === 1, { interval: 0, timeout: 20_000 });
    follower.end('s', Date.now());
    await late;
    await rest();
    await expectIdle();
  });

  it.each([
    ['the window gets the focus', async () => editor.focusWindow()],
    ['a command of the user ends', async () => editor.endCommand()],
    ['the agent gets a prompt', () => follower.begin('s')],
    ['somebody looks at the review', () => service.lookAgain()],
  ])('are looked at when %s', async (_when, happens) => {
    writeFileSync(path('a.txt'), 'one\n2\nthree\n');
    rmSync(path('b.txt'));
    expect(current('a.txt')).toBe('one\n2\n');
    await happens();
    await until('what stands in them', () => current('a.txt') === 'one\n2\nthree\n' && current('b.txt') === undefined);
    expect(service.tracked('s').map(({ added, removed }) => [added, removed])).toEqual([[1, 1]]);
    follower.end('s', Date.now());
  });

  it('are looked at also where the user had deleted them, and are pending when they are there again', async () => {
    rmSync(path('b.txt'));
    await service.lookAgain();
    expect(service.tracked('s').length).toBe(1);
    writeFileSync(path('b.txt'), 'one\n2\n');
    await service.lookAgain();
    expect(service.tracked('s').map(({ added, removed }) => [added, removed])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('keep what the user wrote since, when an agent changes them in the next turn', async () => {
    writeFileSync(path('a.txt'), 'one\n2\nmine\n');
    await follower.begin('s');
    follower.sent('s', Date.now());
    follower.act('s', {
      type: 'toolCall/patched',
      at: Date.now(),
      fields: { toolCallId: 'call', kind: 'execute', status: 'in_progress' },
    });
    writeFileSync(path('a.txt'), 'ONE\n2\nmine\n');
    follower.end('s', Date.now());
    await rest();
    await until('the change', () => current('a.txt') === 'ONE\n2\nmine\n');
    await service.decisions.undo([{ sessionId: 's', path: path('a.txt'), ids: undefined }]);
    expect(current('a.txt')).toBeUndefined();
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('one\ntwo\nmine\n');
  });

  it('are kept and undone as they are then', async () => {
    writeFileSync(path('a.txt'), 'one\n2\nmine\n');
    writeFileSync(path('b.txt'), 'one\nmine\n');
    const target = (name: string) => ({ sessionId: 's', path: path(name), ids: undefined });
    await service.decisions.undo([target('b.txt')]);
    expect(
      service
        .tracked('s')
        .find((change) => change.path === path('b.txt'))
        ?.hunks.map(({ state }) => state),
    ).toEqual(['conflicted']);
    const keeping = new KeepHistory(service);
    await service.lookAgain();
    expect(await keeping.keep([target('a.txt')])).toBe(1);
    expect((await keeping.undoLast()).isDone).toBe(true);
    await service.decisions.undo([target('a.txt')]);
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('one\ntwo\nmine\n');
    keeping.dispose();
  });
});
