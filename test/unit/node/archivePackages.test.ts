import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CancellationToken, CancellationSource, neverCancelled } from '../../../src/base/cancellation';
import { AgentStore } from '../../../src/node/agentStore';
import { archivePackages } from '../../../src/node/archivePackages';
import { InstallFailure, type InstallProblem } from '../../../src/node/installFailure';
import { installPackage } from '../../../src/node/installPackage';
import type { InstallProgress } from '../../../src/node/packageManager';
import { processTag } from '../../../src/node/processTag';
import { type AgentPackage, archivePackage } from '../../../src/registry/packageNames';
import { tarGzOf } from '../../fakes/archives';
import { type Answer, startFileServer } from '../../fakes/fileServer';

const archive = tarGzOf([{ name: 'agent', text: '#!/bin/sh\necho agent\n', mode: 0o755 }]);
const sha256 = createHash('sha256').update(archive).digest('hex');

async function desk(files: Readonly<Record<string, Answer>>) {
  const server = await startFileServer(files);
  const base = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-archive-'));
  onTestFinished(async () => {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  });
  const store = new AgentStore(path.join(base, 'store'));
  const progress: InstallProgress[] = [];
  const item = (
    fields: {
      readonly version?: string;
      readonly file?: string;
      readonly sha256?: string;
      readonly program?: string;
    } = {},
  ): AgentPackage =>
    archivePackage('my-agent', 'My Agent', fields.version ?? '1.0.0', fields.program ?? 'agent', {
      address: /^\w+:/.test(fields.file ?? '') ? fields.file! : `${server.url}${fields.file ?? 'agent.tar.gz'}`,
      ...(fields.sha256 === undefined ? {} : { sha256: fields.sha256 }),
    });
  const install = (what = item(), token: CancellationToken = neverCancelled) =>
    installPackage({
      package: what,
      store,
      manager: archivePackages(''),
      token,
      tree: { mark: processTag },
      onProgress: (step) => progress.push(step),
      mayRunScript: () => Promise.resolve(false),
    });
  const problem = (what = item(), token?: CancellationToken): Promise<InstallProblem> =>
    install(what, token).then(
      () => Promise.reject(new Error('It was installed')),
      (error: unknown) => (error instanceof InstallFailure ? error.problem : Promise.reject(error as Error)),
    );
  const staged = () => readdirSync(path.join(store.root, '.staging'));
  return { server, store, progress, item, install, problem, staged };
}

