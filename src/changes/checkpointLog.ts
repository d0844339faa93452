import { type Content, type Stored, type StoredEntry, storedIn, storedInEntry } from './content';
import { isUnder, movedPath } from './movedFiles';
import type { WholeChange } from './wholeChange';

/** A file's content and its pending change at one moment. */
export interface Version {
  /** Absent: its content is unknown, so nothing brings it back. */
  readonly content?: Content | undefined;
  /** Its `Entry` in the ledger; absent if it had no lines there. */
  readonly entry?: StoredEntry | undefined;
  /** The pending change of the file as a whole. */
  readonly waits?: WholeChange | undefined;
}

/** The action that was about to replace the files. */
export type SaveReason = 'restore' | 'redo' | 'undo';

/** Files from before a restore, a redo, or an Undo that deleted them. */
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
 * An event of the log, in order. A prompt is named by its time (epoch milliseconds), which stays the same when the
 * session is loaded from disk again. `before` and `after` of `wrote` are digests of texts.
 */
export type CheckpointEvent =
  /** The agent is about to change a file. Until it has written, a later event of the same prompt replaces this one. */
  | { readonly type: 'touched'; readonly prompt: number; readonly path: string; readonly before: Version }
  | {
      readonly type: 'wrote';
      readonly prompt: number;
      readonly path: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  /** A restore, or a redo, wrote this text to a file. */
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

/** Older saves are forgotten. Undo makes many small ones, so they have a limit of their own and replace no others. */
const MAX_SAVES = 20;
const MAX_UNDO_SAVES = 200;
/** How many files of one restore the panel gets. */
const MAX_TOLD = 500;

/**
 * The states that one session can be restored to: for each prompt, the files that the agent touched after it, from just
 * before its first change. A restore uses the first version of a file that was recorded at or after the chosen prompt.
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

  /** The range of prompts that can be restored to (both included). Undefined if no file is recorded. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    const last = this.prompts.at(-1);
    return last === undefined ? undefined : { from: this.#floor === -Infinity ? 0 : this.#floor + 1, to: last };
  }

  /** True if anything is recorded for a file, or for files in a folder. */
  has(path: string): boolean {
    return [
      ...this.#left.keys(),
      ...this.since().keys(),
      ...this.#saves.flatMap(({ files }) => [...files.keys()]),
    ].some((other) => isUnder(other, path));
  }

  /** The version of a file that is recorded for a prompt. */
  recorded(prompt: number, path: string): Version | undefined {
    return this.#touched.get(prompt)?.get(path);
  }

  /**
   * True if a change after this prompt has to be recorded.
   * @param mode the agent may change permissions after the text, so a missing mode is recorded too.
   */
  needs(prompt: number, path: string, mode?: number): boolean {
    const known = this.recorded(prompt, path);
    return !known || this.#open.get(path) === prompt || (mode !== undefined && modeIn(known) === undefined);
  }

  /**
   * The files that the agent touched since a prompt, in their state before it. Without `prompt`: since the session
   * began.
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

  /** True if a restore to before `prompt` would remove the user's edits in a file. `now`: the digest of its content. */
  isEdited(path: string, now: string | null, prompt: number): boolean {
    const left = this.#left.get(path);
    // The agent announced a write and made none, so the present content is the user's.
    if (left === undefined ? this.#open.has(path) : left !== now) return true;
    const first = this.prompts.find((at) => at >= prompt && this.#touched.get(at)!.has(path));
    return first !== undefined && first <= (this.#edited.get(path) ?? -Infinity);
  }

  /** Digest of the text that the agent, or a restore, wrote last; undefined if nothing is recorded for the file. */
  leftIn(path: string): string | null | undefined {
    return this.#left.get(path);
  }

  /** Saves that can be restored besides prompts, the newest first. */
  get saves(): readonly Save[] {
    return this.#saves.toReversed();
  }

  /** The restore that Redo reverses: the last one that was not redone. */
  get redoable(): Save | undefined {
    return this.#saves.findLast(({ id, reason }) => reason === 'restore' && !this.#redone.has(id));
  }

  /**
   * Restores that were not redone: their prompt (`from`), their time (`to`) and their files. The value stays the same
   * object until a restore changes it.
   */
  get restores(): readonly { readonly from: number; readonly to: number; readonly paths: readonly string[] }[] {
    this.#standing ??= this.#saves.flatMap(({ id, at, reason, prompt, files }) =>
      reason === 'restore' && prompt !== undefined && !this.#redone.has(id)
        ? [{ from: prompt, to: at, paths: [...files.keys()].slice(0, MAX_TOLD) }]
        : [],
    );
    return this.#standing;
  }

  /** All contents in the store that this log refers to. */
  get stored(): readonly Stored[] {
    return this.#versions.flatMap(storedInVersion);
  }

  /** Total size of these contents, in bytes. */
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
      // The earlier record only lacked permissions.
      const { content } = known;
      if (content?.kind === 'text') files!.set(path, { ...known, content: { ...content, mode: modeIn(before) } });
      return;
    }
    if (!files) {
      // Prompts come in order, except those loaded from a file that a computer with another clock wrote.
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
    // Edits before the first change after a prompt are part of the state that a restore to this prompt brings back.
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
      // Another file already has that name: each file stays restorable under its own name.
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

/** Permission bits, if they are known. */
export function modeIn({ content }: Version): number | undefined {
  return content && content.kind !== 'absent' ? content.mode : undefined;
}

/** The contents in the store that an event refers to. */
export function storedInEvent(event: CheckpointEvent): readonly Stored[] {
  if (event.type === 'touched') return storedInVersion(event.before);
  return event.type === 'saved' ? event.files.flatMap(([, version]) => storedInVersion(version)) : [];
}

function storedInVersion({ content, entry, waits }: Version): readonly Stored[] {
  return [...storedIn(content), ...storedIn(waits?.before), ...storedInEntry(entry)];
}
