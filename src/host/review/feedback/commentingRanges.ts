import * as vscode from 'vscode';
import { Deferred } from '../../../base/deferred';
import { Emitter, type Event } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import { type Clock, waitAtMost } from '../../../base/scheduler';
import type { Place } from '../../../changes/places';
import type { ChangeView } from '../../../protocol/changeView';
import { BASELINE_SCHEME } from '../../changes/baselineDocuments';

/** Longer than VS Code takes to ask for the ranges, but limited, because a pressed key waits for it. */
const PATIENCE_MS = 10_000;

/**
 * Tells VS Code which files accept comments: those under review, and their originals. VS Code asks a moment after a
 * file becomes visible or comes under review. Until then it opens no comment box, so the user's next keys would go into
 * the file.
 */
export class CommentingRanges extends Disposable {
  /** Visible files for which VS Code has asked. */
  #known = new Set<string>();
  readonly #knownEmitter = this.register(new Emitter<string>());
  #underReview: string | undefined;

  constructor(
    private readonly controller: vscode.CommentController,
    private readonly review: UnderReview,
    private readonly clock: Clock,
  ) {
    super();
    this.register(review.onDidChange(() => this.#update()));
    this.#update();
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        const inSight = new Set(editors.map(({ document }) => document.uri.toString()));
        this.#known = new Set([...this.#known].filter((uri) => inSight.has(uri)));
      }),
    );
  }

  /**
   * Waits until VS Code has asked for the ranges of a visible file.
   * @param stopped resolves if the user does not want to wait. @returns false if VS Code does not ask
   */
  async whenKnown(uri: vscode.Uri, stopped: Promise<void>): Promise<boolean> {
    if (this.#known.has(uri.toString())) return true;
    const known = new Deferred<void>();
    const listener = this.#knownEmitter.event((asked) => asked === uri.toString() && known.resolve());
    try {
      await waitAtMost(this.clock, PATIENCE_MS, Promise.race([known.promise, stopped]));
      return known.isSettled;
    } finally {
      listener.dispose();
    }
  }

  #update(): void {
    const paths = this.review
      .changes()
      .map(({ path }) => path)
      .join('\n');
    if (paths === this.#underReview) return;
    this.#underReview = paths;
    this.offer();
  }

  /** Makes VS Code ask for the ranges again. */
  offer(): void {
    this.#known.clear();
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) => {
        this.#known.add(uri.toString());
        this.#knownEmitter.fire(uri.toString());
        return this.#canComment(uri) ? [new vscode.Range(0, 0, lineCount - 1, 0)] : [];
      },
    };
  }

  #canComment({ scheme, fsPath }: vscode.Uri): boolean {
    return (scheme === 'file' || scheme === BASELINE_SCHEME) && this.review.changeIn(fsPath) !== undefined;
  }
}

/** The part of the review that comments and feedback need. `Review` implements it. */
export interface UnderReview {
  readonly onDidChange: Event<unknown>;
  /** All pending changes. */
  changes(): readonly ChangeView[];
  /** The pending change of a file. */
  changeIn(path: string): ChangeView | undefined;
  /** The places of pending changes in a file. */
  placesIn(path: string): readonly Place[];
}
