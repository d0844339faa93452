import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer, waitAtMost } from '../../base/scheduler';
import { withLineFeeds } from '../../changes/lineFeeds';
import type { Place } from '../../changes/places';
import type { Review } from './review';

/** Edits of a document in quick succession are handled together. */
const SETTLE_MS = 16;
/** The longest time in which a document reads its file again. */
const PATIENCE_MS = 2_000;

/**
 * The places of changes in open documents. After a write to disk, a document reads its file a moment later, and typed
 * text reaches the review a moment later. Places are valid only while both have the same text.
 */
export class DocumentPlaces extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #texts = new WeakMap<vscode.TextDocument, { readonly version: number; readonly text: string }>();

  /** Fires when changes are at other lines, or when a document has the text of the review again. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly review: Pick<Review, 'onDidChange' | 'placesOf' | 'textOf'>,
    private readonly clock: Clock,
  ) {
    super();
    const settle = this.register(new Coalescer(clock, SETTLE_MS, () => this.#changeEmitter.fire()));
    this.register(review.onDidChange(() => this.#changeEmitter.fire()));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && review.textOf(document) !== undefined) settle.schedule();
      }),
    );
  }

  /**
   * The hunks of a document; undefined while its text differs from the review's. Until then its decorations move with
   * their lines.
   */
  of(document: vscode.TextDocument): readonly Place[] | undefined {
    const text = this.review.textOf(document);
    return text === undefined || text === this.#textIn(document) ? this.review.placesOf(document) : undefined;
  }

  /** The same once the document has the review's text. @returns none if that takes too long. */
  async whenRead(document: vscode.TextDocument): Promise<readonly Place[]> {
    const isRead = new Deferred<void>();
    const registration = this.onDidChange(() => this.of(document) && isRead.resolve());
    if (!this.of(document)) await waitAtMost(this.clock, PATIENCE_MS, isRead.promise);
    registration.dispose();
    return this.of(document) ?? [];
  }

  #textIn(document: vscode.TextDocument): string {
    const { version } = document;
    const known = this.#texts.get(document);
    if (known?.version === version) return known.text;
    const text = withLineFeeds(document.getText());
    this.#texts.set(document, { version, text });
    return text;
  }
}
