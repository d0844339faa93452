import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../src/base/cancellation';
import { InstallFailure } from '../../../src/node/installFailure';
import { unpackArchive } from '../../../src/node/unpackArchive';
import { type ArchiveEntry, tarBz2, tarGzOf, tarOf, zipOf } from '../../fakes/archives';

const program = '#!/bin/sh\necho agent\n';

const built = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-bunzip-'));
const bunzip = path.join(built, 'bunzip.js');
beforeAll(() =>
  build({
    entryPoints: [path.join(import.meta.dirname, '../../../src/node/bunzipMain.ts')],
    outfile: bunzip,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  }),
);
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A download beside an empty folder, both in a folder that holds a file of the user's. */
function desk(bytes: Buffer | string) {
  const base = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-unpack-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [file, root, own] = [path.join(base, 'download'), path.join(base, 'root'), path.join(base, 'own')];
  writeFileSync(file, bytes);
  mkdirSync(root);
  writeFileSync(own, 'mine');
  return {
    root,
    own,
    unpack: (name = 'bin/agent', token = neverCancelled) => unpackArchive(file, root, name, bunzip, token),
  };
}

const agent: ArchiveEntry = { name: 'bin/agent', text: program, mode: 0o755 };
const formats = [
  ['tar', tarOf],
  ['tar.gz', tarGzOf],
  ['zip', (entries: readonly ArchiveEntry[]) => zipOf(entries)],
] as const;

describe.each(formats)('a %s', (_, pack) => {
  test('is unpacked with its folders, run bits and links', async () => {
    const { root, unpack } = desk(
      pack([
        { name: 'bin/', type: '5' },
        agent,
        { name: './lib/data.txt', text: 'data' },
        { name: 'lib/link', type: '2', target: '../bin/agent' },
        { name: 'agent', type: '2', target: 'lib/link' },
      ]),
    );
    expect(await unpack()).toBe(path.join(root, 'bin/agent'));
    expect(readFileSync(path.join(root, 'lib/data.txt'), 'utf8')).toBe('data');
    expect([
      statSync(path.join(root, 'bin/agent')).mode & 0o777,
      statSync(path.join(root, 'lib/data.txt')).mode & 0o111,
    ]).toEqual([0o755, 0]);
    expect([readlinkSync(path.join(root, 'lib/link')), readFileSync(path.join(root, 'agent'), 'utf8')]).toEqual([
      '../bin/agent',
      program,
    ]);
  });

  test('without run bits has a program that runs, which may be a link', async () => {
    const { root, unpack } = desk(
      pack([
        { name: 'agent-1.0', text: program },
        { name: 'agent', type: '2', target: 'agent-1.0' },
      ]),
    );
    expect(await unpack('agent')).toBe(path.join(root, 'agent'));
    expect(statSync(path.join(root, 'agent-1.0')).mode & 0o777).toBe(0o755);
  });

  test.each<[string, readonly ArchiveEntry[]]>([
    ['a path above', [{ name: '../own', text: 'evil' }]],
    ['a path far above', [{ name: 'a/b/../../../own', text: 'evil' }]],
    ['an absolute path', [{ name: '/own', text: 'evil' }]],
    ['a drive', [{ name: 'C:/own', text: 'evil' }]],
    ['a folder above', [{ name: '../other/', type: '5' }]],
    ['a link above', [{ name: 'link', type: '2', target: '../own' }]],
    ['an absolute link', [{ name: 'link', type: '2', target: '/etc/passwd' }]],
    ['a link to nothing', [{ name: 'link', type: '2', target: 'gone' }]],
    [
      'links that lead out together',
      [
        { name: 'a/b/c.txt', text: 'c' },
        { name: 'a/b/up', type: '2', target: '../..' },
        { name: 'out', type: '2', target: 'a/b/up/../own' },
      ],
    ],
    [
      'a file through a link',
      [
        { name: 'dir', type: '2', target: '.' },
        { name: 'dir/file', text: 'evil' },
      ],
    ],
    [
      'a link through links that lead out together',
      [
        { name: 'a', type: '2', target: '.' },
        { name: 'up', type: '2', target: 'a/..' },
        { name: 'up/evil', type: '2', target: 'bin/agent' },
      ],
    ],
    [
      'the same in other letters',
      [
        { name: 'a', type: '2', target: '.' },
        { name: 'up', type: '2', target: 'a/..' },
        { name: 'UP/evil', type: '2', target: 'bin/agent' },
      ],
    ],
    ['a file in the place of another', [agent, { name: 'bin/agent', text: 'evil' }]],
    ['a device', [{ name: 'null', type: '3' }]],
    ['a pipe', [{ name: 'pipe', type: '6' }]],
  ])('with %s is refused, and nothing outside changes', async (_, entries) => {
    const { root, own, unpack } = desk(pack([agent, ...entries.filter((entry) => entry !== agent)]));
    const before = readdirSync(path.join(root, '..'));
    const failure = await unpack().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InstallFailure);
    expect((failure as InstallFailure).problem.kind).toBe('archive');
    expect(readFileSync(own, 'utf8')).toBe('mine');
    expect(readdirSync(path.join(root, '..'))).toEqual(before);
  });

  test('that is cut off is refused', async () => {
    const whole = pack([agent, { name: 'data', text: 'x'.repeat(100_000) }]);
    await expect(desk(whole.subarray(0, whole.length - 1_200)).unpack()).rejects.toMatchObject({
      problem: { kind: 'archive' },
    });
  });

  test('without the program is refused', async () => {
    await expect(desk(pack([agent])).unpack('bin/other')).rejects.toMatchObject({
      problem: { kind: 'noProgram', output: expect.stringContaining('bin/other') },
    });
    await expect(desk(pack([agent])).unpack('bin')).rejects.toMatchObject({ problem: { kind: 'noProgram' } });
  });

  test('is left where the user cancels', async () => {
    const source = new CancellationSource();
    source.cancel();
    await expect(desk(pack([agent])).unpack('bin/agent', source.token)).rejects.toMatchObject({
      problem: { kind: 'cancelled' },
    });
  });
});

