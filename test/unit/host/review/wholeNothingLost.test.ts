import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { DyingDisk, session, WholeWindow } from '../../../fakes/wholeWindow';
import { killStride } from '../../../fakes/tries';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

const bytes = (value: number) => Buffer.from([0, value, value, value]);
let root: string;

afterEach(() => rmSync(root, { recursive: true, force: true }));

/**
 * A day of undoing and going back and forth, by which no content is anybody's to lose.
 * @param dieAt steps after the agent's first changes are known
 */
async function work(disk: DyingDisk, dieAt: number): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'lost-'));
  const window = new WholeWindow(root, disk);
  const at = (name: string) => join(root, 'p', name);
  await window.open();
  window.write(at('a.png'), bytes(1));
  window.write(at('gone.bin'), bytes(2));
  window.write(at('from.bin'), bytes(3));
  window.agent([at('a.png'), at('gone.bin'), at('from.bin'), at('to.bin'), at('new.png')], () => {
    window.write(at('a.png'), bytes(4));
    rmSync(at('gone.bin'));
    renameSync(at('from.bin'), at('to.bin'));
    window.write(at('new.png'), bytes(5));
  });
  await window.checkpoints.log(session);
  await window.store.save();
  disk.dieAt = disk.steps + dieAt;
  await window.undoWhole([at('a.png'), at('gone.bin')]);
  await window.store.save();
  window.prompt = 2;
  window.agent([at('a.png')], () => window.write(at('a.png'), bytes(6)));
  await window.checkpoints.log(session);
  await window.store.save();
  await window.restoreTo(1);
  await window.store.save();
  await window.redo();
  window.keepAll();
  await window.store.save();
  await window.restoreTo(1);
  await window.close();
}

it('wherever the extension host is killed, each content of a binary file is in a file, the review or a checkpoint afterwards', async () => {
  await work(new DyingDisk(), Infinity);
  rmSync(root, { recursive: true, force: true });
  let died = 0;
  for (let dieAt = 0; ; dieAt += killStride) {
    const disk = new DyingDisk();
    await work(disk, dieAt).catch(() => undefined);
    if (disk.steps <= disk.dieAt) break;
    died++;
    const next = new WholeWindow(root);
    await next.open();
    const found = (await next.reachable()).map((content) => content.toString('hex'));
    // The sixth is the agent's at the moment of the kill where it was written already.
    const expected = [1, 2, 3, 4, 5].map((value) => bytes(value).toString('hex'));
    expect(
      expected.filter((content) => !found.includes(content)),
      `after step ${dieAt}`,
    ).toEqual([]);
    await next.close();
    rmSync(root, { recursive: true, force: true });
  }
  expect(died * killStride).toBeGreaterThan(50);
}, 60_000);
