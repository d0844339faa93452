import { expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { Checkpoints } from '../../../../src/host/changes/stored/checkpoints';
import { digest } from '../../../../src/host/storage/contentName';
import { NotStoredError } from '../../../../src/host/platform/notStoredError';
import { Machine, ReviewHost, session } from '../../../fakes/reviewMachine';
import { readStored } from '../../../../src/host/files/readContent';
import { ContentStore } from '../../../../src/host/storage/contentStore';
import { absent } from '../../../../src/changes/content';
import { contentOfText, textIn } from '../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const start = ['p one', 'p two', 'p three', 'p four', 'p five'].join('\n');

/** What happens one after the other; each may be refused. */
const things: readonly ((host: ReviewHost) => Promise<void>)[] = [
  (host) => host.write('/p/a', start.replace('p two', 'a two').replace('p five', 'a five')),
  (host) => host.write('/p/new', 'a new'),
  (host) => host.write('/p/a', `${host.machine.text('/p/a')!}\na six`),
  (host) =>
    host.decide(
      '/p/a',
      'keep',
      host.ledger
        .get('/p/a')
        ?.hunks.slice(0, 1)
        .map(({ id }) => id) ?? [],
    ),
  (host) => host.decide('/p/a', 'undo'),
  (host) => host.decide('/p/new', 'undo'),
  async (host) => {
    host.prompt = 2;
    await host.write('/p/b', 'a other');
  },
  (host) => host.restoreTo(2),
  async (host) => void (await host.redo()),
  (host) => host.undoAll(),
];

const linesOf = (text: string | undefined) => (text ?? '').split('\n').filter((line) => line !== '');

/** Works with a storage that takes nothing from a step on. @returns what was refused */
async function work(machine: Machine): Promise<Error[]> {
  machine.disk.set('/p/a', start);
  machine.disk.set('/p/b', start);
  const host = new ReviewHost(machine, 1);
  await host.open();
  const stored = () =>
    [...machine.disk]
      .filter(([file]) => file.startsWith('/store/'))
      .map(([, text]) => text)
      .join('\n');
  machine.onPut = (path, text) => {
    const kept = stored();
    const now = linesOf(text);
    expect(
      linesOf(machine.text(path)).filter((line) => !now.includes(line) && !kept.includes(line)),
      `${path} at step ${machine.steps}`,
    ).toEqual([]);
  };
  const refused: Error[] = [];
  for (const thing of things) {
    const before = new Map([...machine.disk].filter(([file]) => file.startsWith('/p/')));
    const baselines = linesOf(host.ledger.changes.map(({ baseline }) => baseline).join('\n'));
    try {
      await thing(host);
    } catch (error) {
      refused.push(error as Error);
      expect(new Map([...machine.disk].filter(([file]) => file.startsWith('/p/')))).toEqual(before);
      expect(linesOf(host.ledger.changes.map(({ baseline }) => baseline).join('\n'))).toEqual(baselines);
    }
    // What Keep has taken from the review is somewhere else.
    const [kept, standing] = [stored(), [...machine.disk.values()].join('\n')];
    expect(baselines.filter((line) => !kept.includes(line) && !standing.includes(line))).toEqual([]);
  }
  return refused;
}

it.each(['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS'])(
  'whenever the storage takes nothing any more (%s), a write or a decision is refused with words, or what it replaces is kept',
  async (code) => {
    const whole = new Machine();
    expect(await work(whole)).toEqual([]);
    const counts = new Set<number>();
    for (let at = 0; at < whole.steps; at++) {
      const machine = new Machine();
      machine.full = { at, code };
      const refused = await work(machine);
      for (const error of refused) expect(error).toBeInstanceOf(NotStoredError);
      counts.add(refused.length);
    }
    // From nothing that could be kept at all to the last thing alone.
    expect(Math.max(...counts)).toBeGreaterThan(4);
    expect(counts.size).toBeGreaterThan(4);
  },
);

it.each([
  ['ENOSPC', 'the disk with its storage is full. Make room on the disk of /store/review, then try again.'],
  ['EDQUOT', 'your disk quota is used up. Make room on the disk of /store/review, then try again.'],
  ['EACCES', 'no permission to write to its storage. Check the permissions of /store/review, then try again.'],
  ['EIO', 'EIO. Check /store/review, then try again.'],
])('the error says what happened and what to do: %s', async (code, words) => {
  const machine = new Machine();
  const host = new ReviewHost(machine, 1);
  await host.open();
  machine.full = { at: machine.steps, code };
  await expect(host.write('/p/a', 'a')).rejects.toThrow(`Parley can’t back up the current content: ${words}`);
  // Once there is room again it works.
  machine.full = undefined;
  await host.write('/p/a', 'a');
  expect(machine.text('/p/a')).toBe('a');
});

it('a write that was refused is no change of the agent after a crash', async () => {
  const machine = new Machine();
  machine.disk.set('/p/a', start);
  const host = new ReviewHost(machine, 1);
  await host.open();
  // The log takes it, the checkpoint does not.
  const { append } = machine.files;
  machine.files.append = async (file, content) => {
    if (file.includes('checkpoints')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    await append(file, content);
  };
  await expect(host.write('/p/a', 'a')).rejects.toThrow(NotStoredError);
  await host.images.writing('/p/other', { sessionId: 'session', before: absent });
  machine.files.append = append;
  machine.disk.set('/p/a', `${start}\np six`);
  const next = new ReviewHost(machine, 1);
  await next.open();
  expect(next.ledger.changes).toEqual([]);
});

it('what an agent has replaced by itself is held until there is room, in order, and told', async () => {
  const machine = new Machine();
  const failed: string[] = [];
  const contents = new ContentStore('/store/contents', silentLogger, machine.files);
  const checkpoints = new Checkpoints({
    folder: '/store/checkpoints',
    contents,
    files: machine.files,
    promptOf: () => 1,
    failed: (_id, { message }) => failed.push(message),
    clock: machine.clock,
    log: silentLogger,
  });
  await checkpoints.log(session);
  machine.full = { at: machine.steps, code: 'ENOSPC' };
  checkpoints.changed(session, '/p/a', { content: contentOfText('one'), entry: undefined }, digest('two'));
  await expect.poll(() => failed.length).toBe(1);
  checkpoints.changed(session, '/p/a', { content: contentOfText('two'), entry: undefined }, digest('three'));
  await expect(checkpoints.recorded(session)).rejects.toThrow(NotStoredError);
  machine.full = undefined;
  await checkpoints.recorded(session);
  const log = await checkpoints.log(session);
  const { content } = log.since(1).get('/p/a')!;
  expect(textIn(await readStored('/p/a', content!, contents))).toBe('one');
  expect(log.isEdited('/p/a', digest('three'), 1)).toBe(false);
  expect(failed[0]).toContain('the disk with its storage is full');
});

it('a write that was prepared twice, because the user typed meanwhile, is a change of the agent after a crash', async () => {
  const machine = new Machine();
  machine.disk.set('/p/a', start);
  const host = new ReviewHost(machine, 1);
  await host.open();
  await host.writeUnheard('/p/a', `typed\n${start}`, `typed\n${start}\na six`);
  const next = new ReviewHost(machine, 1);
  await next.open();
  expect(next.ledger.get('/p/a')).toMatchObject({ baseline: `typed\n${start}`, current: `typed\n${start}\na six` });
});
