import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Place } from '../../changes/places';
import { hunksOfDiff } from '../../changes/tally';
import { userEnvironment } from '../../node/environment';
import { turnTitle } from '../../thread/threadTurns';
import { labelOfPath } from '../../view/labels';
import { autoKeepMode, feedbackSetting } from '../agents/agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { AutoKeep } from './autoKeep';
import { ChangeBadges } from './changeBadges';
import { ChangeCommands } from './changeCommands';
import { ChangesTree } from './changesTree';
import { LineComments } from './feedback/lineComments';
import { Outcomes } from './feedback/outcomes';
import { ReviewNotes } from './feedback/reviewNotes';
import { DocumentPlaces } from './documentPlaces';
import { FileTallies } from './fileTallies';
import { TurnDiffs } from './turnDiffs';
import { HeadMoves } from './headMoves';
import { HunkDecorations } from './hunkDecorations';
import { HunkLenses, type HunkReference } from './hunkLenses';
import { HunkReview } from './hunkReview';
import type { PanelReviewOptions } from './panelReview';

/** Characters of a subagent's name beside a hunk. */
const longestName = 60;

/**
 * The part of the review that nobody needs before the first change: pending changes in editors, the Explorer and the
 * tree, feedback to the agent, and Keep without a click.
 */
export class OpenReview extends Disposable {
  readonly hunks: HunkReview;
  readonly notes: ReviewNotes;
  readonly tallies: FileTallies;
  readonly #diffs = new TurnDiffs();
  /** Absent until the user wants it. */
  #autoKeep: AutoKeep | undefined;

  /** @param changed called when the panel has something else to show */
  constructor(
    private readonly options: PanelReviewOptions,
    changed: () => void,
  ) {
    super();
    const { clock, review, service, sessions, state, log } = options;
    const documents = this.register(new DocumentPlaces(review, clock));
    this.hunks = this.register(new HunkReview(review, documents));
    this.register(new HunkDecorations(documents));
    this.register(new HunkLenses(review, documents, this.#subagentsOf));
    this.register(new ChangeBadges(review));
    this.#addTree();

    const labelOf = (path: string) => labelOfPath(path, sessions.active.cwd);
    const comments = this.register(new LineComments({ review, state, clock, labelOf }));
    const outcomes = this.register(
      new Outcomes({
        onDidDecide: service.decisions.onDidDecide,
        review,
        labelOf,
        feedback: feedbackSetting,
        state,
      }),
    );
    this.notes = this.register(new ReviewNotes({ comments, outcomes, sessions, log }));
    this.tallies = this.register(new FileTallies(service, (id) => sessions.find(id), this.#diffs));
    this.register(
      sessions.onDidDelete(({ id }) => {
        outcomes.forgetSession(id);
        this.tallies.forget(id);
      }),
    );
    this.#addCommentCommands(comments);
    const update = () =>
      void vscode.commands.executeCommand('setContext', 'parley.hasNotes', (this.notes.view()?.items.length ?? 0) > 0);
    this.register(this.notes.onDidChange(update));
    this.register(this.notes.onDidChange(changed));
    update();

    this.#keepAutomatically();
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('parley.review')) return;
        this.#keepAutomatically();
        this.#autoKeep?.update();
      }),
    );
  }

  /** The subagents that made a hunk, in words; empty if it is the agent's own. */
  readonly #subagentsOf = ({ sessionId, path, hunk }: Pick<Place, 'sessionId' | 'path' | 'hunk'>): string => {
    const live = this.options.sessions.find(sessionId);
    if (!live || !hunk) return '';
    const names = this.#diffs.subagentsOf(live, path, hunk);
    return names.map((name) => l10n.t('subagent “{0}”', plainText(name, longestName))).join(', ');
  };

  #addTree(): void {
    const { review, sessions, state } = this.options;
    const tree = this.register(
      new ChangesTree({
        review,
        state,
        cwd: (id) => sessions.find(id)?.cwd ?? sessions.record(id)?.cwd ?? sessions.active.cwd,
        sessionTitle: (id) => sessions.record(id)?.ownTitle ?? sessions.record(id)?.title,
        turnTitle: (id, turn) => turnTitle(sessions.find(id)?.session.thread, turn),
        subagentsOf: this.#subagentsOf,
      }),
    );
    const shown = () => {
      const { id } = sessions.active.session;
      return { sessionId: id, turn: sessions.turnOf(id) };
    };
    this.register(
      new ChangeCommands({
        review,
        tree,
        goTo: (place) => this.hunks.goTo(place),
        shown,
      }),
    );
  }

  /** The commands of comments on lines; VS Code's comment widgets call most of them. */
  #addCommentCommands(comments: LineComments): void {
    const table: Readonly<Record<string, (...args: never[]) => unknown>> = {
      'parley.commentOnChange': (hunk?: HunkReference) => comments.begin(this.hunks.chosen(hunk)[0]),
      'parley.sendComments': () => this.notes.send(),
      'parley.addComment': (reply: vscode.CommentReply) => comments.add(reply),
      'parley.sendComment': (reply: vscode.CommentReply) => {
        comments.add(reply);
        return this.notes.send();
      },
      'parley.editComment': (comment: vscode.Comment) => comments.edit(comment),
      'parley.saveComment': (comment: vscode.Comment) => comments.endEdit(comment, true),
      'parley.cancelComment': (comment: vscode.Comment) => comments.endEdit(comment, false),
      'parley.deleteComment': (comment: vscode.Comment) => comments.deleteComment(comment),
      'parley.deleteCommentThread': (thread: vscode.CommentThread) => comments.deleteThread(thread),
    };
    for (const [id, run] of Object.entries(table)) this.register(vscode.commands.registerCommand(id, run));
  }

  #keepAutomatically(): void {
    if (this.#autoKeep || autoKeepMode() === 'never') return;
    const { review, sessions, clock, log } = this.options;
    this.#autoKeep = this.register(
      new AutoKeep({
        review,
        heads: this.register(new HeadMoves(userEnvironment, log)),
        mode: autoKeepMode,
        sessions,
        told: (files) => void tellKept(files),
        clock,
      }),
    );
  }
}

/** Says that changes were kept without a click, and offers to take that back. */
async function tellKept(files: number): Promise<void> {
  const action = l10n.t('Undo');
  const message = files === 1 ? l10n.t('Kept the changes in 1 file.') : l10n.t('Kept the changes in {0} files.', files);
  if ((await markedWindow.showInformationMessage(message, action)) === action)
    await vscode.commands.executeCommand('parley.undoLastKeep');
}

/** The first place in a file that comes from one diff of an agent; the texts are undefined where it sent none. */
export function placeOfDiff(
  places: readonly Place[],
  oldText: string | undefined,
  newText: string | undefined,
): Place | undefined {
  const own = hunksOfDiff(
    places.flatMap(({ hunk }) => hunk ?? []),
    oldText,
    newText,
  );
  return places.find(({ hunk }) => hunk && own.includes(hunk)) ?? places[0];
}
