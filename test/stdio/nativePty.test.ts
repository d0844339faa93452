import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPtyBackend } from '../../src/node/pty';

const root = join(import.meta.dirname, '../..');
const isWindows = process.platform === 'win32';

describe('a native module that is damaged or missing', () => {
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

  it('may be left out of the package: then nothing is tried, and the log says it in one line', async () => {
    expect(await loadPtyBackend(folder, load)).toMatchObject({
      isPty: false,
      problem: `this package of Parley has none for ${process.platform}-${process.arch}`,
    });
    expect(isLoadedHere).toBe(false);
  });

  it('is loaded where it is whole', async () => {
    expect(await loadPtyBackend(root, load)).toMatchObject({ isPty: true });
    expect(isLoadedHere).toBe(true);
  });
});
