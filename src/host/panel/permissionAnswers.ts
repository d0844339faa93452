import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { PermissionSubject } from '../../permission/subject';
import { onlyAlways } from '../../protocol/permissionOptions';
import { askerName } from '../../protocol/questionView';
import { nameOf } from '../../thread/permissionRequests';
import { subagentOf } from '../../thread/subagents';
import type { PendingPermission } from '../../thread/thread';
import { markedWindow } from '../platform/markedWindow';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanels } from './chatPanels';

/** A request that is on screen for less time, in ms, takes no answer: the key was meant for something else. */
const inertMs = 400;

export interface PermissionAnswersOptions {
  readonly sessions: Pick<SessionService, 'open' | 'openSession' | 'views'>;
  readonly panels: Pick<ChatPanels, 'reveal' | 'post' | 'hasFocus' | 'focusEditor' | 'onDidChangeVisibility'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A pending permission request, and its session. */
interface Waiting {
  readonly session: LiveSession;
  readonly permission: PendingPermission;
  /** The name of the subagent that asks. */
  readonly subagent: string | undefined;
  readonly askedAt: number;
}

/**
 * Answers permission requests of any session for the panel and for commands. A command answers only the request that
 * the user has in view, as the panel reports it; otherwise it leads to the request.
 */
export class PermissionAnswers extends Disposable {
  readonly #shown = new WeakMap<ChatView, ShownRequest>();
  /** The requests whose proposed changes are open in a diff, by the document on its right. */
  readonly #diffs = new Map<string, string>();
  /** True if the focus was outside the panel when the user went to a request. */
  #cameFromElsewhere = false;

