import type { Event } from '../../../base/event';
import type { Place } from '../../../changes/places';
import type { ChangeView } from '../../../protocol/changeView';

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
