/**
 * Lists that an agent makes as long as it likes. The panel has their beginning; the host opens all of one as a
 * document.
 */
export const longLists = ['plan', 'content', 'locations'] as const;
export type LongList = (typeof longLists)[number];

/** How many items of a list the panel was not sent. A list that is all there is absent. */
export type MoreView<L extends LongList> = Readonly<Partial<Record<L, number>>>;
