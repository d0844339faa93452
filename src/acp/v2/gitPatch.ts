/** The part of a git patch that is about one file. Paths are as the patch spells them, without `a/` and `b/`. */
export interface FilePatch {
  readonly oldPath: string;
  readonly newPath: string;
  /** The file's lines of the patch. */
  readonly text: string;
}

/** Longer lines are not read for a file name. Characters. */
const maxLine = 4_096;

/** Splits a patch in git's format into its files. Lenient: skips parts that name no file, and never throws. */
export function splitGitPatch(patch: string): readonly FilePatch[] {
  // A patch of one file may come without git's own first line.
  const begin = /^diff --git /m.test(patch) ? /^(?=diff --git )/m : /^(?=--- .*\n\+\+\+ )/m;
  return patch.split(begin).flatMap((text) => {
    const hunks = text.search(/^@@ /m);
    const head = (hunks < 0 ? text : text.slice(0, hunks))
      .split('\n')
      .filter((line) => line.length <= maxLine)
      .join('\n');
    const oldPath = pathIn(head, /^(?:--- |rename from |copy from )(.*)$/m);
    const newPath = pathIn(head, /^(?:\+\+\+ |rename to |copy to )(.*)$/m);
    // For binary or empty content, only the first line has the name, twice.
    const both = oldPath ?? newPath ?? nameGivenTwice(head);
    return both === undefined ? [] : [{ oldPath: oldPath ?? both, newPath: newPath ?? both, text }];
  });
}

/** Finds the part of a patch for a file by the end of its absolute path; a single part matches a single file. */
export class PatchParts {
  readonly #byName = new Map<string, FilePatch[]>();
  #looks = 0;

  constructor(private readonly parts: readonly FilePatch[]) {
    for (const part of parts) {
      for (const name of new Set([lastName(part.newPath), lastName(part.oldPath)])) {
        const same = this.#byName.get(name);
        if (!same) this.#byName.set(name, [part]);
        else if (same.length < maxSameName) same.push(part);
      }
    }
  }

  /** @param oldPath the earlier path of a file that was moved or copied. */
  of(path: string, oldPath: string | undefined, isOnly: boolean): string | undefined {
    const found = this.#find(path, ({ newPath }) => newPath) ?? this.#find(oldPath ?? path, (part) => part.oldPath);
    return (found ?? (isOnly && this.parts.length === 1 ? this.parts[0] : undefined))?.text;
  }

  #find(path: string, nameOf: (part: FilePatch) => string): FilePatch | undefined {
    const same = this.#byName.get(lastName(path)) ?? [];
    if (same.length === 0 || this.#looks > maxLooks) return undefined;
    this.#looks += same.length;
    const whole = path.replaceAll('\\', '/');
    return same.find((part) => endsWith(whole, nameOf(part)));
  }
}

/** Limits of the search: files of one name in one patch, and comparisons for all files together. */
const maxSameName = 1_000;
const maxLooks = 2_000_000;

/** The name in `diff --git a/name b/name`. */
function nameGivenTwice(head: string): string | undefined {
  const both = /^diff --git (a\/.*)$/m.exec(head)?.[1] ?? '';
  const name = both.slice(2, (both.length - 1) / 2);
  return name !== '' && both === `a/${name} b/${name}` ? name : undefined;
}

function lastName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function endsWith(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`/${end.replace(/^\//, '')}`);
}

function pathIn(head: string, line: RegExp): string | undefined {
  const raw = line.exec(head)?.[1]?.split('\t', 1)[0]!.trim();
  if (raw === undefined || raw === '/dev/null') return undefined;
  return (raw.startsWith('"') ? unquoted(raw) : raw).replace(/^[ab]\//, '');
}

/** Decodes a quoted name: git writes the bytes of unusual letters in octal. */
function unquoted(name: string): string {
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      /^[0-7]{3}$/.test(code) ? `%${Number.parseInt(code, 8).toString(16).padStart(2, '0')}` : code,
    );
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}
