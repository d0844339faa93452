import { usualPath } from '../base/fileNames';
import { joinedLines } from '../base/oneLine';

/**
 * A path for the user: relative to the session's folder if it is inside. Works on the text alone, so that POSIX and
 * Windows paths give the same on every system.
 */
export function labelOfPath(written: string, cwd: string): string {
  const path = usualPath(written);
  const normal = path.replaceAll('\\', '/');
  const base = withoutEnd(cwd.replaceAll('\\', '/'));
  const inside =
    base !== '' &&
    normal.toLowerCase().startsWith(`${base.toLowerCase()}/`) &&
    (isDrive(base) || normal.startsWith(`${base}/`));
  return inside ? normal.slice(base.length + 1) : path;
}

/** A title on one line. Some agents use a file's whole path as the title. */
export function labelOfTitle(title: string, cwd: string): string {
  const line = joinedLines(title, ' ').trim();
  for (const path of [line, `/${line}`]) {
    const label = labelOfPath(path, cwd);
    if (label !== path) return label;
  }
  return line;
}

/** Without the slashes at its end. Linear, also with many slashes elsewhere. */
function withoutEnd(path: string): string {
  return path.replace(/(?<![\\/])[\\/]+$/, '');
}

/** Only Windows drives are compared without regard to case. */
function isDrive(path: string): boolean {
  return /^[a-z]:/i.test(path);
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:[\\/]/i.test(path) || path.startsWith('\\\\');
}

/** An agent's path made absolute; some send relative ones in replays although the schema says absolute (item 101). */
export function resolvePath(path: string, cwd: string): string {
  if (isAbsolutePath(path) || cwd === '') return usualPath(path);
  const separator = cwd.includes('\\') ? '\\' : '/';
  return `${withoutEnd(cwd)}${separator}${path.replace(/^\.[\\/]/, '')}`;
}

/** The last part of a URI, decoded, for a chip. */
export function labelOfUri(uri: string): string {
  const last = withoutEnd(uri.split(/[?#]/, 1)[0]!).split('/').at(-1);
  if (!last) return uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
