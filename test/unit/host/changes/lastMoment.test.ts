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
import { silentLogger } from '../../../../src/base/log';
import type { Snapshot } from '../../../../src/changes/wholeChange';
import { contentOf } from '../../../../src/host/changes/disk/diskContent';
import { snapshotOf } from '../../../../src/host/changes/checkpoints/fileMoment';
import { wholeFiles } from '../../../../src/host/changes/wholeFiles';
import { removeText } from '../../../../src/host/changes/writableFile';
import { ByteFolder } from '../../../../src/host/storage/byteFolder';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

/** Parley has looked at a file, and another program writes it before Parley does. */
describe("another program's bytes are not lost at the last moment", () => {
  let top: string;
  let path: string;
  let bytes: ByteFolder;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-moment-')));
    path = join(top, 'work/a.bin');
    mkdirSync(join(top, 'work'));
    bytes = new ByteFolder(join(top, 'bytes'), silentLogger);
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const seen = async (content: string | Buffer): Promise<Snapshot> =>
    snapshotOf(await contentOf(path, Buffer.from(content), 0o644));
  const kept = async (content: Buffer): Promise<Snapshot> =>
    ({ ...(await seen(content)), kept: bytes.put(content) }) as Snapshot;
  const [old, agents, others] = [Buffer.from([0, 1]), Buffer.from([0, 2]), Buffer.from([0, 3])];
  const options = { originalOf: async () => undefined, keepOriginal: () => undefined, wrote: () => undefined };

  it.each([
    ['Undo of a changed file', async () => wholeFiles.put(path, await kept(old), await seen(agents), bytes)],
    ['Undo of a deleted file', async () => wholeFiles.put(path, await kept(old), { kind: 'absent' }, bytes)],
    ['Undo of an added file', async () => wholeFiles.put(path, { kind: 'absent' }, await seen(agents), bytes)],
    ['Restore of a text', async () => wholeFiles.putText(path, 'text\n', await seen(agents))],
    ['Undo of an added text', async () => removeText(path, 'agent\n', options)],
  ])('%s', async (_, act) => {
    writeFileSync(path, others);
    await expect(act()).rejects.toThrow('changed at the same time');
    expect(readFileSync(path)).toEqual(others);
  });

  it('and what nobody else has written is replaced', async () => {
    writeFileSync(path, agents);
    chmodSync(path, 0o600);
    await wholeFiles.put(path, await kept(old), await seen(agents), bytes);
    expect(readFileSync(path)).toEqual(old);
    await wholeFiles.putText(path, 'text\n', await seen(old));
    expect(readFileSync(path, 'utf8')).toBe('text\n');
    writeFileSync(path, 'text\r\n');
    await removeText(path, 'text\n', options);
    expect(existsSync(path)).toBe(false);
    await wholeFiles.put(path, await kept(old), { kind: 'absent' }, bytes);
    expect(readFileSync(path)).toEqual(old);
    await wholeFiles.put(path, { kind: 'absent' }, await seen(old), bytes);
    expect(existsSync(path)).toBe(false);
  });
});
