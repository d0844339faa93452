import nodePath from 'node:path';
import ignore, { type Ignore } from 'ignore';

export interface IgnoreSources {
  /** Absolute folder that the rules are for. */
  readonly root: string;
  /** Globs of `files.watcherExclude` that are on. */
  readonly excluded: readonly string[];
  /** The text of a file, undefined where there is none. Asked once for each `.gitignore` that could say something. */
  readonly read: (path: string) => string | undefined;
}

/**
 * Whether a file of a folder is none that the person would review: what `.gitignore` at any level, `.git/info/exclude`
 * and `files.watcherExclude` leave out, and git's own files. Folders are decided once, so that 10,000 files below an
 * ignored one cost 10,000 look-ups and nothing else. Rules are read when first needed; make a new one for each turn.
 */
export class IgnoreRules {
  private readonly folders = new Map<string, boolean>();
  private readonly rules = new Map<string, Ignore | undefined>();
  private readonly excluded: Ignore;

  constructor(private readonly sources: IgnoreSources) {
    this.excluded = ignore({ allowRelativePaths: true }).add(sources.excluded.flatMap((glob) => patternsOf(glob, sources.root)));
  }

  /** @param path absolute, in the root. */
  isIgnored(path: string): boolean {
    const relative = nodePath.relative(this.sources.root, path).split(nodePath.sep).join('/');
    if (relative === '') return false;
    if (relative.startsWith('../') || nodePath.isAbsolute(relative)) return true;
    const slash = relative.lastIndexOf('/');
    if (relative.slice(slash + 1) === '.git') return true;
    return (slash >= 0 && this.isFolderIgnored(relative.slice(0, slash))) || this.decide(relative, false);
  }

  private isFolderIgnored(folder: string): boolean {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const ignored = folder.slice(slash + 1) === '.git' || (slash >= 0 && this.isFolderIgnored(folder.slice(0, slash))) || this.decide(folder, true);
    this.folders.set(folder, ignored);
    return ignored;
  }

  /** The nearest `.gitignore` that says something decides. Folders above are not ignored here. */
  private decide(path: string, isFolder: boolean): boolean {
    // Git says a folder with a final slash; a glob means all that lies in it.
    if (this.excluded.ignores(path) || (isFolder && this.excluded.ignores(`${path}/a`) && this.excluded.ignores(`${path}/a/b`))) return true;
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = end < 0 ? '' : path.slice(0, end);
      const { ignored, unignored } = this.rulesOf(folder)?.test(path.slice(folder === '' ? 0 : folder.length + 1) + (isFolder ? '/' : '')) ?? { ignored: false, unignored: false };
      if (ignored || unignored) return ignored;
      if (end < 0) return false;
    }
  }

  private rulesOf(folder: string): Ignore | undefined {
    if (this.rules.has(folder)) return this.rules.get(folder);
    const { root, read } = this.sources;
    const texts = [...(folder === '' ? [read(nodePath.join(root, '.git/info/exclude'))] : []), read(nodePath.join(root, folder, '.gitignore'))];
    const found = texts.filter((text) => text !== undefined);
    const rules = found.length > 0 ? ignore().add(found.join('\n')) : undefined;
    this.rules.set(folder, rules);
    return rules;
  }
}

/** A glob of VS Code in the words of `.gitignore`: braces are written out, absolute ones made relative to the root. */
function patternsOf(glob: string, root: string): string[] {
  const brace = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob);
  if (brace) return brace[2]!.split(',').flatMap((part) => patternsOf(`${brace[1]}${part}${brace[3]}`, root));
  const base = root.split(nodePath.sep).join('/');
  const relative = glob.startsWith(`${base}/`) ? glob.slice(base.length) : glob;
  // Without a slash `.gitignore` would mean any folder; a glob means the root.
  return [relative.includes('/') ? relative : `/${relative}`];
}
