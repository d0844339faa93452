import { describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../../src/base/log';
import { Checkpoints } from '../../../../../src/host/changes/stored/checkpoints';
import { CheckpointStore } from '../../../../../src/host/changes/stored/checkpointStore';
import { digest } from '../../../../../src/host/storage/contentName';
import { Machine } from '../../../../fakes/reviewMachine';
import { readStored } from '../../../../../src/host/files/readContent';
import { ContentStore } from '../../../../../src/host/storage/contentStore';
import type { Version } from '../../../../../src/changes/checkpointLog';
import { contentOfText, textIn } from '../../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

const contentsOf = (machine: Machine) => new ContentStore('/store/contents', silentLogger, machine.files);

function checkpoints(machine: Machine): Checkpoints {
  return new Checkpoints({
    folder: '/store/checkpoints',
    contents: contentsOf(machine),
    files: machine.files,
    promptOf: () => 7,
    clock: machine.clock,
    log: silentLogger,
  });
}

const storeOf = (machine: Machine) =>
  new CheckpointStore('/store/checkpoints', contentsOf(machine), silentLogger, machine.files);
const opened = async (machine: Machine) => storeOf(machine).open('s');
const textOf = async (machine: Machine, version: Version) =>
  textIn(await readStored('', version.content!, contentsOf(machine)));

describe('checkpoints on disk', () => {
  it('are written together where a command has changed many files, in order, each with what stood there before its first change', async () => {
    const machine = new Machine();
    const host = checkpoints(machine);
    const paths = Array.from({ length: 1_000 }, (_, i) => `/p/${i}`);
    for (const [i, path] of paths.entries())
      host.changed('s', path, { content: contentOfText(`before ${i}`), entry: undefined }, digest(`after ${i}`));
    for (const [i, path] of paths.entries())
      host.changed('s', path, { content: contentOfText(`after ${i}`), entry: undefined }, digest(`later ${i}`));
    await host.log('s');
    // A blob for each text that stood there, and for all lines far fewer writes than lines.
    expect(machine.steps).toBeLessThan(1_200);
    const log = await opened(machine);
    expect(log.touchedBy(7)).toBe(1_000);
    for (const [i, path] of paths.entries()) {
      expect(await textOf(machine, log.recorded(7, path)!)).toBe(`before ${i}`);
      expect(log.isEdited(path, null, Infinity)).toBe(true);
    }
  });

  it('one that cannot be written takes no other with it', async () => {
    const machine = new Machine();
    const store = storeOf(machine);
    const left = (path: string) => store.change('s', async () => ({ type: 'left', path, text: 'x' }));
    const asked = await Promise.allSettled([
      left('/p/1'),
      store.change('s', async () => Promise.reject(new Error('the disk is full'))),
      left('/p/2'),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const log = await opened(machine);
    expect([log.leftIn('/p/1'), log.leftIn('/p/2')]).toEqual(['x', 'x']);
  });

  it('what is written after a line that a full disk cut off is read again', async () => {
    const machine = new Machine();
    const store = storeOf(machine);
    const left = (path: string) => store.change('s', async () => ({ type: 'left', path, text: 'x' }));
    await left('/p/1');
    machine.full = { at: machine.steps, code: 'ENOSPC' };
    await expect(left('/p/2')).rejects.toThrow();
    machine.full = undefined;
    await left('/p/3');
    const log = await opened(machine);
    expect([log.leftIn('/p/1'), log.leftIn('/p/3')]).toEqual(['x', 'x']);
  });

  it('a file that takes the name of another touched one keeps what brings it back', async () => {
    const machine = new Machine();
    const host = checkpoints(machine);
    host.changed('s', '/p/a', { content: contentOfText('before a'), entry: undefined }, digest('after a'));
    host.changed('s', '/p/b', { content: contentOfText('before b'), entry: undefined }, digest('after b'));
    await host.log('s');
    host.moved('/p/a', '/p/b');
    const log = await opened(machine);
    const texts = await Promise.all(
      ['/p/a', '/p/b'].map(async (path) => await textOf(machine, log.recorded(7, path)!)),
    );
    expect(texts).toEqual(['before a', 'before b']);
  });

  it('a file that is moved takes along what was asked for just before', async () => {
    const machine = new Machine();
    const host = checkpoints(machine);
    await host.log('s');
    host.changed('s', '/p/old', { content: contentOfText('before'), entry: undefined }, digest('after'));
    host.moved('/p/old', '/p/new');
    host.changed('s', '/p/new', { content: contentOfText('after'), entry: undefined }, digest('later'));
    await host.log('s');
    const log = await opened(machine);
    expect([...log.since().keys()]).toEqual(['/p/new']);
    expect(await textOf(machine, log.recorded(7, '/p/new')!)).toBe('before');
  });
});
