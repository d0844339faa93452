import { isSameMode } from '../../../changes/wholeChange';
import { contentOfText, type FileContent, keyOf, sameContent } from './diskContent';
import { type DiskTurns, SKEW_MS } from './diskTurns';
import { type EditorWatch, isUnsavedOver } from '../../files/editorWatch';
import { bytesLike } from '../../files/fileOnDisk';
import type { KeptFiles } from '../keptFiles';
import type { ReviewService } from '../reviewService';
import type { SavedElsewhere } from './savedElsewhere';
import type { TurnRoot } from './turnRoot';

/** A deletion has no time of its own but that of its event, which is late. */
const LATE_MS = 800;
/** The time of a change on disk is that of a clock that ticks coarsely. */
const TICK_MS = 20;

/** What a document showed after its file had changed, until the disk was looked at. */
export interface Followed {
  readonly text: string;
  readonly version: number;
}

/** Who can tell where a content comes from, as long as turns run. */
export interface Witnesses {
  readonly editor: EditorWatch;
  readonly elsewhere: SavedElsewhere | undefined;
  readonly turns: DiskTurns;
  /** By path, the newest last. */
  readonly followed: Map<string, readonly Followed[]>;
}

/** Decides whose a content of a file on disk is, and gives what is an agent's to the review with what was there before. */
export class ContentAttribution {
  /** Files that an agent changed while the user had unsaved work in them; that work outlives the turn. */
  readonly held = new Set<string>();
  /** Told of each change of an agent that was found. */
  found: (path: string) => void = () => undefined;

  constructor(
    private readonly review: ReviewService,
    private readonly kept: Pick<KeptFiles, 'originals' | 'renames'>,
  ) {}

  /**
   * Looks at what a file holds now.
   * @param changedAt when it became that, epoch milliseconds; undefined where that is not known. @param toldAt when it was heard of.
   */
  judge(witnesses: Witnesses, root: TurnRoot, path: string, content: FileContent, changedAt: number | undefined, toldAt: number): void {
    const { review } = this;
    const known = root.get(path);
    const followed = witnesses.followed.get(path)?.at(-1);
    witnesses.followed.delete(path);
    if (known && sameContent(known, content)) {
      if (!isSameMode(known, content)) this.judgeMode(witnesses, root, path, known, content, changedAt ?? toldAt);
      return;
    }
    const text = content.kind === 'text' ? content.text : undefined;
    const turn = witnesses.turns.at(path, changedAt ?? toldAt, changedAt === undefined ? LATE_MS : TICK_MS);
    const isBinary = content.kind === 'binary';
    const isEditors = !isBinary && (witnesses.editor.explains(path, text, known?.kind === 'text' ? known.text : undefined) || witnesses.elsewhere?.explains(path, text, changedAt ?? toldAt) === true);
    // The user has typed on, and it was seen only now: what the agent had written before it comes first.
    if (isEditors && followed && followed.text !== text) return this.judgeBoth(witnesses, root, path, followed.text, content, toldAt);
    const isEdited = turn !== undefined && witnesses.turns.isEdited(turn, path);
    const standing = isBinary ? undefined : review.textNow(path);
    const isOld = !known && (root.isUntouched(path, changedAt) || (changedAt !== undefined && turn !== undefined && changedAt < turn.startedAt - SKEW_MS));
    // Programs make files for a moment; of one that is gone and was not known nothing can be told.
    const isNothing = !known && content.kind === 'absent' && !isEdited && standing === undefined;
    if (!turn || isOld || isNothing || isEditors || (standing && standing.text === text)) {
      void root.set(path, content);
      if (standing && standing.text !== text && !isUnsavedOver(path, text)) review.recordEdit(path, text);
      return;
    }
    const before = known ?? (standing ? contentOfText(standing.text) : witnesses.turns.before(path, content));
    void root.set(path, content, turn.sessionId);
    if (known) this.keepOriginal(path, known, content);
    if (isUnsavedOver(path, text)) this.held.add(path);
    this.record(turn.sessionId, path, before, content);
    this.found(path);
  }

  /** Gives a change of an agent to the review. @param before undefined where nobody knows what it was */
  record(sessionId: string, path: string, before: FileContent | undefined, content: FileContent): void {
    const { review, kept } = this;
    if (before) kept.renames.note(path, keyOf(before), keyOf(content));
    if (before && before.kind !== 'binary' && content.kind !== 'binary' && !review.entry(sessionId, path)?.whole) {
      review.recordChange(sessionId, path, before.kind === 'text' ? before.text : undefined, content.kind === 'text' ? content.text : undefined);
    } else {
      review.recordWhole(sessionId, path, before, content);
    }
  }

  /** Keeps the bytes where Undo could not make them again from the text and the present file. */
  private keepOriginal(path: string, known: FileContent, content: FileContent): void {
    if (known.kind !== 'text' || !known.bytes || (content.kind === 'text' && content.form === known.form && known.form !== 'mixed')) return;
    const { bytes, mode } = known;
    this.kept.originals.keep(path, known.text, { bytes, mode });
    this.kept.originals.keepOlder(path, this.review.baselines(path), mode, (text) => bytesLike(path, bytes, text));
  }

  /** The same content, but it has become a program, or is none any more. Where there are lines to review, these are told alone. */
  private judgeMode(witnesses: Witnesses, root: TurnRoot, path: string, known: FileContent, content: FileContent, at: number): void {
    const turn = witnesses.turns.at(path, at, TICK_MS);
    void root.set(path, content, turn?.sessionId);
    if (turn && this.review.textNow(path) === undefined) this.review.recordWhole(turn.sessionId, path, known, content);
  }

  private judgeBoth(witnesses: Witnesses, root: TurnRoot, path: string, followed: string, content: FileContent, toldAt: number): void {
    this.judge(witnesses, root, path, { kind: 'text', text: followed }, undefined, toldAt);
    this.judge(witnesses, root, path, content, undefined, toldAt);
  }
}
