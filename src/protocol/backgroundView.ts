import type { EntryId } from './entryId';

/** Work of a session that goes on beside its turn, or without one. */
export interface BackgroundView {
  /** Distinguishes the items of one session. */
  readonly key: string;
  /** `other`: the agent only says that there is something. */
  readonly kind: 'command' | 'call' | 'subagent' | 'other';
  /** A command line or the title of a call; "" if the agent gave none. */
  readonly title: string;
  /** Epoch ms; absent if unknown. */
  readonly since?: number;
  /** Its card. */
  readonly entryId?: EntryId;
  /** Its terminal can be opened natively. */
  readonly opens?: string;
  /** What stops it alone; absent if nothing can. */
  readonly stop?: { readonly terminalId: string } | { readonly entryId: EntryId };
}
