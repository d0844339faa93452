import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import nodePath from 'node:path';
import { asObject, numberOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';
import type { Logger } from '../../base/log';
import { isAlive } from '../../node/signals';
import { readJsonSync, replaceFileSync } from './replaceFile';

/** VS Code gives the windows of one folder the storages `<id>`, `<id>-1` … `<id>-9`, each to one living window. */
const MAX_WINDOWS = 10;
/** The folder of adopted storages until they are merged. */
const INBOX = 'adopted';

/**
 * Takes over the storage of an earlier second window of the same folder: sessions, pending changes, checkpoints,
 * attachments and drafts. It is moved as a whole before it is merged into ours, and an interrupted merge continues at
 * the next start.
 * @param storage absolute: our folder in the storage that VS Code gave to this window
 */
export function adoptStorage(storage: string, log: Logger): void {
  attempt(log, () => {
    takeOver(storage);
    const found = inboxOf(storage);
    // A storage that cannot be merged stays for the next start, and does not block the others.
    const joined = found.filter((left) => attempt(log, () => join(left, storage, log)));
    if (found.length > 0 && joined.length === found.length) rmdirSync(nodePath.join(storage, INBOX));
  });
}

/** @returns whether it succeeded; the reason for a failure is logged */
function attempt(log: Logger, work: () => void | boolean): boolean {
  try {
    return work() !== false;
  } catch (error) {
    log.error(`What another window of this folder left could not be taken over: ${String(error)}`);
    return false;
  }
}

/** Moves the storages of ended windows into ours. */
function takeOver(storage: string): void {
  const [own, ours] = [nodePath.dirname(storage), nodePath.basename(storage)];
  const first = existsSync(own.replace(/-\d$/, '')) ? own.replace(/-\d$/, '') : own;
  for (let n = 0; n < MAX_WINDOWS; n++) {
    const other = n === 0 ? first : `${first}-${n}`;
    const left = nodePath.join(other, ours);
    if (other === own || !existsSync(left) || isInUse(nodePath.join(other, 'vscode.lock'))) continue;
    const inbox = nodePath.join(storage, INBOX);
    mkdirSync(inbox, { recursive: true });
    renameSync(left, nodePath.join(inbox, randomUUID()));
  }
}

function inboxOf(storage: string): string[] {
  const inbox = nodePath.join(storage, INBOX);
  return existsSync(inbox) ? readdirSync(inbox).map((name) => nodePath.join(inbox, name)) : [];
}

/** Reads VS Code's lock: a living window has one, unless it wrote a time at which it gives the lock back. */
function isInUse(lock: string): boolean {
  const { pid, willReleaseAt } = asObject(readJsonSync(lock));
  const until = numberOf(willReleaseAt) ?? 0;
  return typeof pid === 'number' && isAlive(pid) && (until === 0 || until > Date.now());
}

/**
 * Moves contents before the indexes that name them: after an interruption, no index names missing content.
 * @returns false if something is left for the next start
 */
function join(from: string, to: string, log: Logger): boolean {
  // That window had itself adopted these, and could not merge them any more.
  const inner = inboxOf(from).filter((left) => !join(left, to, log));
  const folders = ['contents', 'threads', 'checkpoints', 'attachments', 'before', 'review', 'opaque'];
  const failed = folders.filter((folder) => !moveMissing(nodePath.join(from, folder), nodePath.join(to, folder), log));
  if (inner.length > 0 || failed.length > 0) return false;
  for (const index of ['review/index.json', 'opaque/index.json'])
    joinJson(nodePath.join(from, index), nodePath.join(to, index), joinRows);
  for (const state of ['state.json', 'permissions.json'])
    joinJson(nodePath.join(from, state), nodePath.join(to, state), joinValues);
  rmSync(from, { recursive: true, force: true });
  return true;
}

/**
 * Moves missing files. Names are ids and digests: the same name means the same content. Indexes are merged.
 * @returns whether all missing files were moved
 */
function moveMissing(from: string, to: string, log: Logger): boolean {
  // A file in place of a folder is not ours.
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return true;
  mkdirSync(to, { recursive: true });
  const missing = readdirSync(from).filter(
    (name) => !existsSync(nodePath.join(to, name)) && !name.startsWith('index.json'),
  );
  return (
    missing.filter((name) => !attempt(log, () => void renameSync(nodePath.join(from, name), nodePath.join(to, name))))
      .length === 0
  );
}

function joinJson(from: string, to: string, both: (ours: unknown, theirs: unknown) => unknown): void {
  const theirs = readJsonSync(from);
  if (theirs === undefined) return;
  replaceFileSync(to, JSON.stringify(both(readJsonSync(to) ?? {}, theirs)));
}

/** Merges values by key, ours win; lists are joined, ours last. @param nameOf the same for items that are one */
function joined(nameOf: (item: unknown) => unknown): (ours: unknown, theirs: unknown) => JsonObject {
  return (ours, theirs) => {
    const both = { ...asObject(theirs), ...asObject(ours) };
    for (const [key, own] of Object.entries(both)) {
      const other = asObject(theirs)[key];
      if (!Array.isArray(own) || !Array.isArray(other) || own === other) continue;
      const names = new Set(own.map((item) => JSON.stringify(nameOf(item))));
      both[key] = [
        ...(other as unknown[]).filter((item) => !names.has(JSON.stringify(nameOf(item)))),
        ...(own as unknown[]),
      ];
    }
    return both;
  };
}

/**
 * The last item of a row is its value. The other items identify it; for a text file's bytes, so does the digest of the
 * text.
 */
const joinRows = joined((row) =>
  Array.isArray(row) ? [...(row as unknown[]).slice(0, -1), asObject((row as unknown[]).at(-1))['digest']] : row,
);
const joinValues = joined((value) => value);
