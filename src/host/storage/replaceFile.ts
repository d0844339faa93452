import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';

/**
 * Replaces a file in one step, and makes its folder if need be: whoever reads it finds what it held before or what it
 * holds after.
 * @param fresh where the content is written first: another name where somebody may be writing the same file
 */
export function replaceFileSync(file: string, content: string | Uint8Array, fresh = `${file}.new`): void {
  mkdirSync(nodePath.dirname(file), { recursive: true });
  writeFileSync(fresh, content);
  renameSync(fresh, file);
}

/** A JSON value; undefined where there is none, or none that can be read. */
export function readJsonSync(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
