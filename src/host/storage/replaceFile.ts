import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import { renameFileSync } from '../../node/renameFile';

/**
 * Replaces a file in one step, and creates its folder if needed: a reader sees either the old or the new content.
 * @param fresh the temporary file: another name if another process may be writing the same file
 */
export function replaceFileSync(file: string, content: string | Uint8Array, fresh = `${file}.new`): void {
  mkdirSync(nodePath.dirname(file), { recursive: true });
  writeFileSync(fresh, content);
  renameFileSync(fresh, file);
}

/** A JSON value; undefined if it is missing or unreadable. */
export function readJsonSync(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
