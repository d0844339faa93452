import { Disposable } from '../../base/lifecycle';
import { ChangeBadges } from './changeBadges';
import { HunkDecorations } from './hunkDecorations';
import { HunkLenses } from './hunkLenses';
import { HunkReview } from './hunkReview';
import type { Review } from './review';

/** What editors, tabs and the Explorer show of pending changes, and the commands for single hunks. Loaded with the first change. */
export class EditorReview extends Disposable {
  readonly hunks: HunkReview;

  constructor(review: Review, isGuarded: (path: string) => boolean) {
    super();
    const hunks = (this.hunks = this.register(new HunkReview(review)));
    this.register(new HunkDecorations((document) => hunks.placesOf(document), review.onDidChange));
    this.register(new HunkLenses(() => review.places(), (document) => hunks.placesOf(document), review.onDidChange, isGuarded));
    this.register(new ChangeBadges(review));
  }
}
