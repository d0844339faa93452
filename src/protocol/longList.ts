/** Lists that an agent makes as long as it likes. The panel has their beginning; the host opens all of one as a document. */
export type LongList = 'plan' | 'content' | 'locations';

/** How many items of a list the panel was not sent. A list that is all there is absent. */
export type MoreView<L extends LongList> = Readonly<Partial<Record<L, number>>>;
