import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceSaves, SaveAnnouncer } from '../../../../../src/host/changes/disk/saveAnnouncer';
import { SavedElsewhere } from '../../../../../src/host/changes/disk/savedElsewhere';
import { willSave } from '../../../../fakes/diskVscode';
import { FakeClock } from '../../../../fakes/fakeClock';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

describe('saves in other windows', () => {
  let folder: string;
  let clock: FakeClock;
  let here: SavedElsewhere;
  let other: SaveAnnouncer;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-saves-'));
    clock = new FakeClock();
    clock.advance(Date.now());
    other = new SaveAnnouncer({ folder, id: 'other', clock });
  });
  afterEach(() => {
    here?.dispose();
    other.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function work(): Promise<void> {
    here = new SavedElsewhere({ folder, id: 'here', clock });
    const deadline = Date.now() + 5_000;
    while (!existsSync(join(folder, 'turns/here')) && Date.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
  }

  it('are told while an agent works, and explain just that content of that file at that time', async () => {
    await work();
    await other.saved('/w/a.ts', 'mine\r\n');
    await here.refresh();
    const at = clock.now();
    expect(here.explains('/w/a.ts', 'mine\n', at + 5_000)).toBe(true);
    expect(here.explains('/w/a.ts', 'mine\n', at + 5_001)).toBe(false);
    expect(here.explains('/w/a.ts', 'agent\n', at)).toBe(false);
    expect(here.explains('/w/b.ts', 'mine\n', at)).toBe(false);
    expect(here.explains('/w/a.ts', undefined, at)).toBe(false);
    expect(readFileSync(join(folder, 'other.json'), 'utf8')).not.toMatch(/mine|a\.ts/);
    await other.saved('/w/b.ts', 'mine\n');
    await here.refresh();
    expect([here.explains('/w/a.ts', 'mine\n', at), here.explains('/w/b.ts', 'mine\n', at)]).toEqual([true, true]);
  });

  it('are told before VS Code writes the file', async () => {
    await work();
    const announced = announceSaves({ folder, id: 'third', clock }, (path) => path === '/w/agents.ts');
    const before: PromiseLike<unknown>[] = [];
    for (const fsPath of ['/w/a.ts', '/w/agents.ts'])
      willSave.fire({
        document: { uri: { scheme: 'file', fsPath }, getText: () => 'mine\n' },
        waitUntil: (told) => before.push(told),
      });
    await Promise.all(before);
    await here.refresh();
    expect([
      here.explains('/w/a.ts', 'mine\n', clock.now()),
      here.explains('/w/agents.ts', 'mine\n', clock.now()),
    ]).toEqual([true, false]);
    announced.dispose();
  });

  it('are told to nobody while no agent works elsewhere', async () => {
    await other.saved('/w/a.ts', 'mine\n');
    expect(readdirSync(folder)).toEqual([]);
    const own = new SavedElsewhere({ folder, id: 'other', clock });
    await new Promise((resolve) => setTimeout(resolve));
    await other.saved('/w/a.ts', 'mine\n');
    expect(existsSync(join(folder, 'other.json'))).toBe(false);
    own.dispose();
  });

  it('are few and fresh on disk, and go with their window', async () => {
    await work();
    for (let i = 0; i < 250; i++) await other.saved(`/w/${i}`, 'x');
    const told = () => (JSON.parse(readFileSync(join(folder, 'other.json'), 'utf8')) as unknown[]).length;
    expect(told()).toBe(200);
    clock.advance(60_001);
    await other.saved('/w/a', 'x');
    expect(told()).toBe(1);
    other.dispose();
    here.dispose();
    const deadline = Date.now() + 5_000;
    while ((existsSync(join(folder, 'other.json')) || existsSync(join(folder, 'turns/here'))) && Date.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
    expect([readdirSync(folder), readdirSync(join(folder, 'turns'))]).toEqual([['turns'], []]);
  });

  it('of a window that ended badly go after a day, and what is none is passed over', async () => {
    await work();
    for (const [name, text] of [
      ['a.json', '[{"at":1}, null, "x"]'],
      ['b.json', '{'],
      ['c.json', '{"at":1}'],
      ['old.json', '[]'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const old = Date.now() / 1000 - 2 * 24 * 60 * 60;
    utimesSync(join(folder, 'old.json'), old, old);
    await here.refresh();
    expect(existsSync(join(folder, 'old.json'))).toBe(false);
    expect(here.explains('/w/a', 'x', 1)).toBe(false);
  });
});
