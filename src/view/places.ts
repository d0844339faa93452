import type { ToolCall } from '../thread/thread';
import { pathOfAddress } from '../base/fileAddress';
import { isAbsolutePath, resolvePath } from './labels';

/** A place that an agent names, made absolute. */
export interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  readonly endLine?: number;
  /** Nothing can be opened there: a pattern, or a path of another system. */
  readonly isNoFile?: true;
}

/**
 * The places that a location of a call names. Some agents put a range of lines behind the path, or several paths into
 * one, or an address or a pattern. @param cwd the session's folder, "" when there is none
 */
export function placesOf({ path, line }: ToolCall['locations'][number], cwd: string): Place[] {
  const pieces = path.split(/;\s*|,\s+|\r?\n/).filter((piece) => piece.trim() !== '');
  const isList = pieces.length > 1 && pieces.every((piece) => /[\\/]/.test(piece));
  return (isList ? pieces : [path]).map((piece) =>
    placeOf(piece.trim() === '' ? piece : piece.trim(), line ?? undefined, cwd),
  );
}

/**
 * `a.ts(12,3)`, as compilers write it, and `a.ts [1-20]`: only behind a file's extension, because a name may end so.
 */
const bracketed = /(\.\w{1,10}) ?(?:\((\d{1,7})(?:[,:] ?\d{1,7})?\)|\[(\d{1,7}) ?(?:-|–|,|to) ?(\d{1,7})\])$/;
/** `a.ts line 3`, `a.ts (lines 3-9)` */
const worded = /(?<!\s)\s+\(?lines?:? (\d{1,7})(?:\s*(?:-|–|to)\s*(\d{1,7}))?\)?$/i;

function placeOf(quoted: string, line: number | undefined, cwd: string): Place {
  const written = quoted
    .replace(/^(["'`])(.+)\1$/, '$2')
    .replace(worded, (_all, from: string, to: string | undefined) => `:${from}${to === undefined ? '' : `-${to}`}`)
    .replace(
      bracketed,
      (_all, ending: string, at: string | undefined, from: string | undefined, to: string) =>
        `${ending}:${at ?? `${from}-${to}`}`,
    )
    .replace(/(\.\w{1,10}):$/, '$1');
  const [, before, from, to] =
    /^(.+?)(?::L?|#L?)(\d{1,7})(?:[:C]\d{1,7})?(?:(?:[-–]|\.\.)L?(\d{1,7})(?:[:C]\d{1,7})?)?$/i.exec(written) ?? [];
  const named = pathOfAddress(before ?? written);
  // Only the host knows the user's folder.
  const path = /^~[\\/]/.test(named) ? named : resolvePath(named, cwd);
  const first = line || Number(from) || undefined;
  const isForeign = cwd !== '' && isAbsolutePath(path) && isWindows(path) !== isWindows(cwd);
  return {
    path,
    ...(first === undefined ? {} : { line: first }),
    ...(to === undefined || line ? {} : { endLine: Number(to) }),
    ...(isForeign || /^[a-z][a-z\d+.-]+:\/\//i.test(named) || /[*?\n]/.test(path) || /\{[^{},]*,[^{}]*\}/.test(path)
      ? { isNoFile: true as const }
      : {}),
  };
}

function isWindows(path: string): boolean {
  return /^(?:[a-z]:|\\\\)/i.test(path);
}
