import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { ChangedFile, ChangeGroup } from '../../changes/changeGroups';
import type { SessionChanges } from '../../changes/scope';
import { maxTextLength, type NewAttachment } from '../attachments/attachment';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { SessionService } from '../sessions/sessionService';
import type { AskAgent } from './askAgent';
import { AskRuns } from './askRuns';
import { type OtherAgents, pickOther } from './continueWith';
import { pendingDiff } from './pendingDiff';
import { readReview, reviewPrompt } from './remarks';
import type { RemarkReference, RemarkThreads } from './remarkThreads';
import { tellLeftOut, tellReview } from './reviewOutcome';
import { NoAnswerGiven } from './separateAnswer';

export interface PendingReviewOptions {
  readonly sessions: Pick<SessionService, 'active' | 'record' | 'openSession'>;
  readonly agents: OtherAgents;
  readonly changes: {
    /** Pending changes, session by session, the oldest first. */
    sessions(): readonly SessionChanges[];
    /** Checks the files for changes of other programs. */
    look(): Promise<void>;
    isGuarded(path: string): boolean;
  };
  readonly threads: () => Promise<Pick<RemarkThreads, 'showOf' | 'openFirst' | 'referenceOf' | 'referencesOfSessions'>>;
  /** Puts a prompt with its context into the message box. */
  readonly fill: AskAgent['fill'];
  readonly log: Logger;
}

/** A row of the tree of changes, as its menu hands it over. */
type Row = ChangeGroup | ChangedFile;

/**
 * Lets an agent review the pending changes of a session, which may be another agent's. It sees only their diffs. Its
 * remarks are comments on the lines, and go to the session as a prompt that the user sends.
 */
export class PendingReview extends Disposable {
  readonly #runs: AskRuns;

  constructor(private readonly options: PendingReviewOptions) {
    super();
    this.#runs = this.register(new AskRuns(options.log));
  }

  /** @param row of the tree's menu; without one, all pending changes of the shown session @param rows all selected */
  async review(row?: unknown, rows?: unknown): Promise<void> {
    const { agents, changes, sessions } = this.options;
    await changes.look();
    const chosen = this.#chosen(Array.isArray(rows) && rows.length > 0 ? rows : [row]);
    if (!chosen)
      return void markedWindow.showInformationMessage(l10n.t('There are no pending changes of an agent to review.'));
    const { sessionId } = chosen;
    const record = sessions.record(sessionId);
    const reviewer = await pickOther(agents, '', l10n.t('Parley: Ask an Agent to Review'));
    const configuration = reviewer === undefined ? undefined : agents.named(reviewer);
    if (!configuration) return;
    const name = plainText(configuration.name, 60);
    const words = {
      title: l10n.t('{0} is reviewing the changes', name),
      busy: l10n.t('An agent is reviewing these changes already.'),
    };
    await this.#runs.run(sessionId, words, async (token) => {
      const made = pendingDiff(chosen.changes, record?.cwd ?? sessions.active.cwd, changes.isGuarded);
      if (made.files.length === 0)
        throw new NoAnswerGiven(
          l10n.t('All changed files are protected, binary or may contain secrets, so there is nothing to review.'),
        );
      const answer = await (await agents.answers()).ask(configuration, reviewPrompt(made), token);
      if (answer === undefined) return;
      const { remarks, rest } = readReview(answer, made.files);
      const threads = await this.options.threads();
      const placed = remarks.map(({ path, line, text }) => ({
        uri: vscode.Uri.file(made.paths.get(path)!),
        line: line - 1,
        text,
      }));
      threads.showOf(sessionId, configuration.name, placed);
      tellLeftOut({ leftOut: made.hidden });
      const author = plainText(record?.agent ?? '', 60);
      const offer = { label: l10n.t('Send All to {0}', author), run: () => this.sendAll(sessionId) };
      void tellReview({ agent: name, count: remarks.length, rest, ...(author === '' ? {} : { offer }) }, threads);
    });
  }

  /** Makes a prompt of one remark for the session whose changes it is about. @param thread of the menu */
  async send(thread: unknown): Promise<void> {
    const reference = (await this.options.threads()).referenceOf(thread);
    if (reference) await this.#send([reference]);
  }

  /** The same for all remarks. @param sessionId by default that of the newest remark */
  async sendAll(sessionId?: string): Promise<void> {
    const all = (await this.options.threads()).referencesOfSessions();
    const wanted = sessionId ?? all.at(-1)?.about?.sessionId;
    await this.#send(all.filter(({ about }) => about?.sessionId === wanted));
  }

  async #send(references: readonly RemarkReference[]): Promise<void> {
    const about = references[0]?.about;
    if (!about) return;
    if (!(await this.options.sessions.openSession(about.sessionId)))
      return void markedWindow.showInformationMessage(l10n.t('The session of these changes no longer exists.'));
    const prompt =
      references.length === 1
        ? l10n.t('Look into the attached remark of {0} on your changes. If it is right, fix the code.', about.agent)
        : l10n.t(
            'Look into the attached remarks of {0} on your changes. Where they are right, fix the code.',
            about.agent,
          );
    await this.options.fill(prompt, [remarksAttachment(about.agent, references)]);
  }

  /** The changes to review: those of the rows, all of one session. */
  #chosen(rows: readonly unknown[]): SessionChanges | undefined {
    const all = this.options.changes.sessions().filter(({ changes }) => changes.length > 0);
    const files = rows.flatMap(filesIn);
    const active = this.options.sessions.active.id;
    const wanted = files[0]?.sessionId ?? active;
    const session = all.find(({ sessionId }) => sessionId === wanted) ?? (files.length > 0 ? undefined : all.at(-1));
    if (!session || files.length === 0) return session;
    const paths = new Set(files.filter(({ sessionId }) => sessionId === wanted).map(({ path }) => path));
    return { ...session, changes: session.changes.filter(({ path }) => paths.has(path)) };
  }
}

function filesIn(row: unknown): ChangedFile[] {
  const known = row as Row | { readonly kind: 'hunk'; readonly file: ChangedFile } | undefined;
  if (known?.kind === 'file') return [known];
  if (known?.kind === 'hunk') return [known.file];
  return known?.kind === 'session' || known?.kind === 'turn' ? known.children.flatMap(filesIn) : [];
}

function remarksAttachment(agent: string, references: readonly RemarkReference[]): NewAttachment {
  const lines = references.map(
    ({ uri, line, text }) => `${vscode.workspace.asRelativePath(uri)}:${line + 1}: ${text}\n`,
  );
  return {
    kind: 'file',
    label: l10n.t('Review by {0}', plainText(agent, 60)),
    detail: references.length === 1 ? l10n.t('1 remark') : l10n.t('{0} remarks', references.length),
    linkable: false,
    uri: `parley:/review/${encodeURIComponent(agent)}`,
    content: lines.join('\n').slice(0, maxTextLength),
    fileName: 'review.txt',
  };
}
