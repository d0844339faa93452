import { describe, expect, it, vi } from 'vitest';
import { Machine, ReviewHost, session } from '../../../fakes/reviewMachine';
import { killStride } from '../../../fakes/tries';
import { sha256 } from '../../../../src/host/storage/contentName';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const start = ['p one', 'p two', 'p three', 'p four', 'p five'].join('\n');

/** What must be found again: each line as soon as the user has typed it, or the agent's text stands in a file. */
class Lines {
  readonly all = new Set<string>();

  readonly add = (text: string): void => {
    for (const line of text.split('\n')) if (line !== '') this.all.add(line);
  };
}

/**
 * A day of work: the agent writes and is read again, the user types, keeps, undoes, goes back and forth. No author
 * takes back a line of their own.
 */
async function work(machine: Machine, lines: Lines): Promise<void> {
  machine.disk.set('/p/a', start);
  machine.disk.set('/p/b', start);
  lines.add(start);
  const host = new ReviewHost(machine, 1);
  host.onWritten = lines.add;
  await host.open();
  await host.write('/p/a', start.replace('p two', 'a two').replace('p five', 'a five'));
  await host.write('/p/new', 'a new\na file');
  await host.store.save();
  // The user types, without saving.
  const typed = machine.text('/p/a')!.replace('p three', 'p three\np typed');
  machine.documents.set('/p/a', typed);
  lines.add(typed);
  await host.write('/p/a', `${machine.disk.get('/p/a')!}\na six`, machine.disk.get('/p/a')!);
  const [first, second] = host.ledger.get('/p/a')!.hunks;
  await host.decide('/p/a', 'keep', [first!.id]);
  await host.store.save();
  await host.decide('/p/a', 'undo', [second!.id]);
  await host.decide('/p/new', 'undo');
  await host.store.save();
  // Undone before anything has saved the review.
  await host.write('/p/b', start.replace('p two', 'a at once'));
  await host.decide('/p/b', 'undo');
  host.prompt = 2;
  // The user saves.
  machine.disk.set('/p/a', machine.text('/p/a')!);
  machine.documents.delete('/p/a');
  await host.write('/p/a', `${machine.text('/p/a')!}\na seven`);
  await host.write('/p/other', 'a other');
  host.prompt = 3;
  await host.write('/p/other', undefined);
  await host.write('/p/a', machine.text('/p/a')!.replace('p one', 'a one'));
  await host.restoreTo(2);
  await host.store.save();
  await host.redo();
  await host.restoreTo(1);
  await host.restoreTo(3);
  await host.store.save();
  await host.redo();
}

/** Works until the process is ended at a step. @returns whether it was. */
async function workUntil(machine: Machine, lines: Lines, dieAt: number): Promise<boolean> {
  machine.dieAt = dieAt;
  try {
    await work(machine, lines);
  } catch (error) {
    // A process that has ended tells nobody of anything; what goes wrong in it after its end is no error of its own.
    if (machine.steps <= dieAt) throw error;
  }
  return machine.steps > dieAt;
}

