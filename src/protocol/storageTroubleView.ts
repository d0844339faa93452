/** What cannot be saved now, for as long as that lasts. */
export interface StorageTroubleView {
  readonly title: string;
  readonly detail: string;
}
