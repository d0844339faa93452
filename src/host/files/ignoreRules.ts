import nodePath from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ignoresCase } from './pathPolicy';

export interface IgnoreSources {
  /** Absolute folder of the rules. */
  readonly root: string;
  /** Enabled globs of `files.watcherExclude`. */
  readonly excluded: readonly string[];
  /** Reads the text of a file, undefined if there is none. Called once for each relevant `.gitignore`. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Whether a folder is the top of a repository, and its ignore rules besides `.gitignore`. Absent: only `root` is. */
  readonly repositoryAt?: (folder: string) => Promise<{ readonly exclude: string | undefined } | undefined>;
  /** Whether a file or folder is protected: its changes must be seen whatever git ignores. */
  readonly isGuarded?: (path: string) => boolean;
}

/** Characters of all rules together; further rules are ignored. */
const MAX_RULES = 1_000_000;
/** No person writes more patterns in one file. */
const MAX_PATTERNS = 2_000;
const MAX_LENGTH = 500;
/** Each star multiplies the time to match a name. */
const MAX_STARS = 3;
const MAX_DOUBLE_STARS = 3;

/** `guarded`: ignored by git or the settings, but seen because it is protected. */
type FolderState = 'seen' | 'guarded' | 'ignored';

/**
 * Git's own files that determine which programs it runs; the others change with every command. A file with `.sample` at
 * the end never runs.
 */
const gitRuns = /^(?:config(?:\.worktree)?|info\/attributes|hooks\/.+(?<!\.sample))$/;

/**
 * Whether the user would not review a file: `.gitignore` at any level, `info/exclude` and `files.watcherExclude`
 * exclude it, or it is git's own; protected files are never excluded. Folders are decided once, so that 10,000 files
 * below an ignored one cost only 10,000 look-ups. `learn` reads the rules for a path; unread rules do not apply. Create
 * a new one for each turn.
 */
export class IgnoreRules {
  readonly #folders = new Map<string, FolderState>();
  readonly #rules = new Map<string, Ignore | undefined>();
  /** Tops of inner repositories: the rules above do not apply to them. */
  readonly #tops = new Set<string>();
  #room = MAX_RULES;
  /** Folders whose rules are being read. */
  readonly #learning = new Map<string, Promise<void>>();
  readonly #excluded: Ignore | undefined;
  /** The root with a final separator. */
  readonly #above: string;

