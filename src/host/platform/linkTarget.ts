import * as path from 'node:path';
import { isAbsolutePath, resolvePath } from '../../view/labels';

/** The action for a link to a place on disk. Outside the workspace, the user is asked first. */
export type LinkAct = 'open' | 'reveal' | 'askToOpen' | 'askToReveal' | 'refuse';

/** Bits of `vscode.FileType`. */
const fileBit = 1;
const folderBit = 2;

/**
 * The place that a path in an agent's text names. @returns undefined for a relative one without a folder
 * @param cwd the session's folder, "" if there is none
 */
export function linkTarget(written: string, cwd: string, home: string): string | undefined {
  const fromHome = /^~[\\/]/.test(written) || written === '~' ? path.join(home, written.slice(1)) : written;
  const absolute = path.normalize(resolvePath(fromHome, cwd));
  return isAbsolutePath(absolute) ? absolute : undefined;
}

/**
 * The action for a place: a file is opened, a folder is shown. A pipe or a device is neither: reading one may never
 * end.
 * @param type a `vscode.FileType`
 */
export function linkAct(type: number, isInside: boolean): LinkAct {
  if (type & folderBit) return isInside ? 'reveal' : 'askToReveal';
  if (type & fileBit) return isInside ? 'open' : 'askToOpen';
  return 'refuse';
}

/** True if only checking a path would contact another machine. */
export function isOnNetwork(absolute: string): boolean {
  return absolute.startsWith('\\\\');
}
