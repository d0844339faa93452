import { type Content, type Stored, type StoredEntry, storedIn, storedInEntry } from './content';
import { isUnder, movedPath } from './movedPath';
import type { WholeChange } from './wholeChange';

/** A file and what was pending in it, at one moment. */
export interface Version {
  /** Absent: its content is unknown, so nothing brings it back. */
  readonly content?: Content | undefined;
  /** Its `Entry` in the ledger; absent if it had no lines there. */
  readonly entry?: StoredEntry | undefined;
  /** The pending change of the file as a whole. */
  readonly waits?: WholeChange | undefined;
}

/** Why the present state of files was stored: because something was about to take its place. */
export type SaveReason = 'restore' | 'redo' | 'undo';

/** Files as they stood before a restore, a redo, or an Undo that deleted them. */
export interface Save {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: SaveReason;
  /** The prompt that was restored to. */
  readonly prompt?: number | undefined;
  readonly files: ReadonlyMap<string, Version>;
}

/**
 * What happened, in order; the log is these, one after the other. A prompt is named by its time (epoch milliseconds),
 * which stays the same when its thread is read from disk again. `before` and `after` of `wrote` are digests of texts.
 */
export type CheckpointEvent =
  /** The agent is about to change a file. Until it has, a later one of the same prompt takes its place. */
  | { readonly type: 'touched'; readonly prompt: number; readonly path: string; readonly before: Version }
  | {
      readonly type: 'wrote';
      readonly prompt: number;
      readonly path: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  /** A restore, or a redo, has left this in a file. */
  | { readonly type: 'left'; readonly path: string; readonly text: string | null }
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  | {
      readonly type: 'saved';
      readonly id: string;
      readonly at: number;
      readonly reason: SaveReason;
      readonly prompt?: number | undefined;
      readonly files: readonly (readonly [string, Version])[];
    }
  | { readonly type: 'redone'; readonly id: string }
  /** Prompts up to this one cannot be restored to any more. */
  | { readonly type: 'forgotten'; readonly upTo: number };

/** Older saves are forgotten. Those of Undo are small and many, and push out none of the others. */
const MAX_SAVES = 20;
const MAX_UNDO_SAVES = 200;
/** How many files of one restore the panel gets. */
const MAX_TOLD = 500;

/**
 * Where one session can go back to: for each prompt the files that the agent touched after it, as they were just before
 * its first change. A file that was touched after several prompts goes back to the first of them at or after the one
 * that is restored to.
 */
export class CheckpointLog {
  /** By prompt, ascending. */
  #touched = new Map<number, Map<string, Version>>();
  /** Records whose write has not happened yet, by path. */
  readonly #open = new Map<string, number>();
  /** Digest of what the agent, or a restore, left in a file. */
  readonly #left = new Map<string, string | null>();
  /** The last time that the user changed a file between two writes of the agent; see `isEdited`. */
  readonly #edited = new Map<string, number>();
  #saves: Save[] = [];
  readonly #redone = new Set<string>();
  #floor = -Infinity;
  #standing: CheckpointLog['restores'] | undefined;

  apply(event: CheckpointEvent): void {
    if (event.type === 'saved' || event.type === 'redone' || event.type === 'moved') this.#standing = undefined;
    switch (event.type) {
      case 'touched':
        return this.#touch(event.prompt, event.path, event.before);
      case 'wrote':
        return this.#wrote(event.prompt, event.path, event.before, event.after);
      case 'left':
        this.#left.set(event.path, event.text);
        return;
      case 'moved':
        return this.#move(event.from, event.to);
      case 'saved':
        return this.#save({ ...event, files: new Map(event.files) });
      case 'redone':
        this.#redone.add(event.id);
        return;
      case 'forgotten':
        this.#floor = Math.max(this.#floor, event.upTo);
        for (const prompt of this.#touched.keys()) if (prompt <= event.upTo) this.#touched.delete(prompt);
        return;
    }
  }

  /** Prompts after which the agent touched files, the oldest first. */
  get prompts(): readonly number[] {
    return [...this.#touched.keys()];
  }

  /**
   * Prompts that can be restored to lie in here (both included): there is something to bring back, and it is still
   * known.
   */
  get range(): { readonly from: number; readonly to: number } | undefined {
    const last = this.prompts.at(-1);
    return last === undefined ? undefined : { from: this.#floor === -Infinity ? 0 : this.#floor + 1, to: last };
  }

  /** Whether anything is recorded of a file, or of files in a folder. */
  has(path: string): boolean {
    return [
      ...this.#left.keys(),
      ...this.since().keys(),
      ...this.#saves.flatMap(({ files }) => [...files.keys()]),
    ].some((other) => isUnder(other, path));
  }

  /** What is recorded of a file for a prompt. */
  recorded(prompt: number, path: string): Version | undefined {
    return this.#touched.get(prompt)?.get(path);
  }

  /**
   * Whether a change after this prompt has to be recorded still.
   * @param mode permissions may be changed after the text
   */
  needs(prompt: number, path: string, mode?: number): boolean {
    const known = this.recorded(prompt, path);
    return !known || this.#open.get(path) === prompt || (mode !== undefined && modeIn(known) === undefined);
  }

  /**
   * The files that the agent touched since a prompt, as they were before. Without `prompt`: since the session began.
   */
  since(prompt = -Infinity): ReadonlyMap<string, Version> {
    const files = new Map<string, Version>();
    for (const [at, touched] of this.#touched) {
      if (at < prompt) continue;
      for (const [path, version] of touched) if (!files.has(path)) files.set(path, version);
    }
    return files;
  }

  /** Number of files that the agent touched after this prompt and before the next. */
  touchedBy(prompt: number): number {
    return this.#touched.get(prompt)?.size ?? 0;
  }

  /**
   * Whether going back to before `prompt` takes away what the user has changed in a file; `now` is the digest of what
   * it holds.
   */
  isEdited(path: string, now: string | null, prompt: number): boolean {
    const left = this.#left.get(path);
    // Where a write was announced and none came, what is there now is the user's.
    if (left === undefined ? this.#open.has(path) : left !== now) return true;
    const first = this.prompts.find((at) => at >= prompt && this.#touched.get(at)!.has(path));
    return first !== undefined && first <= (this.#edited.get(path) ?? -Infinity);
  }

  /** Digest of what the agent, or a restore, left in a file; undefined where nothing is recorded of it. */
  leftIn(path: string): string | null | undefined {
    return this.#left.get(path);
  }

  /** What can be brought back besides prompts, the newest first. */
  get saves(): readonly Save[] {
    return this.#saves.toReversed();
  }

  /** The restore that Redo takes back: the last one that stands. */
  get redoable(): Save | undefined {
    return this.#saves.findLast(({ id, reason }) => reason === 'restore' && !this.#redone.has(id));
  }

  /**
   * Files that went back to before a prompt (`from`) at a time (`to`), and were not brought forth again; the same value
   * while nothing changes.
   */
  get restores(): readonly { readonly from: number; readonly to: number; readonly paths: readonly string[] }[] {
    this.#standing ??= this.#saves.flatMap(({ id, at, reason, prompt, files }) =>
      reason === 'restore' && prompt !== undefined && !this.#redone.has(id)
        ? [{ from: prompt, to: at, paths: [...files.keys()].slice(0, MAX_TOLD) }]
        : [],
    );
    return this.#standing;
  }

  /** Everything in the content store that this log names. */
  get stored(): readonly Stored[] {
    return this.#versions.flatMap(({ content, entry, waits }) => [
      ...storedIn(content),
      ...storedIn(waits?.before),
      ...storedInEntry(entry),
    ]);
  }

  /** Bytes of all that it names. */
  get size(): number {
    return [...new Map(this.stored.map(({ name, size }) => [name, size])).values()].reduce(
      (sum, size) => sum + size,
      0,
    );
  }

  get #versions(): Version[] {
    return [...this.#touched.values(), ...this.#saves.map(({ files }) => files)].flatMap((files) => [
      ...files.values(),
    ]);
  }

  #touch(prompt: number, path: string, before: Version): void {
    if (prompt <= this.#floor || !this.needs(prompt, path, modeIn(before))) return;
    let files = this.#touched.get(prompt);
    const known = files?.get(path);
    if (known && this.#open.get(path) !== prompt) {
      // Only permissions were missing.
      const { content } = known;
      if (content?.kind === 'text') files!.set(path, { ...known, content: { ...content, mode: modeIn(before) } });
      return;
    }
    if (!files) {
      // Prompts come in order but for what is read from a file that was written by another clock.
      this.#touched = new Map([...this.#touched, [prompt, (files = new Map())] as const].toSorted(([a], [b]) => a - b));
    }
    files.set(path, before);
    this.#open.set(path, prompt);
  }

  #save(save: Save): void {
    const isUndo = save.reason === 'undo';
    const alike = this.#saves.filter(({ reason }) => (reason === 'undo') === isUndo);
    const oldest = alike.length < (isUndo ? MAX_UNDO_SAVES : MAX_SAVES) ? undefined : alike[0];
    this.#saves = [...this.#saves.filter((other) => other !== oldest), save];
  }

  #wrote(prompt: number, path: string, before: string | null, after: string | null): void {
    const left = this.#left.get(path);
    const isFirst = this.#open.get(path) === prompt;
    // What the user did before the first change after a prompt is part of what that prompt goes back to.
    if (left !== undefined && left !== before)
      this.#edited.set(path, Math.max(this.#edited.get(path) ?? -Infinity, isFirst ? prompt - 0.5 : prompt));
    this.#left.set(path, after);
    this.#open.delete(path);
  }

  #move(from: string, to: string): void {
    const maps: Map<string, unknown>[] = [this.#open, this.#left, this.#edited, ...this.#touched.values()];
    const known = new Set([...maps, ...this.#saves.map(({ files }) => files)].flatMap((map) => [...map.keys()]));
    const targets = new Map<string, string>();
    for (const path of known) {
      const target = movedPath(path, from, to);
      // Another file had that name: what brings back each of them stays.
      if (target !== path && !known.has(target)) targets.set(path, target);
    }
    for (const map of maps) {
      for (const [path, value] of [...map]) {
        const target = targets.get(path);
        if (target === undefined) continue;
        map.delete(path);
        map.set(target, value);
      }
    }
    this.#saves = this.#saves.map((save) => ({
      ...save,
      files: new Map([...save.files].map(([path, version]) => [targets.get(path) ?? path, version])),
    }));
  }
}

/** Permission bits, where they are known. */
export function modeIn({ content }: Version): number | undefined {
  return content && content.kind !== 'absent' ? content.mode : undefined;
}
