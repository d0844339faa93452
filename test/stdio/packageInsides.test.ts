import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const isWindows = process.platform === 'win32';

/* What packages do not promise, and Parley relies on: CONTRIBUTING.md lists it with the reasons. */
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

  test('vscode-jsonrpc asks its platform only for what the build installs (partsOfJsonRpc in esbuild.mjs)', () => {
    const lib = join(root, 'node_modules/vscode-jsonrpc/lib/common');
    const files = new Set(['connection', 'cancellation', 'messages']);
    const asked = new Set<string>();
    // A set gives what is added to it while it is read, too.
    for (const file of files) {
      const source = readFileSync(join(lib, `${file}.js`), 'utf8');
      for (const [, needed = ''] of source.matchAll(/require\("\.\/(\w+)"\)/g)) files.add(needed);
      for (const [, member = ''] of source.matchAll(/ral_1\.default\)\(\)\.((?:timer\.)?\w+)/g)) asked.add(member);
    }
    expect([...asked].toSorted()).toEqual(['console', 'timer.setImmediate', 'timer.setTimeout']);
  });
});
