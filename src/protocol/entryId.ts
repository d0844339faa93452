/** Identifies one entry of one thread. Opaque: ours, stable for the life of the thread, never an array index. */
export type EntryId = string;
