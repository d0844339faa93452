import { refined, withText } from './editPieces';
import { changeOfLines, type Entry, hasEdits, hasLines, hasOpenLines, isOpen, noLines, rejectedIn } from './entry';
import type { Change, Hunk } from './hunk';
import { withLineFeeds } from './lineFeeds';
import { mergeTexts } from './merge';
import { comingBack, type HunkPiece, isRejected, isUntouched, type Piece, same, textOn, tidy, toLines } from './pieces';
import { buildsOn, builtOn, joinedSteps, orderOf, stepsOf, withKeptTurns, withUndoneTurns } from './turnSteps';
import { isSameForm } from './textForm';
import { type Content, type FilledContent, isSameContent, isSameMode } from './content';
import {
  changeOfWhole,
  isBesideLines,
  isFormChange,
  isPermissionChange,
  turnsOfWhole,
  type WholeChange,
} from './wholeChange';

/**
 * An action on hunks. `undo` restores the baseline's lines, except in hunks that the user has edited since. `restore`
 * brings undone lines back. The others include edited hunks: `agents` takes and keeps the agent's lines, `before`
 * restores the baseline's.
 */
export type Wish = 'undo' | 'restore' | 'agents' | 'before';

/** Limits an action to the changes of one turn. */
export interface OfTurn {
  readonly turn: string | undefined;
  /**
   * If the turn's changes cannot be separated from those of other turns: true includes theirs, false skips the hunk.
   */
  readonly withOthers: boolean;
}

/** The effect of an action on a file. */
export interface Plan {
  /** The new text of the file; undefined deletes it. */
  readonly text: string | undefined;
  /** Ids of hunks that stay because the user has edited them since. */
  readonly conflicts: readonly string[];
  /** True if a file that the agent created would be deleted together with the user's edits. */
  readonly losesEdits: boolean;
}

