import type { CheckpointEvent, SaveReason, Version } from './checkpointLog';
import { decodeSnapshot, decodeWholeChange, isMode, isRecord } from './wholeChange';

const REASONS: readonly SaveReason[] = ['restore', 'redo', 'undo'];
const NAME = /^[\da-f]{64}(?::\d{1,6})?$/;

/** One event as it was written, undefined for anything else: the last line of a file may be cut off by a crash. */
export function decodeCheckpoint(raw: unknown): CheckpointEvent | undefined {
  if (!isRecord(raw)) return undefined;
  const { type, prompt, path, from, to, id, at } = raw;
  switch (type) {
    case 'touched': {
      const before = version(raw['before']);
      return isTime(prompt) && isText(path) && before ? { type, prompt, path, before } : undefined;
    }
    case 'wrote': {
      const { before, after } = raw;
      return isTime(prompt) && isText(path) && isDigest(before) && isDigest(after) ? { type, prompt, path, before, after } : undefined;
    }
    case 'left':
      return isText(path) && isDigest(raw['text']) ? { type, path, text: raw['text'] } : undefined;
    case 'moved':
      return isText(from) && isText(to) ? { type, from, to } : undefined;
    case 'saved': {
      const reason = REASONS.find((known) => known === raw['reason']);
      const files = Array.isArray(raw['files']) ? raw['files'].map(fileOf) : [];
      if (!isText(id) || !isTime(at) || !reason || !files.every((file) => file !== undefined)) return undefined;
      return { type, id, at, reason, files, ...(isTime(prompt) ? { prompt } : {}) };
    }
    case 'redone':
      return isText(id) ? { type, id } : undefined;
    case 'forgotten':
      return isTime(raw['upTo']) ? { type, upTo: raw['upTo'] } : undefined;
    default:
      return undefined;
  }
}

function fileOf(raw: unknown): [string, Version] | undefined {
  if (!Array.isArray(raw) || !isText(raw[0])) return undefined;
  const known = version(raw[1]);
  return known && [raw[0], known];
}

function version(raw: unknown): Version | undefined {
  if (!isRecord(raw)) return undefined;
  const { text, review, mode } = raw;
  const whole = decodeSnapshot(raw['whole']);
  const waits = decodeWholeChange(raw['waits']);
  // Bytes that cannot be read must not become a file that was not there.
  if (!isName(text) || !isName(review) || (raw['whole'] !== undefined && !whole)) return undefined;
  return { text, review, ...(whole ? { whole } : {}), ...(isMode(mode) ? { mode } : {}), ...(waits ? { waits } : {}), ...(raw['isUnknown'] === true ? { isUnknown: true } : {}) };
}

/** Names become names of files, so nothing else is let in. */
function isName(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && NAME.test(value));
}

function isDigest(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
