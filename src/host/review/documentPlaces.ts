import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import { withLineFeeds } from '../../changes/lineFeeds';
import type { Place } from '../../changes/places';
import type { Review } from './review';

/** Many edits of a document in a row are one. */
const SETTLE_MS = 16;
/** How long a document may take to read its file again. */
const PATIENCE_MS = 2_000;

/**
 * Where changes are in open documents. After a write to disk, a document reads its file a moment later; what the user
 * types is known to the review a moment later. Lines are counted only while both have the same text.
 */
export class DocumentPlaces extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #texts = new WeakMap<vscode.TextDocument, { readonly version: number; readonly text: string }>();

  /** Changes are at other lines, or a document has the text in which they are. */
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
   * The hunks of a document; undefined while it has another text. What is drawn in it moves with its lines until then.
   */
  of(document: vscode.TextDocument): readonly Place[] | undefined {
    const text = this.review.textOf(document);
    return text === undefined || text === this.#textIn(document) ? this.review.placesOf(document) : undefined;
  }

  /** The same once the document has the text. @returns none where it keeps another one. */
  async whenRead(document: vscode.TextDocument): Promise<readonly Place[]> {
    const known = this.of(document);
    if (known) return known;
    return new Promise((resolve) => {
      const done = (places: readonly Place[]) => {
        timer.dispose();
        registration.dispose();
        resolve(places);
      };
      const timer = this.clock.setTimeout(() => done([]), PATIENCE_MS);
      const registration = this.onDidChange(() => {
        const places = this.of(document);
        if (places) done(places);
      });
    });
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
