import type { Event } from '../../../base/event';
import type { Place } from '../../../changes/places';
import type { ChangeView } from '../../../protocol/changeView';

/** What comments and feedback must know of the review. `Review` implements it. */
export interface UnderReview {
  readonly onDidChange: Event<unknown>;
  /** All pending changes. */
  changes(): readonly ChangeView[];
  /** The pending change of a file. */
  changeIn(path: string): ChangeView | undefined;
  /** The places of a file that wait for a decision. */
  placesIn(path: string): readonly Place[];
}
