import { Replica } from '../src/protocol/patch';
import { SyncReceiver } from '../src/protocol/sync';
import type { SyncStamp } from '../src/protocol/sync';
import type { ToWebview } from '../src/protocol/messages';
import type { EntryId } from '../src/protocol/entryId';
import type { PanelUiState, ThreadView } from '../src/protocol/viewModel';

/** The changes since the last frame. An entry is in only one of `added`, `earlier`, `replaced` and `appended`. */
export interface Dirty {
  readonly panel: boolean;
  readonly added: readonly EntryId[];
  /** Entries before all earlier ones, in their order. */
  readonly earlier: readonly EntryId[];
  /** The last missing entries have arrived. */
  readonly completed: boolean;
  readonly replaced: ReadonlySet<EntryId>;
  readonly appended: ReadonlyMap<EntryId, readonly { readonly part: number; readonly text: string }[]>;
  readonly terminals: ReadonlySet<string>;
}

/** A message about the thread. */
export type SyncMessage = Extract<ToWebview, { type: 'thread/snapshot' | 'thread/patch' }>;

/**
 * The webview's copy of the thread. Messages are applied at once, which is cheap; the view gets the changes once per
 * frame. On any doubt the host is asked for a snapshot.
 */
export class Store {
  readonly replica = new Replica(EMPTY);
  readonly #receiver = new SyncReceiver();
  #changes = new Changes();
  #snapshot: PanelUiState | undefined;
  #asked = false;

  /**
   * @param resync asks the host for a snapshot
   * @param schedule requests a frame, in which `take` is called
   */
  constructor(
    private readonly resync: (reason?: unknown) => void,
    private readonly schedule: () => void,
  ) {}

  receive(message: SyncMessage): void {
    if (message.type === 'thread/snapshot') {
      if (this.#receiver.classifySnapshot(message.stamp) === 'drop') return;
      this.#attempt(message.stamp, () => {
        this.replica.reset(message.view);
        this.#changes = new Changes();
        this.#snapshot = message.ui;
        this.#asked = false;
      });
      return;
    }
    const verdict = this.#receiver.classifyPatch(message.stamp);
    if (verdict === 'apply')
      this.#attempt(message.stamp, () => this.#changes.note(this.replica.apply(message.patches)));
    else if (verdict === 'resync') this.#ask();
  }

  /** Returns the changes; `snapshot` is set if everything is new. */
  take(): { readonly snapshot?: PanelUiState; readonly dirty: Dirty } {
    const snapshot = this.#snapshot;
    const changes = this.#changes;
    this.#snapshot = undefined;
    this.#changes = new Changes();
    return snapshot ? { snapshot, dirty: changes } : { dirty: changes };
  }

  #attempt(stamp: SyncStamp, apply: () => void): void {
    try {
      apply();
      this.#receiver.commit(stamp);
    } catch (error) {
      this.#receiver.reset();
      this.#ask(error);
    }
    this.schedule();
  }

  /** Asks once; patches that arrive before the snapshot would ask again and again. */
  #ask(reason?: unknown): void {
    if (this.#asked) return;
    this.#asked = true;
    this.resync(reason);
  }
}

class Changes implements Dirty {
  panel = false;
  readonly added: EntryId[] = [];
  readonly earlier: EntryId[] = [];
  completed = false;
  readonly replaced = new Set<EntryId>();
  readonly appended = new Map<EntryId, { part: number; text: string }[]>();
  readonly terminals = new Set<string>();
  /** Added and earlier entries: they are drawn from the replica, which has their later changes. */
  readonly #addedSet = new Set<EntryId>();

  note(touched: ReturnType<Replica['apply']>): void {
    this.panel ||= touched.panel;
    this.completed ||= touched.completed;
    for (const id of touched.added) {
      this.added.push(id);
      this.#addedSet.add(id);
    }
    this.earlier.unshift(...touched.earlier);
    for (const id of touched.earlier) this.#addedSet.add(id);
    for (const id of [...touched.replaced, ...touched.closed]) {
      if (this.#addedSet.has(id)) continue;
      this.replaced.add(id);
      this.appended.delete(id);
    }
    for (const { id, part, text } of touched.appended) {
      // Added and replaced entries are drawn from the replica, which already has the text.
      if (this.#addedSet.has(id) || this.replaced.has(id)) continue;
      const list = this.appended.get(id);
      if (list) list.push({ part, text });
      else this.appended.set(id, [{ part, text }]);
    }
    for (const id of touched.terminals) this.terminals.add(id);
  }
}

const EMPTY: ThreadView = {
  threadId: '',
  panel: {
    agent: '',
    connection: { state: 'ready' },
    turn: { running: false, stopping: false, canForceStop: false },
    options: [],
    commands: [],
    plan: [],
    notices: [],
    changes: [],
    fileStates: [],
    queue: [],
    waitingElsewhere: [],
    pendingQuestions: [],
    attachments: [],
    sendWith: 'enter',
    history: [],
  },
  entries: [],
  terminals: [],
};
