import { applyLineEdits, lineEdits, mergeTexts, partition, withLineFeeds } from './lineEdits';

/** One file that the agent changed and the person has not yet agreed to. Texts have `\n` line ends. */
export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** What Undo goes back to, later edits of the person included. Undefined: the file did not exist. */
  readonly baseline: string | undefined;
  /** The agent's version, with those edits of the person that lie apart from the agent's. */
  readonly agentText: string | undefined;
  /** What stands in the file now. */
  readonly current: string | undefined;
  readonly added: number;
  readonly removed: number;
}

export interface UndoPlan {
  /** What the file shall hold; undefined: it shall be gone. */
  readonly text: string | undefined;
  /** Number of places that stay because the person has edited there since. */
  readonly conflicts: number;
  /** True where a file that the agent created would be deleted together with edits of the person. */
  readonly losesEdits: boolean;
}

/**
 * The unreviewed changes of one session, one per file. A change opens with the agent's first write and keeps the text
 * from before it as the baseline; further writes extend it. What the person edits elsewhere in the file moves into the
 * baseline, so it is neither counted as the agent's nor lost by Undo. Review by hunk will be a ledger of the pieces
 * between `baseline` and `agentText`; nothing else needs to know.
 */
export class ChangeLog {
  private readonly open = new Map<string, Change>();

  /** In the order in which the agent first changed them. */
  get changes(): readonly Change[] {
    return [...this.open.values()];
  }

  get(path: string): Change | undefined {
    return this.open.get(path);
  }

  /**
   * The agent changed a file.
   * @param before its text just before, undefined where it did not exist.
   * @param after its text just after, undefined where it is gone.
   */
  agentWrote(path: string, before: string | undefined, after: string | undefined): void {
    const old = before === undefined ? undefined : withLineFeeds(before);
    const fresh = after === undefined ? undefined : withLineFeeds(after);
    // What the person did since the last event belongs to the person.
    if (this.open.has(path)) this.edited(path, old);
    const known = this.open.get(path);
    if (!known) {
      this.set(path, old, fresh, fresh);
      return;
    }
    const { baseline, agentText, current } = known;
    const merged = agentText === undefined || current === undefined || fresh === undefined ? fresh : mergeTexts(current, fresh, agentText).text;
    this.set(path, baseline, merged, fresh);
  }

  /** Someone else changed a file; `text` is undefined where it is gone. Nothing happens for a file without a change. */
  edited(path: string, text: string | undefined): void {
    const known = this.open.get(path);
    if (!known) return;
    const now = text === undefined ? undefined : withLineFeeds(text);
    if (now === known.current) return;
    const { baseline, agentText } = known;
    if (now === undefined || agentText === undefined || baseline === undefined) {
      this.set(path, baseline, agentText, now);
      return;
    }
    const { apart } = partition(lineEdits(agentText, now), lineEdits(agentText, baseline));
    const folded = applyLineEdits(agentText, apart);
    this.set(path, mergeTexts(agentText, baseline, folded).text, folded, now);
  }

  /** The person agrees: the change is closed. */
  keep(path: string): void {
    this.open.delete(path);
  }

  keepAll(): void {
    this.open.clear();
  }

  /** What Undo would do now; undefined where there is no change. */
  planUndo(path: string): UndoPlan | undefined {
    const change = this.open.get(path);
    if (!change) return undefined;
    const { baseline, agentText, current } = change;
    if (baseline === undefined) return { text: undefined, conflicts: 0, losesEdits: current !== agentText };
    if (current === undefined || agentText === undefined) return { text: baseline, conflicts: 0, losesEdits: false };
    const { text, conflicts } = mergeTexts(agentText, current, baseline);
    return { text, conflicts: conflicts.length, losesEdits: false };
  }

  /** Undo was carried out and left `text`. Without a rest the change is closed; where conflicts stayed it goes on with them. */
  undone(path: string, text: string | undefined): void {
    const change = this.open.get(path);
    if (!change) return;
    const now = text === undefined ? undefined : withLineFeeds(text);
    this.set(path, change.baseline, now, now);
  }

  /** A change that leaves nothing changed is none. */
  private set(path: string, baseline: string | undefined, agentText: string | undefined, current: string | undefined): void {
    if (baseline === current) {
      this.open.delete(path);
      return;
    }
    let added = 0;
    let removed = 0;
    for (const edit of lineEdits(baseline ?? '', current ?? '')) {
      added += edit.lines.length;
      removed += edit.end - edit.start;
    }
    const kind = baseline === undefined ? 'created' : current === undefined ? 'deleted' : 'modified';
    this.open.set(path, { path, kind, baseline, agentText, current, added, removed });
  }
}
