import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OwnRuntimeOptions } from '../../src/node/ownRuntime';

/** Options of Parley's own runtimes. Without pins there is none for this machine. */
export function runtimeOptions({
  pins = { node: {}, npm: {}, uv: {} },
  address = '',
}: { readonly pins?: object; readonly address?: string } = {}): OwnRuntimeOptions {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-runtime-'));
  const file = path.join(folder, 'runtime.json');
  writeFileSync(file, JSON.stringify(pins));
  return { root: path.join(folder, 'runtime'), pins: file, address: () => address };
}
