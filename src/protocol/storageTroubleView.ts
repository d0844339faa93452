/** Data that currently cannot be saved. */
export interface StorageTroubleView {
  readonly title: string;
  readonly detail: string;
}
