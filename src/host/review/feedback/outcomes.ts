import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import { count, decoded, flag, ifRight, objectOf, oneOf, rightOf, text } from '../../../base/decode';
import type { Decision } from '../../../changes/decision';
import { diffOf, hunkDiff, type ReviewNote } from '../../../changes/notes';
import type { UnderReview } from './commentingRanges';
import { outcomesKey } from './stateKeys';

/** The most decisions to send. After a review of thousands of changes the agent does not need each. */
const MAX_OUTCOMES = 500;

/**
 * `offer` sends the user's undone and edited changes unless the user removes them in the panel. `always` sends them.
 * `never` does not.
 */
export type Feedback = 'offer' | 'always' | 'never';

interface Outcome {
  readonly note: ReviewNote;
  /** The session whose agent made the change; only this agent gets the feedback. */
  readonly sessionId: string;
  /** The user wants to send it. */
  readonly isWanted: boolean;
}

export interface OutcomesOptions {
  readonly onDidDecide: Event<Decision>;
  readonly review: Pick<UnderReview, 'onDidChange' | 'placesIn'>;
  readonly labelOf: (path: string) => string;
  readonly feedback: () => Feedback;
  readonly state: vscode.Memento;
}

/** Undone changes, and changes that were kept with edits of the user: feedback that the agent does not have yet. */
export class Outcomes extends Disposable {
  #list: readonly Outcome[];
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: OutcomesOptions) {
    super();
    this.#list = decoded(savedOutcomes, options.state.get(outcomesKey)) ?? [];
    this.register(options.onDidDecide((decision) => this.#add(decision)));
    this.register(options.review.onDidChange(() => this.#forgetRestored()));
  }

  /** Feedback of a session that the user wants to send. */
  wanted(sessionId: string): ReviewNote[] {
    return this.#of(sessionId, true);
  }

  /** Feedback that is sent with the next message unless the user removes it. */
  offered(sessionId: string): ReviewNote[] {
    return this.#of(sessionId, false);
  }

  /** Includes the offered feedback, or drops it. */
  answer(sessionId: string, isWanted: boolean): void {
    this.#set(
      this.#list.flatMap((outcome) => {
        if (outcome.sessionId !== sessionId || outcome.isWanted) return [outcome];
        return isWanted ? [{ ...outcome, isWanted }] : [];
      }),
    );
  }

  remove(ids: ReadonlySet<string>): void {
    this.#set(this.#list.filter(({ note }) => !ids.has(note.id)));
  }

  /** Restores feedback that was taken for a message that was not sent. */
  putBack(sessionId: string, notes: readonly ReviewNote[]): void {
    this.#set([
      ...this.#list,
      ...notes.filter(({ kind }) => kind !== 'comment').map((note) => ({ note, sessionId, isWanted: true })),
    ]);
  }

  /** Forgets the feedback of a closed session, because its agent cannot get it any more. */
  forgetSession(id: string): void {
    this.#set(this.#list.filter(({ sessionId }) => sessionId !== id));
  }

  #of(sessionId: string, isWanted: boolean): ReviewNote[] {
    return this.#list
      .filter((outcome) => outcome.sessionId === sessionId && outcome.isWanted === isWanted)
      .map(({ note }) => note);
  }

  #add(decision: Decision): void {
    const feedback = this.options.feedback();
    if (feedback === 'never') return;
    const fresh = notesOf(decision, this.options.labelOf(decision.path)).map((note): Outcome => ({
      note,
      sessionId: decision.sessionId,
      isWanted: feedback === 'always',
    }));
    const ids = new Set(fresh.map(({ note }) => note.id));
    if (fresh.length > 0)
      this.#set([...this.#list.filter(({ note }) => !ids.has(note.id)), ...fresh].slice(-MAX_OUTCOMES));
  }

  /** Removes feedback on changes that are pending again. */
  #forgetRestored(): void {
    const isBack = ({ note, sessionId }: Outcome) =>
      this.options.review
        .placesIn(note.path)
        .some((place) => place.sessionId === sessionId && (place.hunk?.id ?? '') === hunkIdOf(note));
    if (this.#list.some(isBack)) this.#set(this.#list.filter((outcome) => !isBack(outcome)));
  }

  #set(list: readonly Outcome[]): void {
    if (list.length === this.#list.length && list.every((outcome, i) => outcome === this.#list[i])) return;
    this.#list = list;
    void this.options.state.update(outcomesKey, list.length === 0 ? undefined : list);
    this.#changeEmitter.fire();
  }
}

function notesOf({ sessionId, path, verdict, change, hunks }: Decision, label: string): ReviewNote[] {
  const common = (kind: 'undone' | 'edited', hunkId: string) => ({
    id: `${kind}:${sessionId}:${path}:${hunkId}`,
    kind,
    path,
    label,
    text: '',
  });
  if (verdict === 'undone' && hunks.length === 0) {
    const diff = change.kind === 'deleted' ? diffOf((change.baseline ?? '').split('\n'), []) : '';
    return [{ ...common('undone', ''), first: 1, last: 1, diff }];
  }
  return hunks.flatMap((hunk): ReviewNote[] => {
    const { id, current, baselineLines, agentLines, currentLines, isEdited } = hunk;
    const first = current.start + 1;
    const last = (count: number) => Math.max(first, current.start + count);
    if (verdict === 'undone')
      return [{ ...common('undone', id), first, last: last(baselineLines.length), diff: hunkDiff(hunk) }];
    if (verdict === 'kept' && isEdited)
      return [
        { ...common('edited', id), first, last: last(currentLines.length), diff: diffOf(agentLines, currentLines) },
      ];
    return [];
  });
}

/** The hunk of a note, from the end of the note's id; "" for a file as a whole. */
function hunkIdOf({ id }: ReviewNote): string {
  return id.slice(id.lastIndexOf(':') + 1);
}

const savedNote = objectOf<ReviewNote>({
  id: text,
  kind: oneOf('comment', 'undone', 'edited'),
  path: text,
  label: text,
  first: count,
  last: count,
  isBefore: ifRight(flag),
  text,
  diff: text,
});
const savedOutcomes = rightOf(objectOf<Outcome>({ note: savedNote, sessionId: text, isWanted: flag }));
