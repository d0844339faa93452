import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { loadPtyBackend } from '../../src/node/pty';

const root = join(import.meta.dirname, '../..');
const isWindows = process.platform === 'win32';

describe('a native module that is damaged', () => {
  let folder: string;
  const module = () => join(folder, 'node_modules/node-pty');
  let isLoadedHere: boolean;
  const load = async () => {
    isLoadedHere = true;
    return import('node-pty');
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-pty-')));
    isLoadedHere = false;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.skipIf(isWindows)('ends the process that tries it, and commands run on pipes', async () => {
    mkdirSync(module(), { recursive: true });
    writeFileSync(join(module(), 'index.js'), "process.kill(process.pid, 'SIGBUS');\nsetInterval(() => {}, 1000);\n");
    expect(await loadPtyBackend(folder, load)).toMatchObject({
      isPty: false,
      problem: expect.stringContaining('SIGBUS') as string,
    });
    expect(isLoadedHere).toBe(false);
  });

  it.skipIf(isWindows)('may be cut off', async () => {
    cpSync(join(root, 'node_modules/node-pty'), module(), { recursive: true });
    const native = join(module(), `prebuilds/${process.platform}-${process.arch}/pty.node`);
    expect(existsSync(native)).toBe(true);
    truncateSync(native, 20_000);
    expect(await loadPtyBackend(folder, load)).toMatchObject({ isPty: false });
    expect(isLoadedHere).toBe(false);
  });

  it('is loaded where it is whole', async () => {
    expect(await loadPtyBackend(root, load)).toMatchObject({ isPty: true });
    expect(isLoadedHere).toBe(true);
  });
});

/* What these packages do not promise, and Parley relies on. After a new version of one, look at what is named here. */
describe('the insides of packages', () => {
  const require = createRequire(import.meta.url);

  test.skipIf(isWindows)(
    'node-pty has the socket and the descriptor from which the rest of the output is read (NativePty in src/node/pty.ts)',
    async () => {
      const { spawn } = await import('node-pty');
      const pty = spawn(process.execPath, ['-e', ''], { encoding: null }) as unknown as {
        _socket?: { destroy?: unknown };
        fd?: unknown;
        onExit(ended: () => void): void;
      };
      const ended = new Promise<void>((resolve) => pty.onExit(resolve));
      expect([typeof pty._socket?.destroy, typeof pty.fd]).toEqual(['function', 'number']);
      await ended;
    },
  );

  test('vscode-jsonrpc has the files that the build takes in its place (partsOfJsonRpc in esbuild.mjs)', () => {
    const lib = join(root, 'node_modules/vscode-jsonrpc/lib/common');
    const parts = {
      connection: 'createMessageConnection',
      cancellation: 'CancellationTokenSource',
      messages: 'ResponseError',
    };
    for (const [file, name] of Object.entries(parts))
      expect(typeof (require(join(lib, `${file}.js`)) as Record<string, unknown>)[name], `${file}.js: ${name}`).toBe(
        'function',
      );
    const ral = require(join(lib, 'ral.js')) as { default: { install?: unknown } };
    expect(typeof ral.default.install).toBe('function');
    // Whatever else its two entries give has to be given by the build, too.
    const whole = require('vscode-jsonrpc') as Record<string, unknown>;
    for (const [file, name] of Object.entries(parts))
      expect(whole[name]).toBe((require(join(lib, `${file}.js`)) as Record<string, unknown>)[name]);
  });
});
