/**
 * Lists of an agent without a length limit. The panel has the first items; the host opens the whole list as a document.
 */
export const longLists = ['plan', 'content', 'locations'] as const;
export type LongList = (typeof longLists)[number];

/** The number of items that the panel was not sent, by list. A complete list is absent. */
export type MoreView<L extends LongList> = Readonly<Partial<Record<L, number>>>;