describe('nothing is lost, wherever the extension host is killed', () => {
  it('each line of the user and of the agent is in a file, an editor, the review or a checkpoint afterwards', async () => {
    const whole = new Machine();
    await work(whole, new Lines());
    const total = whole.steps;
    expect(total).toBeGreaterThan(100);
    for (let dieAt = 0; dieAt < total; dieAt += killStride) {
      const machine = new Machine();
      const lines = new Lines();
      expect(await workUntil(machine, lines, dieAt)).toBe(true);
      machine.dieAt = Infinity;
      const next = new ReviewHost(machine, 4);
      await next.open();
      const found = (await next.reachable()).join('\n').split('\n');
      expect(
        [...lines.all].filter((line) => !found.includes(line)),
        `after step ${dieAt}`,
      ).toEqual([]);
      // And all goes on: what was being done can be done again.
      await next.write('/p/a', `${machine.text('/p/a') ?? ''}\na after`);
      await next.restoreTo(4);
      await next.store.save();
    }
  });

  it('a write that was carried out before the review was saved waits for review after the restart', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.write('/p/a', start.replace('p two', 'a two'));
    // Killed here: no save.
    const next = new ReviewHost(machine, 1);
    await next.open();
    expect(next.ledger.get('/p/a')).toMatchObject({ kind: 'modified', baseline: start, added: 1, removed: 1 });
    await next.store.save();
    next.ledger.keep('/p/a');
    await next.store.save();
    const last = new ReviewHost(machine, 1);
    await last.open();
    expect(last.ledger.changes).toEqual([]);
  });

  it("what the user typed where a write of the agent was refused is not the agent's after the restart", async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.refuse('/p/a', start.replace('p two', 'p typed'));
    await host.store.save();
    const next = new ReviewHost(machine, 1);
    await next.open();
    expect(next.ledger.changes).toEqual([]);
  });

  it('what the user typed into a change that no save has seen is found when the agent writes over it', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.write('/p/a', start.replace('p two', 'a two'));
    machine.documents.set('/p/a', start.replace('p two', 'a two\np typed'));
    host.ledger.edited('/p/a', machine.text('/p/a'));
    await host.write('/p/a', start.replace('p two', 'a again'));
    // Killed here: only what the agent's writes store is on disk.
    const next = new ReviewHost(machine, 1);
    await next.open();
    expect((await next.reachable()).join('\n').split('\n')).toContain('p typed');
    await next.decide('/p/a', 'before');
    expect(machine.text('/p/a')).toBe(start.replace('p two', 'p two\np typed'));
  });

  it('a change that was undone and written again before any save is still the agent’s', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.write('/p/a', start.replace('p two', 'a two'));
    await host.decide('/p/a', 'undo');
    await host.write('/p/a', start.replace('p four', 'a four'));
    const next = new ReviewHost(machine, 1);
    await next.open();
    expect(next.ledger.get('/p/a')).toMatchObject({ kind: 'modified', baseline: start, added: 1, removed: 1 });
    await next.decide('/p/a', 'undo');
    expect(machine.text('/p/a')).toBe(start);
  });

  it('a restore says that what the user typed is theirs where a write of the agent was refused', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.refuse('/p/a', start.replace('p two', 'p typed'));
    const log = await host.checkpoints.log(session);
    expect(
      (await host.restore.plan(session, log.since(1), 1)).files.map(({ path, isEdited }) => [path, isEdited]),
    ).toEqual([['/p/a', true]]);
    // Once the agent has written, what it left is no edit.
    await host.write('/p/a', 'a', machine.text('/p/a')!);
    expect(
      (await host.restore.plan(session, log.since(1), 1)).files.map(({ path, isEdited }) => [path, isEdited]),
    ).toEqual([['/p/a', false]]);
  });

  it('what stands in a file is on disk before the agent writes', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    let durable: string[] = [];
    const name = sha256(start);
    host.onWritten = () => {
      durable = [...machine.disk]
        .filter(([file, text]) => file.startsWith('/store/') && (text.includes('p two') || text.includes(name)))
        .map(([file]) => file.split('/')[2]!);
    };
    await host.write('/p/a', 'a');
    // The bytes once, and what names them.
    expect(durable.sort()).toEqual(['checkpoints', 'contents', 'review']);
  });

  it.each(['all at once', 'one by one'])(
    'files of the agent that Undo deletes can be brought back, many too, and so can what a restore replaced: %s',
    async (how) => {
      const machine = new Machine();
      machine.disk.set('/p/a', start);
      const host = new ReviewHost(machine, 1);
      await host.open();
      await host.write('/p/a', 'a replaced by a restore');
      await host.restoreTo(1);
      const paths = Array.from({ length: 60 }, (_, i) => `/p/new ${i}`);
      for (const path of paths) await host.write(path, `a ${path}`);
      if (how === 'all at once') await host.undoAll();
      else for (const path of paths) await host.decide(path, 'undo');
      expect([...machine.disk.keys()].filter((path) => path.startsWith('/p/'))).toEqual(['/p/a']);
      const next = new ReviewHost(machine, 2);
      await next.open();
      const found = await next.reachable();
      expect(paths.filter((path) => !found.includes(`a ${path}`))).toEqual([]);
      expect(found).toContain('a replaced by a restore');
      expect((await next.checkpoints.log(session)).redoable).toBeDefined();
    },
  );

  it('a line of the log that was cut off is skipped, and the next one does not join it', async () => {
    const machine = new Machine();
    machine.disk.set('/p/a', start);
    const host = new ReviewHost(machine, 1);
    await host.open();
    await host.write('/p/a', 'a');
    await host.checkpoints.log(session);
    const file = [...machine.disk.keys()].find((name) => name.endsWith('log.ndjson'))!;
    machine.disk.set(file, `${machine.disk.get(file)!}{"type":"touched","prom`);
    const next = new ReviewHost(machine, 2);
    await next.open();
    await next.write('/p/a', 'b');
    const last = new ReviewHost(machine, 3);
    await last.open();
    expect((await last.checkpoints.log(session)).prompts).toEqual([1, 2]);
  });
});
