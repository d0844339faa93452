import { expect, it, vi } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { FileRestore } from '../../../../src/host/changes/fileRestore';
import { Machine, ReviewHost, session } from '../../../fakes/reviewMachine';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

/** Enough that several are brought back at the same time. */
const FILES = 120;

const paths = Array.from({ length: FILES }, (_, i) => `/p/${i}`);

/** One prompt after which the agent has changed all files, and created one more. */
async function formatted(): Promise<{ host: ReviewHost; machine: Machine; changed: () => number }> {
  const machine = new Machine();
  for (const path of paths) machine.disk.set(path, `${path} was here\n`);
  const host = new ReviewHost(machine, 1);
  await host.open();
  for (const path of paths) await host.write(path, `${path} is here\n`);
  await host.write('/p/new', 'new\n');
  host.prompt = 2;
  return { host, machine, changed: () => paths.filter((path) => machine.text(path) === `${path} is here\n`).length };
}

it('many files come back at once, and go back again', async () => {
  const { host, machine, changed } = await formatted();
  await host.restoreTo(1);
  expect([changed(), machine.text('/p/new')]).toEqual([0, undefined]);
  expect(await host.redo()).toBe(true);
  expect([changed(), machine.text('/p/new')]).toEqual([FILES, 'new\n']);
});

it('a plan has its files in the order in which they were changed, however many are looked at at the same time', async () => {
  const { host } = await formatted();
  const log = await host.checkpoints.log(session);
  const { files } = await host.restore.plan(session, log.since(1), 1);
  expect(files.map(({ path }) => path)).toEqual([...paths, '/p/new']);
});

it('a restore that is stopped has brought back some files whole, and the others with the next one; Redo knows of all', async () => {
  const { host, machine, changed } = await formatted();
  const log = await host.checkpoints.log(session);
  const { files } = await host.restore.plan(session, log.since(1), 1);
  let steps = 0;
  expect(await host.restore.carryOut(session, files, 'restore', 1, () => ++steps <= 30)).toEqual([]);
  expect(changed()).toBe(FILES - 30);
  expect(paths.every((path) => [`${path} was here\n`, `${path} is here\n`].includes(machine.text(path)!))).toBe(true);

  expect(await host.redo()).toBe(true);
  expect(changed()).toBe(FILES);
  await host.restoreTo(1);
  expect([changed(), machine.text('/p/new')]).toEqual([0, undefined]);
});

it('a Redo that is asked for before a restore has ended waits for it: what the restore has left is no edit of the user', async () => {
  const { host } = await formatted();
  const { checkpoints } = host;
  const log = await checkpoints.log(session);
  const recorded = new Deferred<void>();
  const left = async (...told: Parameters<typeof checkpoints.left>) => {
    await recorded.promise;
    return checkpoints.left(...told);
  };
  const written = new Deferred<void>();
  const restore = new FileRestore(
    host.recorder,
    {
      save: checkpoints.save.bind(checkpoints),
      log: checkpoints.log.bind(checkpoints),
      read: checkpoints.read.bind(checkpoints),
      left,
    },
    silentLogger,
  );
  const { files } = await restore.plan(session, log.since(1), 1);
  let steps = 0;
  const restored = restore.carryOut(session, files, 'restore', 1, () => {
    if (++steps === files.length) written.resolve();
    return true;
  });
  await written.promise;
  const redo = restore.plan(session, log.redoable!.files);
  // As long as it takes to plan where nothing is waited for.
  await host.restore.plan(session, log.redoable!.files);
  recorded.resolve();
  expect(await restored).toEqual([]);
  const found = (await redo).files;
  expect([found.length, found.filter(({ isEdited }) => isEdited)]).toEqual([FILES + 1, []]);
});

it('a file that the user edits while they choose what to restore stays as it is, and they hear of it', async () => {
  const { host, machine, changed } = await formatted();
  const log = await host.checkpoints.log(session);
  const { files } = await host.restore.plan(session, log.since(1), 1);
  machine.disk.set('/p/7', 'mine\n');
  expect(await host.restore.carryOut(session, files, 'restore', 1)).toEqual([
    expect.stringMatching(/^\/p\/7: it was changed at the same time/),
  ]);
  expect([machine.text('/p/7'), changed()]).toEqual(['mine\n', 0]);
  expect((await host.restore.plan(session, log.since(1), 1)).files).toMatchObject([{ path: '/p/7', isEdited: true }]);
});
