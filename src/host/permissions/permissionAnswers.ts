import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { onlyAlways } from '../../protocol/permissionChoice';
import { nameOf } from '../../thread/permissionRequests';
import type { PendingPermission } from '../../thread/thread';
import { markedWindow } from '../markedWindow';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { ThreadPanel } from '../panel/threadPanel';
import { type ShownQuestion, shownNext } from './shownQuestion';

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
 * the person has before their eyes, and leads there else; the panel says what that is.
 */
export class PermissionAnswers extends Disposable {
  private shown: ShownQuestion | undefined;
  /** The focus was elsewhere when the person went to a question. */
  private cameFromElsewhere = false;

  constructor(private readonly options: PermissionAnswersOptions) {
    super();
    this.register(options.panel.onDidChangeVisibility((visible) => visible || (this.shown = undefined)));
  }

  /** Whether a permission waits anywhere. */
  get isWaiting(): boolean {
    return this.options.sessions.open.some((session) => permissionsOf(session).length > 0);
  }

  /** The panel has painted another question, or none any more. */
  handleShown(requestId: string | undefined, read: boolean): void {
    this.shown = shownNext(this.shown, requestId, read, this.options.clock.now());
  }

  /**
   * The person's choice in the panel. One for what was asked before the agent changed it does nothing.
   * @param requestId names the request with what it asked when it was drawn, as `nameOf`.
   * @param note what they want instead; it follows as a message.
   */
  async select(requestId: string, optionId: string, note?: string): Promise<void> {
    const session = this.options.sessions.open.find((candidate) => permissionsOf(candidate).some(({ permission }) => nameOf(permission) === requestId));
    if (!session?.session.selectPermission(requestId, optionId)) return this.options.log.debug('A choice for a question that does not wait any more was ignored');
    if (note !== undefined) await session.queue.reply({ text: note, mentions: [], attachments: [] });
  }

  /** An answer that the agent would remember is given by its own command, or in the card. */
  allow(): Promise<void> {
    return this.answer(({ subject }) => subject.options.find(({ kind }) => kind === 'allow_once'));
  }

  /** Where the agent offers several that it would remember, the person chooses in the card. */
  allowAlways(): Promise<void> {
    return this.answer(({ subject }) => onlyAlways(subject.options));
  }

  reject(): Promise<void> {
    return this.answer(({ subject }) => subject.options.find(({ kind }) => kind === 'reject_once'));
  }

  /** Shows the question that has waited longest, with the focus on its card and on none of its buttons. */
  async goTo(): Promise<void> {
    const { sessions, panel } = this.options;
    const [oldest] = this.waiting();
    if (!oldest) return void markedWindow.setStatusBarMessage('No agent waits for a permission', 3_000);
    if (!panel.hasFocus) this.cameFromElsewhere = true;
    if (oldest.session !== sessions.active) await sessions.openSession(oldest.session.id);
    await panel.reveal('question');
  }

  /** The person is done with a card. */
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
