import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';

/** Notebook editors read files, and not documents, so the left side of their diffs is a file of this scheme. */
export const NOTEBOOK_SCHEME = 'parley-notebook';

/** True if VS Code opens a file in a notebook editor by default. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Read-only files with the original contents of notebooks. */
export class NotebookBaselines extends Disposable implements vscode.FileSystemProvider {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** The last change of each file, epoch ms. */
  readonly #times = new Map<string, number>();

  readonly onDidChangeFile = this.#changeEmitter.event;

  /** @param textOf the content of a file; undefined if it is no longer stored. */
  constructor(
    scheme: string,
    private readonly textOf: (uri: vscode.Uri) => string | undefined,
  ) {
    super();
    this.register(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly: true, isCaseSensitive: true }),
    );
  }

  /** The content of a file has changed. */
  fire(uri: vscode.Uri): void {
    this.#times.set(uri.toString(), Date.now());
    this.#changeEmitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#times.get(uri.toString()) ?? 0,
      size: this.readFile(uri).length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const text = this.textOf(uri);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return Buffer.from(text);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