  constructor(private readonly options: PermissionAnswersOptions) {
    super();
    this.register(options.panels.onDidChangeVisibility((view) => view.isVisible || this.#shown.delete(view)));
  }

  /** True if a permission request is pending in any session. */
  get isWaiting(): boolean {
    return this.options.sessions.open.some((session) => permissionsOf(session).length > 0);
  }

  /** A view has painted another request, or no longer shows one. */
  handleShown(view: ChatView, requestId: string | undefined, read: boolean): void {
    const next = shownNext(this.#shown.get(view), requestId, read, this.options.clock.now());
    if (next) this.#shown.set(view, next);
    else this.#shown.delete(view);
  }

  /**
   * The user's choice in the panel. A choice has no effect on a request that the agent has changed since.
   * @param requestId identifies the request as drawn, see `nameOf`.
   * @param note the user's reason; it follows as a message.
   */
  async select(requestId: string, optionId: string, note?: string): Promise<void> {
    const session = this.#find(requestId)?.session;
    if (!session?.session.selectPermission(requestId, optionId))
      return this.options.log.debug('A choice for a question that does not wait any more was ignored');
    if (note !== undefined) await session.queue.reply({ text: note, mentions: [], attachments: [] });
  }

  /**
   * Lets the user choose among all options of a request. The card shows only the first ones.
   * @param requestId as for `select`
   */
  async showOptions(requestId: string): Promise<void> {
    const found = this.#find(requestId);
    if (!found) return;
    const { pickAnswer } = await import('./pickAnswer');
    const chosen = await pickAnswer(
      found.permission.subject,
      askerName(found.session.agent || l10n.t('The agent'), found.subagent),
    );
    if (!chosen) return;
    if (!this.#find(requestId))
      void markedWindow.showInformationMessage(l10n.t('This request has changed or ended. Parley sent no answer.'));
    else await this.select(requestId, chosen);
  }

  /** The subject of a request, and its session. @param requestId as for `select` */
  subjectOf(
    requestId: string,
  ): { readonly subject: PermissionSubject; readonly cwd: string; readonly roots: readonly string[] } | undefined {
    const found = this.#find(requestId);
    return found && { subject: found.permission.subject, cwd: found.session.cwd, roots: found.session.roots };
  }

  /** Answers only this request. A permanent answer has its own command, or is given in the card. */
  allow(): Promise<void> {
    return this.#answer(({ subject }) => subject.options.find(({ kind }) => kind === 'allow_once'));
  }

  /** If there are several permanent answers, the user chooses in the card. */
  allowAlways(): Promise<void> {
    return this.#answer(({ subject }) => onlyAlways(subject.options));
  }

  reject(): Promise<void> {
    return this.#answer(({ subject }) => subject.options.find(({ kind }) => kind === 'reject_once'));
  }

  /** Connects a diff with the request that it shows. @param document on its right @param requestId as for `select` */
  addDiff(document: vscode.Uri, requestId: string): void {
    for (const [other, asked] of this.#diffs) if (!this.#find(asked)) this.#diffs.delete(other);
    this.#diffs.set(document.toString(), requestId);
  }

  /** Answers from the title of such a diff, and closes it. As with the keys, the request must have been read. */
  async answerDiff(document: vscode.Uri | undefined, kind: 'allow_once' | 'reject_once'): Promise<void> {
    const key = document?.toString() ?? '';
    const found = this.#find(this.#diffs.get(key) ?? '');
    if (!found)
      return void markedWindow.showInformationMessage(
        l10n.t('This request has changed or ended. Parley sent no answer.'),
      );
    const name = nameOf(found.permission);
    const isRead = this.options.sessions.views.all.some(
      (view) => this.#shown.get(view)?.requestId === name && this.#shown.get(view)?.read,
    );
    const option = found.permission.subject.options.find((other) => other.kind === kind);
    if (!isRead || !option) return this.#show(found, isRead ? 'question' : 'unread');
    this.#diffs.delete(key);
    found.session.session.selectPermission(name, option.optionId);
    const tab = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === key);
    if (tab) await vscode.window.tabGroups.close(tab);
  }

  /** Shows the oldest request. Focuses its card and none of its buttons. */
  async goTo(): Promise<void> {
    await this.#show(this.#waiting()[0], 'question');
  }

  /** @param target `unread` if the user tried to answer before reading, which the panel mentions */
  async #show(waiting: Waiting | undefined, target: 'question' | 'unread'): Promise<void> {
    const { sessions, panels } = this.options;
    if (!waiting) return void markedWindow.setStatusBarMessage(l10n.t('No pending permission requests'), 3_000);
    if (!panels.hasFocus) this.#cameFromElsewhere = true;
    if (waiting.session !== sessions.views.active.session) await sessions.openSession(waiting.session.id);
    await panels.reveal(target);
  }

  /** Called when the user leaves a card. */
  async leave(): Promise<void> {
    if (this.#cameFromElsewhere) {
      this.#cameFromElsewhere = false;
      await this.options.panels.focusEditor();
    } else await this.options.panels.post({ type: 'focus/set', target: 'composer' });
  }

  async #answer(choose: (permission: PendingPermission) => { readonly optionId: string } | undefined): Promise<void> {
    // A key is about the request in the last used view.
    const shown = this.#shown.get(this.options.sessions.views.active);
    const waiting = this.#waiting();
    const found = waiting.find(({ permission }) => nameOf(permission) === shown?.requestId);
    const since = found ? shown!.since : (waiting[0]?.askedAt ?? 0);
    // Also ignores the second press of a key whose first press answered the shown request.
    if (this.options.clock.now() - since < inertMs || (shown && !found))
      return this.options.log.debug('An answer that came in the moment when the question appeared was ignored');
    const option = found && choose(found.permission);
    if (!found || !shown?.read) return this.#show(found ?? waiting[0], 'unread');
    if (!option) return this.#show(found, 'question');
    found.session.session.selectPermission(nameOf(found.permission), option.optionId);
  }

  /** @param requestId see `nameOf`: a request that the agent has changed since is not found. */
  #find(requestId: string): Waiting | undefined {
    return this.#waiting().find(({ permission }) => nameOf(permission) === requestId);
  }

  /** The oldest first. */
  #waiting(): Waiting[] {
    return this.options.sessions.open.flatMap(permissionsOf).sort((a, b) => a.askedAt - b.askedAt);
  }
}

function permissionsOf(session: LiveSession): Waiting[] {
  const { thread } = session.session;
  return thread.waiting.flatMap(({ requestId, index, at }): Waiting[] => {
    const entry = thread.entries.at(index);
    const permission =
      entry?.kind === 'toolCall' ? entry.permissions.find((item) => item.requestId === requestId) : undefined;
    return entry?.kind === 'toolCall' && permission
      ? [{ session, permission, subagent: subagentOf(thread, entry), askedAt: at }]
      : [];
  });
}

/** The request that the keys answer, as the panel shows it. */
interface ShownRequest {
  readonly requestId: string;
  /** True if all of it is or was in view; otherwise it is a line that leads to its card. */
  readonly read: boolean;
  /** The time from which it is shown in this way, in ms of the clock. */
  readonly since: number;
}

/**
 * The shown request after the panel has painted. If a line becomes a card, it is the same request. But its time begins
 * anew if the line did not show all of it, so that a key that was meant to lead to the card answers nothing.
 */
export function shownNext(
  before: ShownRequest | undefined,
  requestId: string | undefined,
  read: boolean,
  now: number,
): ShownRequest | undefined {
  if (requestId === undefined) return undefined;
  const isSame = before?.requestId === requestId && (before.read || !read);
  return { requestId, read, since: isSame ? before.since : now };
}
