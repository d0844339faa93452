import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../src/base/cancellation';
import { fetchIcon, fetchIndex, IndexCache, type StoredIndex } from '../../../src/node/indexCache';
import { webAddress } from '../../../src/node/webRequest';
import { type Answer, startFileServer } from '../../fakes/fileServer';

const token = neverCancelled;

function cacheIn(text?: string): { readonly cache: IndexCache; readonly folder: string } {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'registry'));
  if (text !== undefined) writeFileSync(path.join(folder, 'registry/index.json'), text);
  return { cache: new IndexCache(path.join(folder, 'registry/index.json')), folder };
}

async function serve(answer: Answer) {
  const server = await startFileServer({ 'index.json': answer });
  onTestFinished(() => server.close());
  return { server, address: new URL(`${server.url}index.json`) };
}

describe('the stored index', () => {
  const stored: StoredIndex = { address: 'https://a.example/', etag: '"1"', checkedAt: 5, text: '{}' };

  test('is read as it was written, for its own address', async () => {
    const { cache, folder } = cacheIn();
    expect(await cache.read(stored.address)).toBeUndefined();
    await cache.write(stored);
    expect(await cache.read(stored.address)).toEqual(stored);
    expect(await cache.read('https://mirror.example/')).toBeUndefined();
    expect(readdirSync(path.join(folder, 'registry'))).toEqual(['index.json']);
  });

  test.each(['', '{"address":"https://a.ex', '[]', 'null', '{"address":"https://a.example/","text":7,"checkedAt":1}'])(
    'that holds %j is broken, and the next write repairs it',
    async (text) => {
      const { cache } = cacheIn(text);
      expect(await cache.read(stored.address)).toBe('broken');
      await cache.write(stored);
      expect(await cache.read(stored.address)).toEqual(stored);
    },
  );
});

describe('the index', () => {
  test('is downloaded once, and asked about after that', async () => {
    const { server, address } = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end('{"agents":[]}');
    });
    const first = await fetchIndex(address, undefined, 1, { token });
    expect(first).toEqual({ address: address.href, etag: '"1"', checkedAt: 1, text: '{"agents":[]}' });
    expect(await fetchIndex(address, first, 2, { token })).toEqual({ ...first, checkedAt: 2 });
    expect(server.asked).toEqual([{ path: 'index.json' }, { path: 'index.json', etag: '"1"' }]);
  });

  test.each<[string, Answer, object]>([
    ['a server with a problem', (_, response) => response.writeHead(503).end(), { trouble: 'status', status: 503 }],
    ['a refusal', (_, response) => response.writeHead(403).end(), { trouble: 'status', status: 403 }],
    ['a 304 that nobody asked for', (_, response) => response.writeHead(304).end(), { trouble: 'status', status: 304 }],
    [
      'a connection that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('{', () => response.destroy());
      },
      { trouble: 'cutOff' },
    ],
    ['a server that hangs up', (request) => void request.socket.destroy(), { trouble: 'network' }],
    [
      'an answer without end',
      (_, response) => {
        response.writeHead(200);
        const more = () => {
          while (response.write('x'.repeat(1024 * 1024)));
          response.once('drain', more);
        };
        more();
      },
      { trouble: 'tooLarge' },
    ],
    ['a server that says nothing', () => undefined, { trouble: 'timeout' }],
    [
      'a server that stops in the middle',
      (_, response) => void response.writeHead(200).write('{'),
      { trouble: 'timeout' },
    ],
  ])('is not had from %s', async (_, answer, expected) => {
    const { address } = await serve(answer);
    // A server that says nothing fails after the test's patience, all others long before.
    const idleMs = expected && 'trouble' in expected && expected.trouble === 'timeout' ? 50 : 10_000;
    await expect(fetchIndex(address, undefined, 1, { token, idleMs })).rejects.toMatchObject({
      problem: { kind: 'download', host: address.host, ...expected },
    });
  });

  test('is not had where there is no server', async () => {
    const { server, address } = await serve('');
    await server.close();
    await expect(fetchIndex(address, undefined, 1, { token })).rejects.toMatchObject({
      problem: { kind: 'download', trouble: 'network', output: 'ECONNREFUSED' },
    });
  });

  test('is left when the user closes the gallery', async () => {
    const source = new CancellationSource();
    const { address } = await serve(() => source.cancel());
    await expect(fetchIndex(address, undefined, 1, { token: source.token })).rejects.toMatchObject({
      problem: { kind: 'cancelled' },
    });
  });

  test('comes by the fetch of the editor, which knows the proxy', async () => {
    const proxied = vi.fn<typeof fetch>(async () => new Response('{"agents":[]}', { status: 200 }));
    vi.stubGlobal('fetch', proxied);
    onTestFinished(() => void vi.unstubAllGlobals());
    await fetchIndex(new URL('https://index.example/x.json'), undefined, 1, { token });
    expect(String(proxied.mock.calls[0]![0])).toBe('https://index.example/x.json');
  });

  test('has icons of limited size', async () => {
    const { address } = await serve('x'.repeat(100_000));
    await expect(fetchIcon(address, { token })).rejects.toMatchObject({ problem: { trouble: 'tooLarge' } });
  });
});

test.each([
  ['https://a.example/x', undefined, 'https://a.example/x'],
  ['icons/a.svg', 'https://a.example/v1/registry.json', 'https://a.example/v1/icons/a.svg'],
  ['http://127.0.0.1:1/x', undefined, 'http://127.0.0.1:1/x'],
  ['http://localhost/x', 'http://127.0.0.1:1/', 'http://localhost/x'],
  ['http://[::1]/x', undefined, 'http://[::1]/x'],
  ['http://127.0.0.1:1/x', 'https://a.example/', undefined],
  ['http://a.example/x', undefined, undefined],
  ['http://127.0.0.1.a.example/x', undefined, undefined],
  ['http://a.example/x', 'http://127.0.0.1:1/', undefined],
  ['//a.example/x', 'http://127.0.0.1:1/', undefined],
  ['https://user@a.example/x', undefined, undefined],
  ['file:///etc/passwd', undefined, undefined],
  ['data:text/plain,x', undefined, undefined],
  ['javascript:alert(1)', 'https://a.example/', undefined],
  ['x', undefined, undefined],
  ['', undefined, undefined],
])('%j from %j is %j', (text, base, expected) =>
  expect(webAddress(text, base === undefined ? undefined : new URL(base))?.href).toBe(expected),
);
