import * as l10n from '@vscode/l10n';
import { Emitter } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import type { Said } from '../../../protocol/fromWebview';
import type { NotesView } from '../../../protocol/notesView';
import { notesTitle, placeOf, type ReviewMessage, type ReviewNote } from '../../../changes/notes';
import { openLocation } from '../../platform/links';
import { notesText } from '../../sessions/noteBlocks';
import type { SessionService } from '../../sessions/sessionService';
import type { LineComments } from './lineComments';
import type { Outcomes } from './outcomes';

/** The most rows of the list in the panel. */
const MAX_ITEMS = 100;

export interface ReviewNotesOptions {
  readonly comments: LineComments;
  readonly outcomes: Outcomes;
  readonly sessions: SessionService;
  readonly log: Logger;
}

/** Feedback for the next message: comments on lines, and decisions on changes if the setting allows it. */
export class ReviewNotes extends Disposable {
  readonly #known = new Map<string, NotesView | undefined>();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: ReviewNotesOptions) {
    super();
    for (const source of [options.comments, options.outcomes]) {
      this.register(
        source.onDidChange(() => {
          this.#known.clear();
          this.#changeEmitter.fire();
        }),
      );
    }
  }

  /** The panel's view of the feedback. The same object until something changes; undefined if there is no feedback. */
  view(sessionId = this.options.sessions.active.id): NotesView | undefined {
    if (!this.#known.has(sessionId)) this.#known.set(sessionId, this.#project(sessionId));
    return this.#known.get(sessionId);
  }

  /** Takes the feedback for a message. A command gets none, because most commands read only their own line. */
  take(text: string, sessionId: string): ReviewMessage | undefined {
    if (text.startsWith('/')) return undefined;
    const { comments, outcomes } = this.options;
    outcomes.answer(sessionId, true);
    const notes = this.#pending(sessionId);
    const ids = new Set(notes.map(({ id }) => id));
    comments.setSent(ids, true);
    outcomes.remove(ids);
    // The text is made only once, so that the session shows exactly what was sent.
    return notes.length === 0 ? undefined : { title: notesTitle(notes), text: notesText(notes), notes };
  }

  /** Restores feedback that was taken for a message that was not sent. */
  putBack(notes: readonly ReviewNote[], sessionId: string): void {
    this.options.comments.setSent(new Set(notes.map(({ id }) => id)), false);
    this.options.outcomes.putBack(sessionId, notes);
  }

  /** Handles the user's actions on feedback in the panel. */
  async handle(message: Said<'notes/act' | 'note/open' | 'note/remove'>, sessionId: string): Promise<void> {
    const { comments, outcomes, sessions, log } = this.options;
    if (message.type === 'notes/act') return this.#act(message.act, sessionId);
    const note = this.#pending(sessionId).find(({ id }) => id === message.id);
    if (!note) return;
    if (message.type === 'note/remove') {
      comments.remove(new Set([note.id]));
      outcomes.remove(new Set([note.id]));
    } else if (note.kind === 'comment') await comments.open(note.id);
    else await openLocation(note.path, note.first, sessions.active.cwd, log);
  }

  /** Sends the feedback now, as a message of its own. */
  async send(sessionId = this.options.sessions.active.id): Promise<void> {
    const { sessions } = this.options;
    const notes = this.take('', sessionId);
    if (notes) await sessions.submit({ text: '', mentions: [], attachments: [], notes }, sessions.find(sessionId));
  }

  async #act(act: Said<'notes/act'>['act'], sessionId: string): Promise<void> {
    const { comments, outcomes } = this.options;
    switch (act) {
      case 'send':
        return this.send(sessionId);
      case 'clear': {
        const ids = new Set(this.#pending(sessionId).map(({ id }) => id));
        comments.remove(ids);
        outcomes.remove(ids);
        return;
      }
      case 'leaveOut':
        return outcomes.answer(sessionId, false);
    }
  }

  #pending(sessionId: string): ReviewNote[] {
    return [...this.options.comments.drafts(), ...this.options.outcomes.wanted(sessionId)];
  }

  #project(sessionId: string): NotesView | undefined {
    const pending = this.#pending(sessionId);
    const offered = this.options.outcomes.offered(sessionId);
    if (pending.length === 0 && offered.length === 0) return undefined;
    const items = pending
      .slice(0, MAX_ITEMS)
      .map((note) => ({ id: note.id, kind: note.kind, place: placeOf(note), text: note.text.slice(0, 300) }));
    return { items, title: notesTitle(pending), ...(offered.length === 0 ? {} : { offer: offerOf(offered) }) };
  }
}

function offerOf(offered: readonly ReviewNote[]): string {
  const hasUndone = offered.some(({ kind }) => kind === 'undone');
  const hasEdited = offered.some(({ kind }) => kind !== 'undone');
  if (!hasEdited) return l10n.t('Undone changes will be sent with your next message');
  return hasUndone
    ? l10n.t('Undone and edited changes will be sent with your next message')
    : l10n.t('Edited changes will be sent with your next message');
}
