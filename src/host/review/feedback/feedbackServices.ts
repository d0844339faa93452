import * as vscode from 'vscode';
import { Disposable } from '../../../base/lifecycle';
import { notesTitle, type ReviewMessage } from '../../../changes/notes';
import { hunksOfDiff } from '../../../changes/tally';
import { labelOfPath } from '../../../view/labels';
import { LineComments } from './lineComments';
import { notesText } from '../../sessions/noteBlocks';
import { Outcomes, type Telling } from './outcomes';
import { ReviewNotes } from './reviewNotes';
import type { FeedbackOptions } from './feedback';
import type { HunkReference } from '../hunkLenses';
import type { HunkReview } from '../hunkReview';
import { FileTallies } from '../fileTallies';
import { openLocation } from '../../platform/links';
import type { Place } from '../../../changes/places';

/** What tells of a review: comments and decisions to the agent, and to its cards in the thread. Loaded once there is one. */
export class FeedbackServices extends Disposable {
  readonly notes: ReviewNotes;
  readonly tallies: FileTallies;

  constructor({ review, service, sessions, hunks, state, log }: FeedbackOptions) {
    super();
    const labelOf = (path: string) => labelOfPath(path, sessions.active.cwd);
    const comments = this.register(new LineComments({ review, state, labelOf }));
    const outcomes = this.register(
      new Outcomes({
        onDidDecide: service.decisions.onDidDecide,
        onDidChangeReview: review.onDidChange,
        placesIn: (path) => review.placesIn(path),
        labelOf,
        telling: (setting) => vscode.workspace.getConfiguration('parley.review').get<Telling>(setting, 'ask'),
        state,
      }),
    );
    const submit = (notes: ReviewMessage, id: string) => sessions.submit({ text: '', mentions: [], attachments: [], notes }, sessions.find(id));
    this.notes = this.register(new ReviewNotes({ comments, outcomes, sessionId: () => sessions.active.id, submit, openPath: (path, line) => openLocation(path, line, sessions.active.cwd, log), messageOf }));
    this.tallies = this.register(new FileTallies(service));
    this.register(
      sessions.onDidDelete(({ id }) => {
        outcomes.forgetSession(id);
        this.tallies.forget(id);
      }),
    );
    for (const [id, run] of Object.entries(commentCommands({ comments, notes: this.notes, hunks }))) this.register(vscode.commands.registerCommand(id, run));
    const update = () => void vscode.commands.executeCommand('setContext', 'parley.hasNotes', (this.notes.view()?.items.length ?? 0) > 0);
    this.register(this.notes.onDidChange(update));
    update();
  }
}

/** The commands of comments on lines; VS Code's comment widgets call most of them. */
function commentCommands({ comments, notes, hunks }: { readonly comments: LineComments; readonly notes: ReviewNotes; readonly hunks: () => Promise<HunkReview> }): Readonly<Record<string, (...args: never[]) => unknown>> {
  return {
    'parley.commentOnChange': async (hunk?: HunkReference) => comments.begin((await hunks()).chosenPlaces(hunk)[0]),
    'parley.sendComments': () => notes.send(),
    'parley.addComment': (reply: vscode.CommentReply) => comments.add(reply),
    'parley.sendComment': (reply: vscode.CommentReply) => {
      comments.add(reply);
      return notes.send();
    },
    'parley.editComment': (comment: vscode.Comment) => comments.edit(comment),
    'parley.saveComment': (comment: vscode.Comment) => comments.endEdit(comment, true),
    'parley.cancelComment': (comment: vscode.Comment) => comments.endEdit(comment, false),
    'parley.deleteComment': (comment: vscode.Comment) => comments.deleteComment(comment),
    'parley.deleteCommentThread': (thread: vscode.CommentThread) => comments.deleteThread(thread),
  };
}

/** What goes out as one message, with its words made once: the thread shows what was sent. */
function messageOf(notes: ReviewMessage['notes']): ReviewMessage {
  return { title: notesTitle(notes), text: notesText(notes), notes };
}

/** The first place in a file that comes from one diff of an agent; the texts are undefined where it sent none. */
export function placeOfDiff(places: readonly Place[], oldText: string | undefined, newText: string | undefined): Place | undefined {
  const own = hunksOfDiff(places.flatMap(({ hunk }) => hunk ?? []), oldText, newText);
  return places.find(({ hunk }) => hunk && own.includes(hunk)) ?? places[0];
}
