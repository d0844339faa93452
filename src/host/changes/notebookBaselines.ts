import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';

/** Notebook editors read files, and not documents, so the left side of their diffs is a file of this scheme. */
export const NOTEBOOK_SCHEME = 'parley-notebook';

/** Whether VS Code shows a file in a notebook editor, where nothing else was chosen. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Read-only files, for notebooks as they were. */
export class NotebookBaselines extends Disposable implements vscode.FileSystemProvider {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** When each was told last, epoch ms. */
  readonly #times = new Map<string, number>();

  readonly onDidChangeFile = this.#changeEmitter.event;

  /** @param textOf what a file holds; undefined for one that is not ours any more. */
  constructor(
    scheme: string,
    private readonly textOf: (uri: vscode.Uri) => string | undefined,
  ) {
    super();
    this.register(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly: true, isCaseSensitive: true }),
    );
  }

  /** A file holds something else now. */
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
