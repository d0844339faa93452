import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { AttachmentStore } from '../../../../src/host/attachments/attachmentStore';
import { CheckpointStore } from '../../../../src/host/changes/stored/checkpointStore';
import { adoptStorage } from '../../../../src/host/storage/adoptStorage';
import { ContentStore } from '../../../../src/host/storage/contentStore';
import { sha256 } from '../../../../src/host/storage/contentName';
import { leftBehind } from '../../../../src/host/storage/windowStorage';
import { eachEntry } from '../../../../src/node/eachEntry';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/* What lies in Parley's folders that is not Parley's, or is in the way, costs nothing but itself. */

let root: string;
let warned: string[];
const note = (message: string) => void warned.push(message);
const log = { ...silentLogger, warn: note, error: note };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sweep-'));
  warned = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, content = 'x', age = 0): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
  const at = Date.now() / 1_000 - age;
  utimesSync(join(root, file), at, at);
}
const day = 24 * 60 * 60;

it('an entry that fails costs no other one, and one that has gone is no failure', async () => {
  const done: string[] = [];
  const fails = (code: string) => Object.assign(new Error(code), { code });
  await eachEntry(Promise.resolve(['gone', 'refused', 'thrown', 'last']), note, async (name) => {
    if (name === 'gone') throw fails('ENOENT');
    if (name === 'refused') throw fails('EACCES');
    if (name === 'thrown') throw undefined;
    done.push(name);
  });
  await eachEntry(Promise.reject(fails('ENOENT')), note, () => done.push('never'));
  await eachEntry(Promise.reject(fails('ENOTDIR')), note, () => done.push('never'));
  expect([done, warned]).toEqual([['last'], ['Error: EACCES', 'undefined', 'Error: ENOTDIR']]);
});

describe('old checkpoints are removed', () => {
  const sweep = () =>
    new CheckpointStore(join(root, 'checkpoints'), new ContentStore(join(root, 'contents'), log), log).sweep(
      Date.now(),
    );

  it.each<[string, () => void]>([
    ['a file of the system', () => put('checkpoints/.DS_Store')],
    ['a link to nowhere', () => symlinkSync(join(root, 'nowhere'), join(root, 'checkpoints', 'link'))],
    ['a folder in the place of a file', () => put('checkpoints/new/log.ndjson/x')],
    [
      'a link to nowhere among its files',
      () => (put('checkpoints/new/a'), symlinkSync(join(root, 'nowhere'), join(root, 'checkpoints', 'new', 'link'))),
    ],
  ])('beside %s', async (_, make) => {
    put('checkpoints/old/log.ndjson', 'x', 40 * day);
    put('checkpoints/young/log.ndjson', 'x', 5 * day);
    make();
    await sweep();
    expect([existsSync(join(root, 'checkpoints/old')), existsSync(join(root, 'checkpoints/young'))]).toEqual([
      false,
      true,
    ]);
  });

  it('and a file in the place of the folder is only logged', async () => {
    put('checkpoints');
    await sweep();
    expect(warned).toHaveLength(1);
  });
});

it('old attachments are removed beside what cannot be', async () => {
  const id = (n: number) => `0000000${n}-0000-0000-0000-000000000000`;
  for (const n of [1, 2]) put(`attachments/${id(n)}/attachment.json`);
  put('attachments/.DS_Store');
  utimesSync(join(root, 'attachments', id(2)), 1_000, 1_000);
  await new AttachmentStore(join(root, 'attachments'), log).sweep(Date.now(), new Set());
  expect(readdirSync(join(root, 'attachments')).sort()).toEqual(['.DS_Store', id(1)]);
});

it('stored contents are removed beside a folder with the name of one', async () => {
  const names = ['a', 'b', 'c'].map(sha256).sort();
  for (const name of names) put(`kept/${name}`);
  rmSync(join(root, 'kept', names[0]!));
  put(`kept/${names[0]!}/x`);
  await new ContentStore(join(root, 'kept'), log).sweep();
  expect([readdirSync(join(root, 'kept')), warned.length]).toEqual([[names[0]], 1]);
  await new ContentStore(join(root, 'none'), log).sweep();
});

it('a window takes over what another one left beside what cannot be moved, which waits for the next start', () => {
  put('id-1/parley.parley/threads', 'a file in the place of the folder');
  put('id-2/parley.parley/threads/s2.ndjson');
  put('id-2/parley.parley/.DS_Store');
  put('id/parley.parley/state.json', '{}');
  adoptStorage(join(root, 'id', 'parley.parley'), log);
  expect([
    readdirSync(join(root, 'id/parley.parley/threads')),
    existsSync(join(root, 'id/parley.parley/adopted')),
  ]).toEqual([['s2.ndjson'], false]);
  put('id-1/parley.parley/threads/s1.ndjson');
  put('id-1/parley.parley/checkpoints/s1/log.ndjson');
  put('id/parley.parley/checkpoints', 'a file in the way');
  adoptStorage(join(root, 'id', 'parley.parley'), log);
  expect(readdirSync(join(root, 'id/parley.parley/threads')).sort()).toEqual(['s1.ndjson', 's2.ndjson']);
  rmSync(join(root, 'id/parley.parley/checkpoints'));
  adoptStorage(join(root, 'id', 'parley.parley'), log);
  expect([
    readdirSync(join(root, 'id/parley.parley/checkpoints')),
    existsSync(join(root, 'id/parley.parley/adopted')),
  ]).toEqual([['s1'], false]);
});

it('a file in the place of the review keeps no window from starting', () => {
  put('storage/review');
  expect(leftBehind(join(root, 'storage')).isPending).toBe(true);
  expect(leftBehind(join(root, 'none')).isPending).toBe(false);
});
