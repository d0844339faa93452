import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { archivePackages } from '../../../../src/node/archivePackages';
import { AgentStore } from '../../../../src/node/agentStore';
import { installPackage } from '../../../../src/node/installPackage';
import { archivePackage } from '../../../../src/registry/packageNames';
import { tarGzOf } from '../../../fakes/archives';
import { startFileServer } from '../../../fakes/fileServer';

/* A disk that is full while Parley downloads or unpacks: the system's error at the call that writes. */

const disk = vi.hoisted(() => ({ full: '' as '' | 'download' | 'unpack' | 'record' }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const full = (what: string) => {
    if (disk.full === what)
      throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
  };
  const open: typeof real.open = async (file, ...rest) => {
    const handle = await real.open(file, ...rest);
    const [append, write] = [handle.appendFile.bind(handle), handle.writeFile.bind(handle)];
    handle.appendFile = async (chunk, options) => {
      const part = disk.full === 'download' ? (chunk as Uint8Array).subarray(0, 10) : chunk;
      await append(part, options);
      full('download');
    };
    handle.writeFile = async (data, options) => {
      full('unpack');
      await write(data, options);
    };
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      if (String(file).includes('current.json')) full('record');
      await sync();
    };
    return handle;
  };
  return { ...real, open };
});
beforeEach(() => (disk.full = ''));

const archive = tarGzOf([{ name: 'bin/program', text: 'x'.repeat(100), mode: 0o755 }]);
const sha256 = createHash('sha256').update(archive).digest('hex');

async function desk() {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-full-'));
  const ranges: (string | undefined)[] = [];
  const files = await startFileServer({
    'a.tgz': (request, response) => {
      const { range } = request.headers;
      ranges.push(range);
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      response.writeHead(range === undefined ? 200 : 206, { 'content-length': archive.length - from });
      response.end(archive.subarray(from));
    },
  });
  onTestFinished(async () => {
    await files.close();
    rmSync(root, { recursive: true, force: true });
  });
  const store = new AgentStore(root);
  const item = archivePackage('a', 'A', '1.0.0', 'bin/program', { address: `${files.url}a.tgz`, sha256 });
  const install = () =>
    installPackage({
      package: item,
      store,
      manager: archivePackages(''),
      token: neverCancelled,
      tree: { mark: () => ({}) } as never,
      onProgress: () => undefined,
      mayRunScript: () => Promise.resolve(false),
    });
  return { root, store, item, install, ranges };
}

test.each(['download', 'unpack'] as const)('a full disk at the %s leaves no half, and goes on later', async (at) => {
  const { root, store, item, install, ranges } = await desk();
  disk.full = at;
  await expect(install()).rejects.toMatchObject({ problem: { kind: 'disk', code: 'ENOSPC' } });
  expect(await store.isInstalled(item)).toBe(false);
  expect([readdirSync(path.join(root, '.staging')), existsSync(store.folderOf(item))]).toEqual([[], false]);
  disk.full = '';
  await install();
  expect(await store.isInstalled(item)).toBe(true);
  // A download goes on where it stopped, and a complete one is not repeated.
  expect(ranges).toEqual(at === 'download' ? [undefined, 'bytes=10-'] : [undefined]);
  expect(readdirSync(path.join(root, '.partial'))).toEqual([]);
});

test('a full disk at the choice of a version leaves the former choice and no half', async () => {
  const { root, store, item, install } = await desk();
  await install();
  await store.choose(item);
  disk.full = 'record';
  await expect(store.choose({ ...item, version: '2.0.0' })).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await store.record(item.key)).toEqual({ current: '1.0.0' });
  expect(readdirSync(path.join(root, item.key)).toSorted()).toEqual(['1.0.0', 'current.json']);
});
