import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saves } from '../../../../fakes/diskVscode';
import { TurnWindow } from '../../../../fakes/turnWindow';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

describe('a command that changes how a text is stored', () => {
  let top: string;
  let window: TurnWindow;
  const bytes = (name: string) => readFileSync(window.at(name)).toString('latin1');

  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'parley-stored-'));
    window = new TurnWindow(join(top, 'window'));
  });
  afterEach(() => {
    window.end();
    rmSync(top, { recursive: true, force: true });
  });

  const mark = '\uFEFF';
  it.each<[said: string, before: string, after: string]>([
    ['Line endings changed from CRLF to LF', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['Line endings changed from LF to CRLF', 'one\ntwo\n', 'one\r\ntwo\r\n'],
    ['Line endings changed from mixed to LF', 'one\r\ntwo\nthree\r', 'one\ntwo\nthree\n'],
    ['Byte order mark added', 'one\n', `${mark}one\n`],
    ['Byte order mark removed', `${mark}one\n`, 'one\n'],
    ['Byte order mark removed, Line endings changed from CRLF to LF', `${mark}one\r\ntwo\r\n`, 'one\ntwo\n'],
  ])('is listed: %s. Undo brings back every byte', async (said, before, after) => {
    writeFileSync(window.at('a.txt'), before);
    const was = bytes('a.txt');
    await window.open();
    await window.begin();
    writeFileSync(window.at('a.txt'), after);
    await window.seen('a.txt');
    expect(window.ledger.changes).toMatchObject([{ kind: 'modified', note: said }]);
    await window.undoWhole();
    expect(window.reported).toEqual([]);
    expect(bytes('a.txt')).toBe(was);
    expect(window.waits()).toEqual([]);
  });

  it('and some lines: both are pending, and either can be undone alone', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    writeFileSync(window.at('a.txt'), lines.join('\r\n'));
    await window.open();
    await window.begin();
    const agents = lines.with(3, 'THREE').with(15, 'FIFTEEN');
    writeFileSync(window.at('a.txt'), agents.join('\n'));
    await window.seen('a.txt');
    const change = window.ledger.get(window.at('a.txt'))!;
    expect(change).toMatchObject({ beside: 'Line endings changed from CRLF to LF', added: 2, removed: 2 });
    await window.undoWhole();
    expect(bytes('a.txt')).toBe(agents.join('\r\n'));
    expect(window.ledger.get(window.at('a.txt'))!.hunks).toHaveLength(2);
    expect(window.ledger.get(window.at('a.txt'))!.beside).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('or its permissions, after its lines: both are pending', async () => {
    writeFileSync(window.at('run.sh'), 'one\n', { mode: 0o644 });
    await window.open();
    await window.begin();
    writeFileSync(window.at('run.sh'), 'two\n');
    await window.seen('run.sh');
    chmodSync(window.at('run.sh'), 0o755);
    await window.seen('run.sh');
    const pending = window.ledger.get(window.at('run.sh'));
    expect([pending?.hunks.length, pending?.beside]).toEqual([1, 'Added execute permission']);
    await window.undoWhole();
    expect(statSync(window.at('run.sh')).mode & 0o777).toBe(0o644);
    expect(window.ledger.get(window.at('run.sh'))?.hunks).toHaveLength(1);
  });

  it('is not the agent’s where the user saved the file so, or the agent made it as before', async () => {
    for (const name of ['users.txt', 'back.txt']) writeFileSync(window.at(name), 'one\r\ntwo\r\n');
    await window.open();
    await window.begin();
    writeFileSync(window.at('users.txt'), 'one\ntwo\n');
    saves(window.at('users.txt'), 'one\ntwo\n');
    writeFileSync(window.at('back.txt'), 'one\ntwo\n');
    await window.seen('users.txt', 'back.txt');
    expect(window.waits()).toEqual(['modified back.txt']);
    writeFileSync(window.at('back.txt'), 'one\r\ntwo\r\n');
    await window.seen('back.txt');
    expect(window.waits()).toEqual([]);
  });
});
