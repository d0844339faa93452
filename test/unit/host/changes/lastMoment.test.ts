import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { absent } from '../../../../src/changes/content';
import { contentOf } from '../../../../src/host/files/readContent';
import { replaceContent } from '../../../../src/host/files/replaceContent';
import { contentOfText } from '../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

/** Parley has looked at a file, and another program writes it before Parley does. */
describe("another program's bytes are not lost at the last moment", () => {
  let top: string;
  let path: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-moment-')));
    path = join(top, 'work/a.bin');
    mkdirSync(join(top, 'work'));
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const seen = async (content: string | Buffer) => contentOf(path, Buffer.from(content), 0o644);
  const [old, agents, others] = [Buffer.from([0, 1]), Buffer.from([0, 2]), Buffer.from([0, 3])];

  it.each([
    ['Undo of a changed file', async () => replaceContent(path, await seen(agents), await seen(old))],
    ['Undo of a deleted file', async () => replaceContent(path, absent, await seen(old))],
    ['Undo of an added file', async () => replaceContent(path, await seen(agents), absent)],
    ['Restore of a text', async () => replaceContent(path, await seen(agents), contentOfText('text\n'))],
    ['Undo of an added text', async () => replaceContent(path, contentOfText('agent\n'), absent)],
  ])('%s', async (_, act) => {
    writeFileSync(path, others);
    await expect(act()).rejects.toThrow('changed at the same time');
    expect(readFileSync(path)).toEqual(others);
  });

  it('and what nobody else has written is replaced', async () => {
    writeFileSync(path, agents);
    chmodSync(path, 0o600);
    await replaceContent(path, await seen(agents), await seen(old));
    expect(readFileSync(path)).toEqual(old);
    await replaceContent(path, await seen(old), contentOfText('text\n'));
    expect(readFileSync(path, 'utf8')).toBe('text\n');
    writeFileSync(path, 'text\r\n');
    await replaceContent(path, contentOfText('text\n'), absent);
    expect(existsSync(path)).toBe(false);
    await replaceContent(path, absent, await seen(old));
    expect(readFileSync(path)).toEqual(old);
    await replaceContent(path, await seen(old), absent);
    expect(existsSync(path)).toBe(false);
  });
});