  constructor(private readonly sources: IgnoreSources) {
    this.#above = sources.root + nodePath.sep;
    if (sources.excluded.length > 0)
      this.#excluded = ignore({ allowRelativePaths: true, ignorecase: ignoresCase() }).add(
        sources.excluded
          .slice(0, MAX_PATTERNS)
          .flatMap((glob) => patternsOf(glob, sources.root))
          .filter(isCheap),
      );
  }

  /** @param path absolute, in the root. */
  isIgnored(path: string): boolean {
    return this.#stateOf(path) === 'ignored';
  }

  /** Whether a file is seen only because it is protected: git knows nothing of it. */
  isOnlyGuarded(path: string): boolean {
    return this.#stateOf(path) === 'guarded';
  }

  /** Reads the rules that are needed for a path. @returns undefined if they are known already. */
  learn(path: string): Promise<void> | undefined {
    const relative = this.#relative(path);
    if (relative === '' || isOutside(relative)) return undefined;
    const git = gitFolder.exec(relative);
    return this.#learnFolder(git ? (git[1] ?? '') : parentOf(relative));
  }

  #learnFolder(folder: string): Promise<void> | undefined {
    if (this.#isKnown(folder)) return undefined;
    const under = this.#learning.get(folder) ?? this.#readFolder(folder).finally(() => this.#learning.delete(folder));
    this.#learning.set(folder, under);
    return under;
  }

  #isKnown(folder: string): boolean {
    if (folder === '') return this.#rules.has('');
    const state = this.#folders.get(folder) ?? this.#inherited(folder);
    return state !== undefined && (state !== 'seen' || this.#rules.has(folder));
  }

  /** Everything below an ignored folder is ignored. */
  #inherited(folder: string): FolderState | undefined {
    const parent = parentOf(folder);
    const above = parent === '' ? 'seen' : (this.#folders.get(parent) ?? this.#inherited(parent));
    if (above === undefined || above === 'seen') return undefined;
    this.#folders.set(folder, above);
    return above;
  }

  async #readFolder(folder: string): Promise<void> {
    if (folder !== '') {
      await this.#learnFolder(parentOf(folder));
      if (this.#inherited(folder) !== undefined) return;
      const state = this.#decided(folder, true);
      // A Python virtual environment may be called `.env`; nobody reviews the files installed there.
      const isInstalled =
        state === 'guarded' &&
        (await this.sources.read(nodePath.join(this.sources.root, folder, 'pyvenv.cfg'))) !== undefined;
      this.#folders.set(folder, isInstalled ? 'ignored' : state);
      if (state !== 'seen') return;
    }
    const { root, read, repositoryAt } = this.sources;
    const exclude = async () => {
      if (!repositoryAt) return folder === '' ? read(nodePath.join(root, '.git/info/exclude')) : undefined;
      const repository = await repositoryAt(nodePath.join(root, folder));
      if (repository && folder !== '') this.#tops.add(folder);
      return repository?.exclude;
    };
    const texts = await Promise.all([exclude(), read(nodePath.join(root, folder, '.gitignore'))]);
    const found = texts.filter((text) => text !== undefined && (this.#room -= text.length) > 0);
    this.#rules.set(folder, found.length > 0 ? ignorePatterns(found.join('\n')) : undefined);
  }

  #relative(path: string): string {
    // Called for each of many thousand files, nearly all of them simply in the root.
    const relative =
      path.startsWith(this.#above) && !path.includes('..')
        ? path.slice(this.#above.length)
        : nodePath.relative(this.sources.root, path);
    return nodePath.sep === '/' ? relative : relative.split(nodePath.sep).join('/');
  }

  #stateOf(path: string): FolderState {
    const relative = this.#relative(path);
    if (relative === '') return 'seen';
    if (isOutside(relative)) return 'ignored';
    const git = gitFolder.exec(relative);
    if (git)
      return git[2] !== undefined &&
        gitRuns.test(git[2]) &&
        this.#folderState(git[1] ?? '') !== 'ignored' &&
        this.#isGuarded(relative)
        ? 'guarded'
        : 'ignored';
    const folder = this.#folderState(parentOf(relative));
    return folder === 'seen' ? this.#decided(relative, false) : folder;
  }

  #folderState(folder: string): FolderState {
    if (folder === '') return 'seen';
    const known = this.#folders.get(folder) ?? this.#inherited(folder);
    if (known !== undefined) return known;
    const above = this.#folderState(parentOf(folder));
    return above === 'seen' ? this.#decided(folder, true) : above;
  }

  /** A protected name in a wholly ignored folder (`node_modules`) is one of many; a protected folder is seen. */
  #decided(path: string, isFolder: boolean): FolderState {
    if (!this.#decide(path, isFolder)) return 'seen';
    return this.#isGuarded(path) ? 'guarded' : 'ignored';
  }

  #isGuarded(relative: string): boolean {
    return this.sources.isGuarded?.(nodePath.join(this.sources.root, relative)) === true;
  }

  /** The nearest `.gitignore` with a matching rule decides. The folders above are not ignored here. */
  #decide(path: string, isFolder: boolean): boolean {
    // Git marks a folder by a final slash; a glob means everything inside it.
    const excluded = this.#excluded;
    if (
      excluded &&
      (excluded.ignores(path) || (isFolder && excluded.ignores(`${path}/a`) && excluded.ignores(`${path}/a/b`)))
    )
      return true;
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = end < 0 ? '' : path.slice(0, end);
      const { ignored, unignored } = this.#rules
        .get(folder)
        ?.test(path.slice(folder === '' ? 0 : folder.length + 1) + (isFolder ? '/' : '')) ?? {
        ignored: false,
        unignored: false,
      };
      if (ignored || unignored) return ignored;
      if (end < 0 || this.#tops.has(folder)) return false;
    }
  }
}

/** A path in git's own folder: the folder around it, and the path inside. */
const gitFolder = /^(?:(.*)\/)?\.git(?:\/(.*))?$/i;

function parentOf(relative: string): string {
  return relative.slice(0, Math.max(0, relative.lastIndexOf('/')));
}

function isOutside(relative: string): boolean {
  return relative.startsWith('../') || nodePath.isAbsolute(relative);
}

/**
 * The most patterns from the braces of one glob: each pair multiplies them, and globs may come from a repository's
 * settings.
 */
const MAX_ALTERNATIVES = 200;

/**
 * Converts a glob of VS Code to `.gitignore` patterns: expands braces, and makes absolute globs relative to the root.
 * None for too many braces.
 */
function patternsOf(glob: string, root: string): string[] {
  if (glob.length > MAX_LENGTH) return [];
  const found: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [, before, inner, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(next) ?? [];
    if (inner === undefined) found.push(patternOf(next, root));
    else for (const part of inner.split(',')) open.push(`${before}${part}${after}`);
    if (found.length + open.length > MAX_ALTERNATIVES) return [];
  }
  return found;
}

function patternOf(glob: string, root: string): string {
  const base = root.split(nodePath.sep).join('/');
  const relative = glob.startsWith(`${base}/`) ? glob.slice(base.length) : glob;
  // Without a slash, `.gitignore` would match in any folder; the glob means the root.
  return relative.includes('/') ? relative : `/${relative}`;
}

/**
 * The rules of a `.gitignore`. A pattern with too many stars is left out, since matching a long name would block the
 * host.
 */
function ignorePatterns(text: string): Ignore {
  // Editors of Windows may begin a file with a byte order mark, which git skips.
  const lines = text.split(/\r?\n/, MAX_PATTERNS).map((line) => line.replace(/^\uFEFF/, ''));
  // Where names differ by case, git sees `Build` beside an ignored `build`.
  return ignore({ ignorecase: ignoresCase() }).add(lines.filter(isCheap));
}

function isCheap(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  const parts = pattern.split('/');
  const deep = parts.filter((part) => part.includes('**')).length;
  return (
    deep <= MAX_DOUBLE_STARS && parts.every((part) => part.replaceAll(/\*+/g, '*').split('*').length - 1 <= MAX_STARS)
  );
}
