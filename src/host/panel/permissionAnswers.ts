import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { kindWords, optionLabels } from '../../protocol/optionLabel';
import { onlyAlways } from '../../protocol/permissionChoice';
import { nameOf } from '../../thread/permissionRequests';
import type { PendingPermission } from '../../thread/thread';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { ThreadPanel } from './threadPanel';
import { type ShownRequest, shownNext } from './shownRequest';

/** What was on screen for less time, in ms, takes no answer: the key was meant for something else. */
const inertMs = 400;

export interface PermissionAnswersOptions {
  readonly sessions: Pick<SessionService, 'open' | 'openSession' | 'active'>;
  readonly panel: Pick<ThreadPanel, 'reveal' | 'post' | 'hasFocus' | 'onDidChangeVisibility'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A permission that waits, and where. */
interface Waiting {
  readonly session: LiveSession;
  readonly permission: PendingPermission;
  readonly askedAt: number;
}

/**
 * Answers permissions for the panel and for the commands, in whichever session they wait. A command answers only what
 * the user has before their eyes, and leads there else; the panel says what that is.
 */
export class PermissionAnswers extends Disposable {
  private shown: ShownRequest | undefined;
  /** The focus was elsewhere when the user went to a request. */
  private cameFromElsewhere = false;

  constructor(private readonly options: PermissionAnswersOptions) {
    super();
    this.register(options.panel.onDidChangeVisibility((visible) => visible || (this.shown = undefined)));
  }

  /** Whether a permission waits anywhere. */
  get isWaiting(): boolean {
    return this.options.sessions.open.some((session) => permissionsOf(session).length > 0);
  }

  /** The panel has painted another request, or none any more. */
  handleShown(requestId: string | undefined, read: boolean): void {
    this.shown = shownNext(this.shown, requestId, read, this.options.clock.now());
  }

  /**
   * The user's choice in the panel. One for what was asked before the agent changed it does nothing.
   * @param requestId names the request with what it asked when it was drawn, as `nameOf`.
   * @param note what they want instead; it follows as a message.
   */
  async select(requestId: string, optionId: string, note?: string): Promise<void> {
    const session = this.find(requestId)?.session;
    if (!session?.session.selectPermission(requestId, optionId)) return this.options.log.debug('A choice for a question that does not wait any more was ignored');
    if (note !== undefined) await session.queue.reply({ text: note, mentions: [], attachments: [] });
  }

  /** Lets the user choose among all options of a request, of which the card shows the first. @param requestId as for `select` */
  async showOptions(requestId: string): Promise<void> {
    const subject = this.find(requestId)?.permission.subject;
    if (!subject) return;
    const labels = optionLabels(subject.options);
    const items = subject.options.map(({ kind, optionId }, i) => ({ label: plainText(labels[i]!.text), description: kind === 'other' ? '' : kindWords[kind], detail: plainText(labels[i]!.quoted ?? labels[i]!.whole ?? '', 1_000), optionId }));
    const chosen = await markedWindow.showQuickPick(items, { title: plainText(subject.title, 100), placeHolder: l10n.t('Select an answer'), matchOnDescription: true, matchOnDetail: true });
    if (!chosen) return;
    if (!this.find(requestId)) void markedWindow.showInformationMessage(l10n.t('This request has changed or is over. Nothing was answered.'));
    else await this.select(requestId, chosen.optionId);
  }

  /** An answer that the agent would remember is given by its own command, or in the card. */
  allow(): Promise<void> {
    return this.answer(({ subject }) => subject.options.find(({ kind }) => kind === 'allow_once'));
  }

  /** Where the agent offers several that it would remember, the user chooses in the card. */
  allowAlways(): Promise<void> {
    return this.answer(({ subject }) => onlyAlways(subject.options));
  }

  reject(): Promise<void> {
    return this.answer(({ subject }) => subject.options.find(({ kind }) => kind === 'reject_once'));
  }

  /** Shows the request that has waited longest, with the focus on its card and on none of its buttons. */
  async goTo(): Promise<void> {
    const { sessions, panel } = this.options;
    const [oldest] = this.waiting();
    if (!oldest) return void markedWindow.setStatusBarMessage(l10n.t('No pending permission requests'), 3_000);
    if (!panel.hasFocus) this.cameFromElsewhere = true;
    if (oldest.session !== sessions.active) await sessions.openSession(oldest.session.id);
    await panel.reveal('question');
  }

  /** The user is done with a card. */
  async leave(): Promise<void> {
    if (this.cameFromElsewhere) {
      this.cameFromElsewhere = false;
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    } else await this.options.panel.post({ type: 'focus/set', target: 'composer' });
  }

  private async answer(choose: (permission: PendingPermission) => { readonly optionId: string } | undefined): Promise<void> {
    const { shown } = this;
    const waiting = this.waiting();
    const found = waiting.find(({ permission }) => nameOf(permission) === shown?.requestId);
    const since = found ? shown!.since : (waiting[0]?.askedAt ?? 0);
    // Also the second press of a key whose first has answered what was shown.
    if (this.options.clock.now() - since < inertMs || (shown && !found)) return this.options.log.debug('An answer that came in the moment when the question appeared was ignored');
    const option = found && choose(found.permission);
    if (!found || !option || !shown?.read) return this.goTo();
    found.session.session.selectPermission(nameOf(found.permission), option.optionId);
  }

  /** @param requestId as `nameOf`: one that the agent has changed since is not found. */
  private find(requestId: string): Waiting | undefined {
    return this.waiting().find(({ permission }) => nameOf(permission) === requestId);
  }

  /** The oldest first. */
  private waiting(): Waiting[] {
    return this.options.sessions.open.flatMap(permissionsOf).sort((a, b) => a.askedAt - b.askedAt);
  }
}

function permissionsOf(session: LiveSession): Waiting[] {
  const { thread } = session.session;
  return thread.waiting.flatMap(({ requestId, index, at }): Waiting[] => {
    const entry = thread.entries.at(index);
    const permission = entry?.kind === 'toolCall' ? entry.permissions.find((item) => item.requestId === requestId) : undefined;
    return permission ? [{ session, permission, askedAt: at }] : [];
  });
}