describe('an archive', () => {
  test('is downloaded with progress, checked, unpacked and put in its place', async () => {
    const { server, store, progress, item, install, staged } = await desk({ 'agent.tar.gz': archive });
    const what = item({ sha256 });
    await install(what);
    expect(progress[0]).toEqual({ step: 'download', done: 0, total: archive.length });
    expect(progress.slice(-2)).toEqual([
      { step: 'download', done: archive.length, total: archive.length },
      { step: 'unpacking' },
    ]);
    expect([await store.isInstalled(what), staged()]).toEqual([true, []]);
    const folder = store.folderOf(what);
    expect(await store.programOf(what)).toEqual({
      isScript: false,
      file: path.join(folder, 'files/agent'),
      nodeArgs: [],
      binFolder: path.join(folder, 'files'),
      engines: undefined,
    });
    // The download is not kept; what it was is.
    expect(readdirSync(folder).toSorted()).toEqual(['archive.json', 'files']);
    expect(JSON.parse(readFileSync(path.join(folder, 'archive.json'), 'utf8'))).toEqual({
      address: what.archive!.address,
      sha256,
    });
    await install(what);
    expect(server.asked).toHaveLength(1);
  });

  test('whose download was interrupted goes on where it stopped, if its checksum is known', async () => {
    const large = tarGzOf([
      { name: 'agent', text: '#!/bin/sh\necho agent\n', mode: 0o755 },
      { name: 'data', text: randomBytes(200_000).toString('hex') },
    ]);
    const half = large.length >> 1;
    const ranges: (string | undefined)[] = [];
    let cut = true;
    let hasRanges = true;
    let isDown = false;
    const { store, item, install, problem, progress, staged } = await desk({
      'agent.tar.gz': ({ headers }, response) => {
        ranges.push(headers.range);
        if (isDown) return void response.writeHead(503).end();
        const from = hasRanges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
        response.writeHead(from > 0 ? 206 : 200, { 'content-length': large.length - from });
        if (cut) response.write(large.subarray(from, half), () => response.destroy());
        else response.end(large.subarray(from));
      },
    });
    const integrity = `sha512-${createHash('sha512').update(large).digest('base64')}`;
    const address = item().archive!.address;
    const what = { ...item(), archive: { address, integrity } };
    expect(await problem(what)).toMatchObject({ trouble: 'cutOff' });
    expect([staged(), readdirSync(path.join(store.root, '.partial'))]).toEqual([[], [expect.any(String)]]);
    cut = false;
    await install(what);
    const begun = Number(/\d+/.exec(ranges[1] ?? '')?.[0]);
    expect([begun > 0, begun <= half, ranges]).toEqual([true, true, [undefined, `bytes=${begun}-`]]);
    expect(progress).toContainEqual({ step: 'download', done: begun, total: large.length });
    expect([await store.isInstalled(what), readdirSync(path.join(store.root, '.partial'))]).toEqual([true, []]);
    // Wherever it comes from, it is the same file.
    expect(await store.isInstalled({ ...what, archive: { address: 'https://mirror.invalid/x', integrity } })).toBe(
      true,
    );

    // The window may have been killed, a server may be down for a while, and a disk may be full after the download.
    const partial = path.join(store.root, '.partial');
    await store.removeAll(what.key);
    cut = true;
    await problem(what);
    const [kept] = readdirSync(partial);
    const killed = path.join(store.root, '.staging/999999999~0~archive+my-agent~1.0.0');
    mkdirSync(killed, { recursive: true });
    renameSync(path.join(partial, kept!), path.join(killed, kept!));
    cut = false;
    isDown = true;
    expect(await problem(what)).toMatchObject({ trouble: 'status', status: 503 });
    isDown = false;
    await install(what);
    expect(ranges.slice(-2)).toEqual([expect.stringMatching(/^bytes=[1-9]/), expect.stringMatching(/^bytes=[1-9]/)]);
    await store.removeAll(what.key);
    mkdirSync(partial, { recursive: true });
    writeFileSync(path.join(partial, kept!), large);
    const before = ranges.length;
    await install(what);
    expect([ranges.length - before, await store.isInstalled(what)]).toEqual([0, true]);

    // A server may know no ranges, and the beginning may be of another file.
    await store.removeAll(what.key);
    cut = true;
    await problem(what);
    [cut, hasRanges] = [false, false];
    await install(what);
    await store.removeAll(what.key);
    [cut, hasRanges] = [true, true];
    await problem(what);
    const [name] = readdirSync(path.join(store.root, '.partial'));
    writeFileSync(path.join(store.root, '.partial', name!), 'other');
    cut = false;
    expect(await problem(what)).toMatchObject({ trouble: 'checksum' });
    expect(readdirSync(path.join(store.root, '.partial'))).toEqual([]);
    await install(what);
    expect(await store.isInstalled(what)).toBe(true);
  });

  test('of another address or checksum takes the place of one with the same version', async () => {
    const other = tarGzOf([{ name: 'agent', text: '#!/bin/sh\necho other\n', mode: 0o755 }]);
    const { store, item, install } = await desk({ 'agent.tar.gz': archive, 'other.tar.gz': other });
    await install();
    expect(await store.isInstalled(item({ sha256 }))).toBe(true);
    expect(await store.isInstalled(item({ sha256: 'a'.repeat(64) }))).toBe(false);
    const what = item({ file: 'other.tar.gz' });
    expect(await store.isInstalled(what)).toBe(false);
    await install(what);
    expect(readFileSync((await store.programOf(what)).file, 'utf8')).toMatch(/other/);
  });

  test.each<[string, Answer | undefined, object]>([
    ['is missing', undefined, { trouble: 'status', status: 404 }],
    ['cannot be had', (_, response) => response.writeHead(500).end('no'), { trouble: 'status', status: 500 }],
    [
      'is cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100_000 });
        response.write('x'.repeat(50_000), () => response.destroy());
      },
      { trouble: 'cutOff' },
    ],
    [
      'is announced as huge',
      (_, response) => response.writeHead(200, { 'content-length': 2 * 1024 ** 3 }).end(),
      { trouble: 'tooLarge' },
    ],
    [
      'leads in a circle',
      (_, response) => response.writeHead(302, { location: '/agent.tar.gz' }).end(),
      { trouble: 'redirect' },
    ],
    [
      'leads to itself by detours',
      (request, response) => response.writeHead(302, { location: `/agent.tar.gz?${Math.random()}` }).end(request.url),
      { trouble: 'status', status: 404 },
    ],
    [
      'leads to a file of the disk',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      { trouble: 'redirect' },
    ],
    [
      'leads to another machine without https',
      (_, response) => response.writeHead(302, { location: 'http://files.example/a' }).end(),
      { trouble: 'redirect' },
    ],
    ['leads nowhere', (_, response) => response.writeHead(301).end(), { trouble: 'redirect' }],
  ])('that %s says so and leaves nothing', async (_, answer, expected) => {
    const { store, item, problem, staged } = await desk(answer === undefined ? {} : { 'agent.tar.gz': answer });
    expect(await problem()).toMatchObject({ kind: 'download', ...expected });
    expect([await store.isInstalled(item()), staged()]).toEqual([false, []]);
  });

  test('with another checksum is not unpacked', async () => {
    const { problem, progress, item, staged } = await desk({ 'agent.tar.gz': archive });
    expect(await problem(item({ sha256: 'a'.repeat(64) }))).toMatchObject({
      kind: 'download',
      trouble: 'checksum',
      output: sha256,
    });
    expect([progress.some(({ step }) => step === 'unpacking'), staged()]).toEqual([false, []]);
  });

  test('that is hostile leaves nothing', async () => {
    const { problem, staged } = await desk({ 'agent.tar.gz': tarGzOf([{ name: '../../evil', text: 'x' }]) });
    expect(await problem()).toMatchObject({ kind: 'archive' });
    expect(staged()).toEqual([]);
  });

  test('follows a redirect', async () => {
    const { server, install } = await desk({
      'agent.tar.gz': (_, response) => response.writeHead(302, { location: 'real' }).end(),
      real: archive,
    });
    await install();
    expect(server.asked.map(({ path: name }) => name)).toEqual(['agent.tar.gz', 'real']);
  });

  test('is left in the middle when the user cancels', async () => {
    const source = new CancellationSource();
    const { problem, item, staged, store } = await desk({
      'agent.tar.gz': (_, response) => {
        response.writeHead(200, { 'content-length': 100_000 });
        response.write('x'.repeat(10_000), () => source.cancel());
      },
    });
    expect(await problem(item(), source.token)).toEqual({ kind: 'cancelled' });
    expect([await store.isInstalled(item()), staged()]).toEqual([false, []]);
  });

  test.each([
    'http://files.example/a.zip',
    'ftp://files.example/a.zip',
    'file:///etc/passwd',
    'https://user:secret@files.example/a.zip',
  ])('from %s is not even asked for', async (file) => {
    const { problem, item } = await desk({});
    expect(await problem(item({ file }))).toMatchObject({ kind: 'download', trouble: 'address' });
  });
});

