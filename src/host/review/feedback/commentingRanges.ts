import * as vscode from 'vscode';
import { Disposable } from '../../../base/lifecycle';
import { BASELINE_SCHEME } from '../../changes/baselineDocuments';
import type { Review } from '../review';

/** Longer than VS Code takes to ask; a key that was pressed is not held back without an end. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 5;

/**
 * Tells VS Code in which files comments can be made: those under review, and their originals. VS Code asks a moment after a
 * file came into sight or under review, and until then opens no box: what the user types next would go into the file.
 */
export class CommentingRanges extends Disposable {
  /** Files in sight for which VS Code knows the answer. */
  #known = new Set<string>();
  #underReview: string | undefined;

  constructor(
    private readonly controller: vscode.CommentController,
    private readonly review: Review,
  ) {
    super();
    this.register(review.onDidChange(() => this.#offer()));
    this.#offer();
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        const inSight = new Set(editors.map(({ document }) => document.uri.toString()));
        this.#known = new Set([...this.#known].filter((uri) => inSight.has(uri)));
      }),
    );
  }

  /** Resolves when VS Code knows about a file that is in sight, or does not ask. */
  async whenKnown(uri: vscode.Uri): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!this.#known.has(uri.toString()) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** Makes VS Code ask for the ranges again. */
  #offer(): void {
    const paths = this.review.changes().map(({ path }) => path).join('\n');
    if (paths === this.#underReview) return;
    this.#underReview = paths;
    this.#known.clear();
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) => {
        this.#known.add(uri.toString());
        return this.#canComment(uri) ? [new vscode.Range(0, 0, lineCount - 1, 0)] : [];
      },
    };
  }

  #canComment({ scheme, fsPath }: vscode.Uri): boolean {
    return (scheme === 'file' || scheme === BASELINE_SCHEME) && this.review.changeIn(fsPath) !== undefined;
  }
}