/**
 * The pending changes of one session. Each file has its baseline, the agent's text and the current text as one list of
 * pieces; edits of the user outside the agent's hunks are in all three. A binary file has its content from before the
 * agent's first change instead. Only `keep` and `done` decide anything; the caller that applies a plan writes the
 * texts.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #told = new WeakMap<Entry | WholeChange, Change>();
  /** The spellings of followed paths, by a key that is the same for all spellings. */
  readonly #spellings = new Map<string, readonly string[]>();
  #lastId = 0;
  #open = 0;

  /** @param keyOf returns the same key for all spellings of a path */
  constructor(private readonly keyOf: (path: string) => string = (path) => path) {}

  /** Number of files with a pending change, in constant time. */
  get count(): number {
    return this.#open;
  }

  /** Files with a pending change, in the order in which the agent first changed them. */
  get changes(): readonly Change[] {
    return this.paths.flatMap((path) => this.get(path) ?? []);
  }

  /** All followed files, including those of which everything was undone. */
  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The spelling of a file's path in this ledger, for any spelling of it; undefined if the file is not followed. */
  pathOf(path: string): string | undefined {
    return this.#entries.has(path) ? path : this.#spellings.get(this.keyOf(path))?.[0];
  }

  /** True if the lines of a file are followed. */
  has(path: string): boolean {
    return this.#lined(path) !== undefined;
  }

  /** The pending change of a file as a whole, a new value after each change; undefined if there is none. */
  whole(path: string): WholeChange | undefined {
    return this.#entries.get(path)?.whole;
  }

  /** All entries, by path. An unchanged entry is the same object. */
  get saved(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** Continues from saved entries; see `savedEntry`. Later changes come through `edited`. */
  restore(saved: ReadonlyMap<string, Entry>): void {
    for (const [path, entry] of saved) {
      if (!this.#entries.has(path)) this.#takeOver(path, entry);
    }
  }

  /** The pending change of a file; undefined if there is none. */
  get(path: string): Change | undefined {
    const whole = this.whole(path);
    const lines = whole && !isBesideLines(whole) ? undefined : this.lines(path);
    return lines ?? (whole && this.#tellOnce(path, whole, () => changeOfWhole(path, whole)));
  }

  /** The change of a file's lines, also if a change as a whole hides it. */
  lines(path: string): Change | undefined {
    const entry = this.#lined(path);
    return entry && hasOpenLines(entry) ? this.#changeOf(path, entry) : undefined;
  }

  /** Hunks of a file that were undone and can be restored, by line. */
  rejected(path: string): readonly Hunk[] {
    const entry = this.#lined(path);
    return entry ? rejectedIn(entry) : [];
  }

  /** True if a turn was undone in a file and can be restored; call `plan` with an empty list of ids for that. */
  hasUndoneTurn(path: string): boolean {
    const entry = this.#lined(path);
    return entry?.undone !== undefined && !entry.isAway;
  }

  /** True if someone other than the agent deleted a file that had a pending or restorable change. */
  isAway(path: string): boolean {
    return this.#entries.get(path)?.isAway === true;
  }

  /** The present text of a file under review, as far as it is known here; undefined once the file is gone. */
  current(path: string): string | undefined {
    const entry = this.#lined(path);
    return entry && this.#changeOf(path, entry).current;
  }

  /**
   * The agent changed a file.
   * @param before its text just before, undefined if it did not exist.
   * @param after its text just after, undefined if it is gone.
   * @param turn the turn of the change; see `Hunk.turns`.
   */
  agentWrote(path: string, before: string | undefined, after: string | undefined, turn?: string): void {
    // Changes since the last event belong to the user.
    this.edited(path, before);
    const fresh = (): Entry => ({
      existed: before !== undefined,
      exists: before !== undefined,
      pieces: [same(toLines(withLineFeeds(before ?? '')))],
    });
    const known = this.#lined(path);
    // If the user had deleted the file, this is a new file.
    const entry = known && !known.isAway ? known : fresh();
    const pieces =
      after === undefined
        ? entry.pieces
        : withText(entry.pieces, withLineFeeds(after), { turn, order: orderOf(entry.pieces, turn) }, this.#nextId);
    const whole = this.whole(path);
    this.#set(path, {
      existed: entry.existed,
      exists: after !== undefined,
      turn: before === after ? entry.turn : turn,
      pieces,
      // A deleted file has no storage form and no permissions.
      whole: after === undefined && isBesideLines(whole) ? undefined : whole,
    });
  }

  /**
   * The agent changed a binary file, permissions, or how a text is stored. Of several changes, the state before the
   * first one is stored.
   * @param before undefined if it is not known.
   */
  agentReplaced(path: string, before: Content | undefined, after: Content, turn?: string): void {
    const known = this.whole(path);
    const first = isPermissionChange(known) ? withModeOf(before, known.before) : known ? known.before : before;
    // The lines of a text have hunks of their own, so only its storage form is compared.
    const isBack =
      first &&
      (isSameContent(first, after) || isFormChange(known)) &&
      isSameMode(first, after) &&
      isSameForm(first, after);
    const earlierTurns = known ? [...(known.earlierTurns ?? []), known.turn].filter((other) => other !== turn) : [];
    this.setWhole(
      path,
      isBack ? undefined : { before: first, after, turn, ...(earlierTurns.length > 0 ? { earlierTurns } : {}) },
    );
  }

  /** Replaces the pending change of a file as a whole. */
  setWhole(path: string, whole: WholeChange | undefined): void {
    this.#set(path, { ...(this.#entries.get(path) ?? noLines), whole });
  }

  /**
   * Someone else changed a file; `text` is undefined if it is gone. Ignored for a file that is not followed.
   * @param isOtherAgent the agent of another session made the change. If it writes lines that the user has undone here,
   * they are its change and not the user's redo.
   */
  edited(path: string, text: string | undefined, isOtherAgent = false): void {
    const entry = this.#lined(path);
    if (!entry) return;
    const now = text === undefined ? undefined : withLineFeeds(text);
    if (now === this.current(path)) return;
    const isBack = entry.undone !== undefined && now === textOn(entry.undone.pieces, 'current') && !isOtherAgent;
    const told = (pieces: readonly Piece[]) =>
      now === undefined ? pieces : withText(pieces, now, 'person', this.#nextId);
    let pieces = isBack ? entry.undone!.pieces : told(entry.pieces);
    if (isOtherAgent) {
      const undone = hunkIds(entry.pieces, isRejected);
      const redone = hunkIds(pieces, (piece) => undone.has(piece.id) && !isRejected(piece));
      if (redone.size > 0)
        pieces = told(
          tidy(
            entry.pieces.map((piece) => (piece.kind === 'hunk' && redone.has(piece.id) ? same(piece.current) : piece)),
          ),
        );
    }
    this.#set(path, {
      ...entry,
      exists: now !== undefined,
      isAway: now === undefined ? true : undefined,
      pieces,
      undone: isBack ? undefined : entry.undone,
    });
  }

  /**
   * The user renamed a file: its change moves with it, unless the new name has a pending change of its own. Then each
   * change stays under its name.
   */
  moved(from: string, to: string): void {
    const entry = this.#entries.get(from);
    if (!entry || (this.#entries.has(to) && !this.isAway(to))) return;
    this.#store(from, undefined);
    this.#store(to, entry);
  }

  /** The user keeps some hunks or the whole file. @param of limits this to the changes of one turn */
  keep(path: string, ids?: readonly string[], of?: OfTurn): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    const chosen = (piece: Piece): piece is HunkPiece =>
      piece.kind === 'hunk' && !isRejected(piece) && isChosen(piece, ids);
    const pieces = tidy(entry.pieces.flatMap((piece) => (chosen(piece) ? this.#kept(piece, of) : [piece])));
    const { whole } = entry;
    const isOfOthers =
      of && isBesideLines(whole) && hasOpenLines(entry) && turnsOfWhole(whole).some((turn) => turn !== of.turn);
    // Keeping a hunk does not keep a deletion or a replacement of the file.
    this.#set(path, {
      ...entry,
      whole: ids || isOfOthers ? whole : undefined,
      existed: ids && !entry.exists ? entry.existed : entry.exists,
      pieces,
      undone: undefined,
    });
  }

  /**
   * Other turns whose changes cannot be separated from those of a turn when it is undone or kept.
   * @param ids hunks; absent: the file as a whole
   */
  tied(
    path: string,
    wish: 'undo' | 'keep',
    ids: readonly string[] | undefined,
    turn: string | undefined,
  ): ReadonlySet<string | undefined> {
    const entry = this.#entries.get(path);
    const of = new Set([turn]);
    if (!entry) return new Set();
    if (entry.whole && !(isBesideLines(entry.whole) && hasOpenLines(entry)))
      return new Set(turnsOfWhole(entry.whole).filter((other) => other !== turn));
    const chosen = entry.pieces.filter(
      (piece) =>
        piece.kind === 'hunk' &&
        !isRejected(piece) &&
        isChosen(piece, ids) &&
        stepsOf(piece).some((step) => step.turn === turn),
    ) as HunkPiece[];
    return new Set(chosen.flatMap((piece) => [...(wish === 'undo' ? builtOn : buildsOn)(piece, of)]));
  }

  /**
   * Makes kept changes pending again.
   * @param kept the entry from before Keep. Later changes of the agent and the user are applied on top of it.
   */
  takeBack(path: string, kept: Entry): void {
    const now = this.#entries.get(path);
    const since = now?.whole;
    const whole = kept.whole && since ? { ...since, before: kept.whole.before } : (kept.whole ?? since);
    const lines = this.#linesTakenBack(now ?? noLines, kept);
    this.#set(path, lines.whole === whole ? lines : { ...lines, whole });
  }

  #linesTakenBack(now: Entry, kept: Entry): Entry {
    if (!hasLines(kept)) return now;
    if (
      !hasLines(now) ||
      (now.exists === kept.exists && textOn(now.pieces, 'current') === textOn(kept.pieces, 'current'))
    )
      return kept;
    let pieces = withText(kept.pieces, textOn(now.pieces, 'baseline'), 'person', this.#nextId);
    for (const { turn, lines } of joinedSteps(now.pieces, false))
      pieces = withText(pieces, lines.join('\n'), { turn, order: orderOf(pieces, turn) }, this.#nextId);
    pieces = withText(pieces, textOn(now.pieces, 'current'), 'person', this.#nextId);
    return { ...now, existed: kept.existed, pieces };
  }

  /** Resets a file to an earlier entry, or stops following it if that is undefined. Hunks keep their ids. */
  put(path: string, entry: Entry | undefined): void {
    if (entry) this.#takeOver(path, entry);
    else this.#store(path, undefined);
  }

  clear(): void {
    this.#entries.clear();
    this.#open = 0;
  }

  /** The effect of an action on the file now; undefined if there is nothing to apply it to. */
  plan(path: string, wish: Wish, ids?: readonly string[], of?: OfTurn): Plan | undefined {
    const entry = this.#lined(path);
    if (!entry || entry.isAway || (of && !entry.exists && entry.turn !== of.turn && !of.withOthers)) return undefined;
    const { text, conflicts } = this.#carriedOut(entry, wish, ids, of);
    // A created file without any hunks left is deleted.
    const goes =
      wish !== 'restore' &&
      wish !== 'agents' &&
      !entry.existed &&
      ((ids === undefined && of === undefined) || text === '');
    if (goes) return { text: undefined, conflicts: [], losesEdits: entry.exists && hasEdits(entry) };
    return { text, conflicts, losesEdits: false };
  }

  /** A plan was applied and left `text`, maybe formatted. Hunks that could not be undone become conflicts. */
  done(path: string, wish: Wish, text: string | undefined, ids?: readonly string[], of?: OfTurn): void {
    const entry = this.#lined(path);
    if (!entry) return;
    const { pieces } = this.#carriedOut(entry, wish, ids, of);
    let { undone } = entry;
    if (wish === 'restore') undone = undefined;
    else if (of && entry.exists && text !== undefined) undone = { pieces: entry.pieces, left: withLineFeeds(text) };
    this.#set(path, { ...entry, exists: text !== undefined, pieces, undone });
    this.edited(path, text);
    if (wish === 'agents') this.keep(path, ids);
  }

  readonly #nextId = (): string => String(++this.#lastId);

  /** An entry of an earlier ledger has its own ids, which no new hunk may reuse. */
  #takeOver(path: string, entry: Entry): void {
    this.#store(path, entry);
    for (const piece of entry.pieces)
      if (piece.kind === 'hunk') this.#lastId = Math.max(this.#lastId, Number(piece.id) || 0);
  }

  /** @returns the rest of a hunk after Keep. */
  #kept(piece: HunkPiece, of: OfTurn | undefined): readonly Piece[] {
    const turns = of && meant(piece, of, buildsOn);
    if (of && !turns) return [piece];
    return !turns || isAllOf(piece, turns) ? [same(piece.current)] : refined(withKeptTurns(piece, turns), this.#nextId);
  }

  #carriedOut(
    { pieces, undone }: Entry,
    wish: Wish,
    ids: readonly string[] | undefined,
    of?: OfTurn,
  ): { pieces: readonly Piece[]; text: string; conflicts: string[] } {
    const conflicts: string[] = [];
    if (wish === 'restore' && undone && ids?.length === 0) {
      // Edits that the user has made since stay.
      const { text } = mergeTexts(undone.left, textOn(pieces, 'current'), textOn(undone.pieces, 'current'));
      return { pieces: withText(undone.pieces, text, 'person', this.#nextId), text, conflicts };
    }
    const result = tidy(
      pieces.flatMap((piece): Piece | readonly Piece[] => {
        if (piece.kind === 'same' || !isChosen(piece, ids)) return piece;
        if (wish === 'restore') return isRejected(piece) ? { ...piece, current: comingBack(piece) } : piece;
        if (isRejected(piece)) return piece;
        if (wish === 'agents') return { ...piece, current: piece.agent, conflicted: false };
        const turns = of && meant(piece, of, builtOn);
        if (of && !turns) return piece;
        if (turns && !isAllOf(piece, turns)) {
          const left = withUndoneTurns(piece, turns);
          if (left) return refined(left, this.#nextId);
          conflicts.push(piece.id);
          return { ...piece, conflicted: true };
        }
        if (wish === 'before' || isUntouched(piece))
          return { ...piece, current: piece.baseline, undone: piece.current, conflicted: false };
        conflicts.push(piece.id);
        return { ...piece, conflicted: true };
      }),
    );
    return { pieces: result, text: textOn(result, 'current'), conflicts };
  }

  /** Removes an entry without changes and without anything to restore. */
  #set(path: string, entry: Entry): void {
    const followsLines =
      hasLines(entry) && (hasOpenLines(entry) || entry.pieces.some((piece) => piece.kind === 'hunk'));
    this.#store(path, followsLines ? entry : entry.whole && { ...noLines, whole: entry.whole });
  }

  /** The entry of a file whose lines are followed. */
  #lined(path: string): Entry | undefined {
    const entry = this.#entries.get(path);
    return entry && hasLines(entry) ? entry : undefined;
  }

  #store(path: string, entry: Entry | undefined): void {
    const before = this.#entries.get(path);
    if (before && isOpen(before)) this.#open--;
    if (entry && isOpen(entry)) this.#open++;
    if (entry) this.#entries.set(path, entry);
    else this.#entries.delete(path);
    if ((before === undefined) === (entry === undefined)) return;
    const key = this.keyOf(path);
    const spellings = (this.#spellings.get(key) ?? []).filter((spelling) => spelling !== path);
    if (entry) spellings.push(path);
    if (spellings.length > 0) this.#spellings.set(key, spellings);
    else this.#spellings.delete(key);
  }

  #changeOf(path: string, entry: Entry): Change {
    return this.#tellOnce(path, entry, () => changeOfLines(path, entry));
  }

  #tellOnce(path: string, of: Entry | WholeChange, make: () => Change): Change {
    let change = this.#told.get(of);
    if (change?.path !== path) this.#told.set(of, (change = make()));
    return change;
  }
}

/**
 * The turns that an action is for in a hunk; undefined if there are none.
 * @param tied finds the other turns that cannot be separated from them
 */
function meant(
  piece: HunkPiece,
  { turn, withOthers }: OfTurn,
  tied: typeof builtOn,
): ReadonlySet<string | undefined> | undefined {
  if (!stepsOf(piece).some((step) => step.turn === turn)) return undefined;
  const turns = new Set([turn]);
  const others = tied(piece, turns);
  return others.size > 0 && !withOthers ? undefined : new Set([...turns, ...others]);
}

function isAllOf(piece: HunkPiece, turns: ReadonlySet<string | undefined>): boolean {
  return stepsOf(piece).every(({ turn }) => turns.has(turn));
}

function hunkIds(pieces: readonly Piece[], isMeant: (piece: HunkPiece) => boolean): ReadonlySet<string> {
  return new Set(pieces.flatMap((piece) => (piece.kind === 'hunk' && isMeant(piece) ? [piece.id] : [])));
}

function isChosen(piece: HunkPiece, ids: readonly string[] | undefined): boolean {
  return ids === undefined || ids.includes(piece.id);
}

/** Of a permission change, the text may have got other lines since. They have hunks. */
function withModeOf(before: Content | undefined, first: FilledContent): Content {
  return before?.kind === 'text' ? { ...before, mode: first.mode } : first;
}