test('hard links in a tar lead to files of it', async () => {
  const { root, unpack } = desk(tarGzOf([agent, { name: 'twin', type: '1', target: 'bin/agent' }]));
  await unpack();
  expect(lstatSync(path.join(root, 'twin')).ino).toBe(lstatSync(path.join(root, 'bin/agent')).ino);
  for (const target of ['../own', '/etc/passwd', 'bin', 'gone']) {
    await expect(desk(tarGzOf([agent, { name: 'twin', type: '1', target }])).unpack()).rejects.toMatchObject({
      problem: { kind: 'archive' },
    });
  }
});

test('a tar.bz2 is unpacked', async () => {
  const { root, unpack } = desk(tarBz2);
  expect(await unpack()).toBe(path.join(root, 'bin/agent'));
  expect(readFileSync(path.join(root, 'bin/agent'), 'utf8')).toBe(program);
  // Nothing of the work is left.
  expect(readdirSync(path.dirname(root)).toSorted()).toEqual(['download', 'own', 'root']);
  await expect(desk(tarBz2.subarray(0, 100)).unpack()).rejects.toMatchObject({ problem: { kind: 'archive' } });
  await expect(desk(`BZh9${'x'.repeat(1_000)}`).unpack()).rejects.toMatchObject({ problem: { kind: 'archive' } });
  const source = new CancellationSource();
  const unpacked = desk(tarBz2).unpack('bin/agent', source.token);
  source.cancel();
  await expect(unpacked).rejects.toMatchObject({ problem: { kind: 'cancelled' } });
});

test('a zip from Windows has no modes', async () => {
  const { root, unpack } = desk(zipOf([agent], 0));
  await unpack();
  expect(statSync(path.join(root, 'bin/agent')).mode & 0o777).toBe(0o755);
});

test.each([
  ['a script', program],
  ['a program of Linux', Buffer.from('\x7fELF…', 'latin1')],
  ['a program of Windows', 'MZ…'],
  ['a program of macOS', Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 0])],
])('%s by itself becomes the program', async (_, bytes) => {
  const { root, unpack } = desk(bytes);
  expect(await unpack('bin/agent')).toBe(path.join(root, 'bin/agent'));
  expect(readFileSync(path.join(root, 'bin/agent'))).toEqual(Buffer.from(bytes));
  expect(statSync(path.join(root, 'bin/agent')).mode & 0o777).toBe(0o755);
});

test.each([
  ['a page', '<!DOCTYPE html><title>Sign in</title>'],
  ['nothing', ''],
  ['a packed page', gzipSync('<!DOCTYPE html>')],
  ['a zip with rubbish', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(4_000, 7)])],
])('%s is refused', async (_, bytes) => {
  await expect(desk(bytes).unpack()).rejects.toMatchObject({
    problem: { kind: expect.stringMatching(/archive|noProgram/) },
  });
});