describe('versions', () => {
  test('the one to go back to is the last that has answered', async () => {
    const { store, item, install } = await desk({ 'agent.tar.gz': archive });
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'].map((version) => item({ version }));
    const [first, second, third, fourth] = versions as [AgentPackage, AgentPackage, AgentPackage, AgentPackage];
    await install(first);
    expect(await store.choose(first)).toEqual({ current: '1.0.0' });
    await store.worked(first);
    await install(second);
    expect(await store.choose(second)).toEqual({ current: '1.1.0', previous: '1.0.0', working: '1.0.0' });
    // The second version never answered, so it is not worth going back to.
    await install(third);
    expect(await store.choose(third)).toEqual({ current: '1.2.0', previous: '1.0.0', working: '1.0.0' });
    await store.worked(third);
    await store.worked(second);
    await install(fourth);
    expect(await store.choose(fourth)).toEqual({ current: '1.3.0', previous: '1.2.0', working: '1.2.0' });
    expect(await store.choose(third)).toEqual({ current: '1.2.0', working: '1.2.0' });
    expect(await Promise.all(versions.map((version) => store.isInstalled(version)))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('are removed with all their files', async () => {
    const { store, item, install } = await desk({ 'agent.tar.gz': archive });
    for (const version of ['1.0.0', '1.1.0']) {
      await install(item({ version }));
      await store.choose(item({ version }));
    }
    await store.removeAll(item().key);
    expect([existsSync(path.join(store.root, item().key)), await store.record(item().key)]).toEqual([false, undefined]);
    await store.removeAll('archive+never');
  });

  test('an installation whose files are gone is none', async () => {
    const { store, item, install } = await desk({ 'agent.tar.gz': archive });
    await install();
    rmSync((await store.programOf(item())).file);
    expect(await store.isInstalled(item())).toBe(false);
    writeFileSync(path.join(store.folderOf(item()), 'archive.json'), 'half of it');
    expect(await store.isInstalled(item())).toBe(false);
    await install();
    expect(await store.isInstalled(item())).toBe(true);
  });
});
