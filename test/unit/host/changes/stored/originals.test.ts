import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../../src/base/log';
import { Originals } from '../../../../../src/host/changes/stored/originals';
import { ReviewContents } from '../../../../../src/host/changes/stored/reviewContents';
import { ContentStore } from '../../../../../src/host/storage/contentStore';

let folder: string;
let saves: string[];
let bytes: ContentStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'originals-'));
  bytes = new ContentStore(folder, silentLogger);
  saves = [];
});
afterEach(async () => {
  await bytes.settled();
  rmSync(folder, { recursive: true, force: true });
});

const open = (maxBytes?: number) =>
  new Originals(
    bytes,
    { schedule: () => void saves.push('later'), save: async () => void saves.push('now') },
    maxBytes,
  );
const file = (content: string, mode?: number) => ({ bytes: Buffer.from(content), mode });

it('keeps several texts of one path, whatever their line ends, and other paths apart', async () => {
  const originals = open();
  originals.store('/a', 'one\r\ntwo\n', file('one\r\ntwo\n'));
  await originals.storeNow('/a', '1\n2\n', file('1\n2\r\n'));
  expect(saves).toEqual(['later', 'later', 'now']);
  expect([
    (await originals.get('/a', 'one\ntwo\n'))?.bytes.toString(),
    (await originals.get('/a', '1\n2\n'))?.bytes.toString(),
  ]).toEqual(['one\r\ntwo\n', '1\n2\r\n']);
  expect([await originals.get('/b', '1\n2\n'), await originals.get('/a', '1\n')]).toEqual([undefined, undefined]);
});

it('has the bytes of a file that the user renamed', async () => {
  const contents = new ReviewContents(bytes, { schedule: () => undefined, save: async () => undefined });
  for (const path of ['/p/a', '/p/b']) contents.originals.store(path, 'one\n', file(`one\r\n${path}`));
  contents.moved('/p/a', '/p/b');
  expect([await contents.originals.get('/p/a', 'one\n'), await contents.originals.get('/p/b', 'one\n')]).toEqual([
    undefined,
    file('one\r\n/p/a'),
  ]);
  contents.moved('/p', '/q');
  expect((await contents.originals.get('/q/b', 'one\n'))?.bytes.toString()).toBe('one\r\n/p/a');
});

it('knows permissions still when the text is kept again, and takes over those of a file that goes', async () => {
  const originals = open();
  originals.store('/a', 'x', file('x', 0o755));
  originals.store('/a', 'x', file('x'));
  originals.store('/b', 'x', file('x'));
  originals.storeOlder('/b', ['x', 'y'], 0o700, async (text) => Buffer.from(`${text}!`));
  expect([await originals.get('/a', 'x'), await originals.get('/b', 'x'), await originals.get('/b', 'y')]).toEqual([
    file('x', 0o755),
    file('x', 0o700),
    file('y!', 0o700),
  ]);
});

it('does without an older text that cannot be written in these bytes', async () => {
  const originals = open();
  originals.storeOlder('/a', ['no', 'yes'], undefined, async (text) =>
    text === 'no' ? Promise.reject(new Error('no letters')) : Buffer.from(text),
  );
  expect([await originals.get('/a', 'no'), (await originals.get('/a', 'yes'))?.bytes.toString()]).toEqual([
    undefined,
    'yes',
  ]);
});

it('lets the oldest go when there are too many, those of an earlier window first', async () => {
  const earlier = open();
  earlier.store('/a', 'old', file('12345'));
  const originals = open(10);
  originals.store('/a', 'new', file('67890'));
  originals.restore(earlier.saved);
  expect(originals.saved.length).toBe(2);
  originals.store('/b', 'last', file('abc'));
  expect([
    await originals.get('/a', 'old'),
    (await originals.get('/a', 'new'))?.bytes.toString(),
    (await originals.get('/b', 'last'))?.bytes.toString(),
  ]).toEqual([undefined, '67890', 'abc']);
});
