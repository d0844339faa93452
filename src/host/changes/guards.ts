import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { DEFAULT_GUARDS, type GuardMatcher, guardMatcher } from '../../changes/guardedFiles';
import { isWithin } from '../../node/isWithin';
import { labelOfPath } from '../../view/labels';
import { protectedPlaces, realRoot } from '../files/pathPolicy';

const KEY = 'review.guard';
const MAX_KNOWN = 20_000;

/** A folder with the protected files of another one: a worktree. Both absolute, links resolved. */
export interface GuardedLike {
  readonly path: string;
  readonly repository: string;
}

/** A workspace folder and its globs. `folder`: "" for files outside of all folders. */
interface Matcher {
  readonly folder: string;
  /** The same with links resolved, after `whenReal`. */
  real: string;
  whenReal?: Promise<void>;
  readonly matches: GuardMatcher;
}

/**
 * Decides which files are protected: by the user's globs (or the default), and also by those of the workspace. A
 * repository may add globs but not remove any, so Parley joins the values itself and does not use VS Code's merged
 * value. Settings of VS Code and Parley are always protected. A file in a worktree is protected like the same file of
 * the repository.
 */
export class Guards extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  /** By workspace folder; "" for files outside of all folders. */
  readonly #matchers = new Map<string, Matcher>();

  /** Cached answers, by path, because a list of thousands of files asks again with each change. */
  readonly #known = new Map<string, boolean>();

  readonly onDidChange = this.#changeEmitter.event;

  /** @param worktreeAt the worktree that a path is in */
  constructor(private readonly worktreeAt: (path: string) => GuardedLike | undefined = () => undefined) {
    super();
    const forget = () => {
      this.#matchers.clear();
      this.#known.clear();
      this.#changeEmitter.fire();
    };
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`parley.${KEY}`) && forget()),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(forget));
    this.register(protectedPlaces.onDidChange(forget));
  }

  readonly isGuarded = (path: string): boolean => {
    let isGuarded = this.#known.get(path);
    if (isGuarded === undefined) {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(path, (isGuarded = this.#find(path)));
    }
    return isGuarded;
  };

  /** All globs for the files of a session. @param cwd where it works, absolute */
  async globsIn(cwd: string): Promise<readonly string[]> {
    if (this.worktreeAt(cwd))
      await Promise.all((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => this.#matcher(uri).whenReal));
    return guardGlobs(this.#homeOf(cwd).uri);
  }

  #find(path: string): boolean {
    const { uri, file, top } = this.#homeOf(path);
    const known = this.#matcher(uri);
    // The review names files by their workspace folder, which may be behind a link.
    const real = known.folder === '' ? file : nodePath.join(known.real, nodePath.relative(known.folder, file));
    const isProtected = [path, file, real].some((place) => protectedPlaces.has(place));
    return isProtected || known.matches(labelOfPath(file, top ?? known.folder));
  }

  /**
   * The workspace folder whose globs are for a file, and the file's place in it. For a file in a worktree, that is the
   * place of the same file of the repository.
   * @returns `top`: the folder in which globs begin, if it is none of the workspace
   */
  #homeOf(path: string): { readonly uri: vscode.Uri | undefined; readonly file: string; readonly top?: string } {
    const own = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path))?.uri;
    const worktree = this.worktreeAt(path);
    // The user may have opened the worktree itself.
    if (!worktree || (own && isWithin(own.fsPath, worktree.path))) return { uri: own, file: path };
    const file = nodePath.join(worktree.repository, nodePath.relative(worktree.path, path));
    const uri = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri;
    if (uri) return { uri, file };
    // Worktrees have paths with links resolved, and the workspace may not.
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const { real } = this.#matcher(folder.uri);
      if (folder.uri.scheme === 'file' && isWithin(file, real))
        return { uri: folder.uri, file: nodePath.join(folder.uri.fsPath, nodePath.relative(real, file)) };
    }
    return { uri: undefined, file: path, top: worktree.path };
  }

  #matcher(uri: vscode.Uri | undefined): Matcher {
    const key = uri?.toString() ?? '';
    const known = this.#matchers.get(key);
    if (known) return known;
    const folder = uri?.fsPath ?? '';
    const matcher: Matcher = { folder, real: folder, matches: guardMatcher(guardGlobs(uri)) };
    this.#matchers.set(key, matcher);
    if (folder !== '')
      matcher.whenReal = realRoot(folder).then((real) => {
        if (real === folder) return;
        matcher.real = real;
        this.#known.clear();
        this.#changeEmitter.fire();
      });
    return matcher;
  }
}

/** All globs for a workspace folder, or for files outside of all folders. */
export function guardGlobs(folder: vscode.Uri | undefined): string[] {
  const values = vscode.workspace.getConfiguration('parley', folder ?? null).inspect<unknown>(KEY);
  const own = Array.isArray(values?.globalValue) ? values.globalValue : DEFAULT_GUARDS;
  const added = [values?.workspaceValue, values?.workspaceFolderValue].filter(Array.isArray).flat();
  return [...own, ...added].filter((glob) => typeof glob === 'string');
}
