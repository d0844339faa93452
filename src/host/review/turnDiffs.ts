import type { Hunk } from '../../changes/hunk';
import { type CallDiff, callOf, diffLines, type DiffLines } from '../../changes/tally';
import { subagentOf } from '../../thread/subagents';
import { beginsTurn, entryIdAt, indexOfEntry, type Thread, type ToolCall } from '../../thread/thread';
import { resolvePath } from '../../view/labels';

type ToolDiff = Extract<ToolCall['content'][number], { readonly type: 'diff' }>;
type Diffs = ReadonlyMap<string, readonly CallDiff[]>;

/** A session with the tool calls. */
export interface SessionCalls {
  readonly cwd: string;
  readonly session: { readonly thread: Thread };
}

/** The diffs that tool calls reported, by turn and file. */
export class TurnDiffs {
  readonly #lines = new WeakMap<ToolDiff, DiffLines>();
  /** By session, of its last entries. */
  readonly #known = new WeakMap<object, { readonly entries: Thread['entries']; readonly turns: Map<string, Diffs> }>();

  /** @param turn the id of its first entry @param path absolute */
  of(live: SessionCalls, turn: string, path: string): readonly CallDiff[] {
    const { entries } = live.session.thread;
    let known = this.#known.get(live);
    if (known?.entries !== entries) this.#known.set(live, (known = { entries, turns: new Map() }));
    let diffs = known.turns.get(turn);
    if (!diffs) known.turns.set(turn, (diffs = this.#read(live, turn)));
    return diffs.get(path) ?? [];
  }

  /**
   * The subagents whose calls reported the lines of a hunk, by the titles of their calls. None for lines of the agent
   * itself, and for lines that no call reported.
   */
  subagentsOf(live: SessionCalls, path: string, hunk: Hunk): readonly string[] {
    const { thread } = live.session;
    const names = hunk.turns.flatMap((turn) => {
      const call = turn === undefined ? undefined : callOf(hunk, this.of(live, turn, path));
      const entry = call === undefined ? undefined : thread.entries.at(indexOfEntry(call));
      return (entry?.kind === 'toolCall' && subagentOf(thread, entry)) || [];
    });
    return [...new Set(names)];
  }

  #read({ cwd, session }: SessionCalls, turn: string): Diffs {
    const { entries } = session.thread;
    const diffs = new Map<string, CallDiff[]>();
    const first = indexOfEntry(turn);
    for (let index = first; index < entries.length; index++) {
      const entry = entries.at(index);
      if (entry && beginsTurn(entry) && index > first) break;
      if (entry?.kind !== 'toolCall') continue;
      for (const item of entry.content) {
        if (item.type !== 'diff' && item.type !== 'fileChange') continue;
        const path = resolvePath(item.path, cwd);
        const ofFile = diffs.get(path) ?? [];
        diffs.set(path, ofFile);
        ofFile.push({
          call: entryIdAt(index),
          ...(item.type === 'diff' ? this.#linesOf(item) : diffLines(undefined, undefined)),
        });
      }
    }
    return diffs;
  }

  #linesOf(diff: ToolDiff): DiffLines {
    let lines = this.#lines.get(diff);
    if (!lines) this.#lines.set(diff, (lines = diffLines(diff.oldText ?? undefined, diff.newText)));
    return lines;
  }
}
