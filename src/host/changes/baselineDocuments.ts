import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { isNotebook, NOTEBOOK_SCHEME, NotebookBaselines } from './notebookBaselines';

export const BASELINE_SCHEME = 'parley-baseline';

/** Texts of a diff outlive their change for a while, because the editor asks again when it is reopened. */
const MAX_AD_HOC = 50;

/**
 * Read-only documents for the left side of diffs. The path of the file is the path of the URI, so the editor knows its
 * name and language; the key in the query tells apart several texts of one file.
 */
export class BaselineDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();
  readonly #adHoc: string[] = [];
  readonly #notebooks: NotebookBaselines;
  #counter = 0;

  readonly onDidChange = this.#changeEmitter.event;

  /** @param notebookScheme the scheme of notebooks; VS Code accepts only one provider for each scheme. */
  constructor(private readonly notebookScheme = NOTEBOOK_SCHEME) {
    super();
    this.#notebooks = this.register(
      new NotebookBaselines(notebookScheme, (uri) => this.provideTextDocumentContent(uri)),
    );
    this.register(vscode.workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, this));
  }

  /** Shows `text` for `path` and `key`. The same path and key have the same URI. */
  set(path: string, key: string, text: string): vscode.Uri {
    const uri = vscode.Uri.file(path).with({
      scheme: isNotebook(path) ? this.notebookScheme : BASELINE_SCHEME,
      query: key,
    });
    const id = uri.toString();
    if (this.#texts.get(id) !== text) {
      this.#texts.set(id, text);
      if (uri.scheme === this.notebookScheme) this.#notebooks.fire(uri);
      else this.#changeEmitter.fire(uri);
    }
    return uri;
  }

  /** Forgets all texts with one key. */
  deleteAll(key: string): void {
    for (const id of this.#texts.keys()) if (vscode.Uri.parse(id).query === key) this.#texts.delete(id);
  }

  /**
   * Adds a text that belongs to no change. The oldest such texts are forgotten.
   * @param kind its kind, for conditions of menus (`resource`)
   */
  add(path: string, text: string, kind: 'text' | 'proposed' = 'text'): vscode.Uri {
    const uri = this.set(path, `${kind}-${++this.#counter}`, text);
    this.#adHoc.push(uri.toString());
    while (this.#adHoc.length > MAX_AD_HOC) this.#texts.delete(this.#adHoc.shift()!);
    return uri;
  }

  /** Undefined for a text that is no longer stored: an empty one would show the whole file as added. */
  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }
}
