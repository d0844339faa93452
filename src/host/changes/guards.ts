import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { DEFAULT_GUARDS, type GuardMatcher, guardMatcher } from '../../changes/guardedFiles';
import { labelOfPath } from '../../view/labels';
import { protectedPlaces, realRoot } from '../files/pathPolicy';

const KEY = 'review.guard';
const MAX_KNOWN = 20_000;

/**
 * Decides which files are protected: by the user's globs (or the default), and also by those of the workspace. A
 * repository may add globs but not remove any, so Parley joins the values itself and does not use VS Code's merged
 * value. Settings of VS Code and Parley are always protected.
 */
export class Guards extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  /** By workspace folder; "" for files outside of all folders. */
  readonly #matchers = new Map<string, { readonly folder: string; real: string; readonly matches: GuardMatcher }>();

  /** Cached answers, by path, because a list of thousands of files asks again with each change. */
  readonly #known = new Map<string, boolean>();

  readonly onDidChange = this.#changeEmitter.event;

  constructor() {
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

  #find(path: string): boolean {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
    const key = folder?.uri.toString() ?? '';
    let known = this.#matchers.get(key);
    if (!known) this.#matchers.set(key, (known = this.#matcherOf(folder?.uri)));
    // The review names files by their workspace folder, which may be behind a link.
    const real = known.folder === '' ? path : nodePath.join(known.real, nodePath.relative(known.folder, path));
    return protectedPlaces.has(path) || protectedPlaces.has(real) || known.matches(labelOfPath(path, known.folder));
  }

  #matcherOf(uri: vscode.Uri | undefined) {
    const folder = uri?.fsPath ?? '';
    const matcher = { folder, real: folder, matches: guardMatcher(guardGlobs(uri)) };
    if (folder !== '')
      void realRoot(folder).then((real) => {
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
