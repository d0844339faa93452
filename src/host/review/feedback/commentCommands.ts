import type * as vscode from 'vscode';
import type { HunkReference } from '../hunkLenses';
import type { HunkReview } from '../hunkReview';
import type { LineComments } from './lineComments';
import type { ReviewNotes } from './reviewNotes';

/** The commands of comments on lines; VS Code's comment widgets call most of them. */
export function commentCommands({ comments, notes, hunks }: { readonly comments: LineComments; readonly notes: ReviewNotes; readonly hunks: HunkReview }): Readonly<Record<string, (...args: never[]) => unknown>> {
  return {
    'parley.commentOnChange': (hunk?: HunkReference) => comments.begin(hunks.chosenPlaces(hunk)[0]),
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
