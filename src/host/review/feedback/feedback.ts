import type * as vscode from 'vscode';
import { Emitter } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import type { FromWebview } from '../../../protocol/messages';
import type { FileStateView, NotesView } from '../../../protocol/notesView';
import type { ReviewMessage } from '../../../changes/notes';
import type { HunkReview } from '../hunkReview';
import type { FeedbackServices } from './feedbackServices';
import type { Review } from '../review';
import type { ReviewService } from '../../changes/reviewService';
import type { SessionService } from '../../sessions/sessionService';

export interface FeedbackOptions {
  readonly review: Review;
  readonly service: ReviewService;
  readonly sessions: SessionService;
  readonly hunks: () => Promise<HunkReview>;
  readonly state: vscode.Memento;
  readonly log: Logger;
}

const none: readonly FileStateView[] = [];

/** Where comments and decisions are kept; see `LineComments` and `Outcomes`. */
export const commentsKey = 'parley.review.comments';
export const outcomesKey = 'parley.review.outcomes';

/** The way to what tells of a review, which is loaded with the first change, or where an earlier window left something. */
export class Feedback extends Disposable {
  private telling: FeedbackServices | undefined;
  private loading: Promise<FeedbackServices> | undefined;
  private readonly changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: FeedbackOptions) {
    super();
    this.register(options.service.onDidChangeChanges(() => void this.load()));
    if ([commentsKey, outcomesKey].some((key) => options.state.get(key) !== undefined)) void this.load();
  }

  view(sessionId: string): NotesView | undefined {
    return this.telling?.notes.view(sessionId);
  }

  /** What became of the changes of a session, by file. */
  fileStates(sessionId: string): readonly FileStateView[] {
    return this.telling?.tallies.of(sessionId) ?? none;
  }

  /** Takes out what goes with a message of this text. */
  take(text: string, sessionId: string): ReviewMessage | undefined {
    return this.telling?.notes.take(text, sessionId);
  }

  /** Gives back what was taken for a message that is not sent after all. */
  async putBack(message: ReviewMessage | undefined, sessionId: string): Promise<void> {
    if (message) (await this.load()).notes.putBack(message.notes, sessionId);
  }

  async handle(message: Extract<FromWebview, { type: 'notes/act' | 'note/open' | 'note/remove' }>, sessionId: string): Promise<void> {
    await (await this.load()).notes.handle(message, sessionId);
  }

  private load(): Promise<FeedbackServices> {
    return (this.loading ??= import('./feedbackServices').then((lazy) => {
      this.telling = this.register(new lazy.FeedbackServices(this.options));
      this.register(this.telling.notes.onDidChange(() => this.changeEmitter.fire()));
      this.changeEmitter.fire();
      return this.telling;
    }));
  }
}
