import nodePath from 'node:path';
import { asObject } from '../../acp/json';
import type { Logger } from '../../base/log';
import { decodeOriginal, decodeWholeChange, type OriginalRecord, type WholeChange } from '../../changes/wholeChange';
import type { StoreFiles } from '../storage/storeFiles';

/** One change as earlier versions kept it. */
export type WholeRow = readonly [sessionId: string, path: string, change: WholeChange];

/** The index in which earlier versions kept changes without lines, beside the bytes. */
export interface WholeIndex {
  readonly changes: readonly WholeRow[];
  readonly moves: ReadonlyMap<string, string>;
  readonly originals: readonly (readonly [path: string, record: OriginalRecord])[];
}

/** @param folder of the bytes; absolute */
export function wholeIndexOf(folder: string): string {
  return nodePath.join(folder, 'index.json');
}

/** Reads the index of an earlier version. Damaged parts are left out and logged. */
export async function readWholeIndex(folder: string, files: Pick<StoreFiles, 'read'>, log: Logger): Promise<WholeIndex | undefined> {
  const text = await files.read(wholeIndexOf(folder)).catch(() => undefined);
  if (text === undefined) return undefined;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    log.warn(`Changes of binary files could not be read again: ${String(error)}`);
  }
  const list = (key: string): readonly unknown[] => {
    const value = asObject(raw)[key];
    return Array.isArray(value) ? value : [];
  };
  const changes = list('rows').flatMap((row): WholeRow[] => {
    const [sessionId, path, value] = Array.isArray(row) ? (row as unknown[]) : [];
    const change = decodeWholeChange(value);
    if (typeof sessionId === 'string' && typeof path === 'string' && change) return [[sessionId, path, change]];
    log.warn(`A change${typeof path === 'string' ? ` in ${path}` : ''} could not be read again`);
    return [];
  });
  return { changes, moves: movesIn(list('moves')), originals: originalsIn(list('originals')) };
}

/** Old paths by new paths. */
export function movesIn(list: readonly unknown[]): ReadonlyMap<string, string> {
  return new Map(list.filter((pair): pair is [string, string] => Array.isArray(pair) && pair.length === 2 && pair.every((path) => typeof path === 'string')));
}

/** The bytes of text files, the oldest first. */
export function originalsIn(list: readonly unknown[]): [path: string, record: OriginalRecord][] {
  return list.flatMap((pair): [string, OriginalRecord][] => {
    const [path, raw] = Array.isArray(pair) ? (pair as unknown[]) : [];
    const record = decodeOriginal(raw);
    return typeof path === 'string' && record ? [[path, record]] : [];
  });
}
