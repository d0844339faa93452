import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import { waitsForUser } from '../../thread/thread';
import { type AttentionItem, badgeOf, isTold, type NotificationKind, notificationOfEnd } from '../../view/attention';
import { markedWindow } from '../platform/markedWindow';
import { ATTENTION_MS, attentionItem } from './attentionItem';
import { notificationSetting, volumeOf } from '../agents/agentSettings';
import type { LiveSession } from '../sessions/liveSession';
import { NotificationThrottle } from './notificationThrottle';
import { plainText } from '../platform/plainText';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanels } from '../panel/chatPanels';

/**
 * Tells the user that an agent waits, has finished or failed, in any session: a number on the view's icon, and for
 * events out of sight a notification, and a sound if enabled. Never takes the focus.
 */
export class Attention extends Disposable {
  #shown = '';
  readonly #desk: NotificationThrottle;

  constructor(
    private readonly sessions: SessionService,
    private readonly panels: ChatPanels,
    clock: Clock,
  ) {
    super();
    this.#desk = this.register(new NotificationThrottle(clock));
    const soon = this.register(new Coalescer(clock, ATTENTION_MS, () => this.#update()));
    this.register(sessions.onDidChange(() => soon.schedule()));
    this.register(sessions.views.onDidSwitch(() => this.#update()));
    this.register(sessions.onDidAsk(({ session }) => this.#offer(session, 'waiting')));
    this.register(sessions.onDidEndTurn(({ session, stopReason }) => this.#handleTurnEnd(session, stopReason)));
    this.register(sessions.onDidClose(({ id }) => this.#desk.over(keyOf(id, 'waiting'))));
    this.register(panels.onDidChangeVisibility(() => this.#handleSight()));
    this.register(vscode.window.onDidChangeWindowState(() => this.#handleSight()));
    this.#update();
  }

  #handleSight(): void {
    for (const { session } of this.sessions.views.all) if (this.sessions.isInSight(session)) session.markRead();
    this.#shown = '';
    this.#update();
  }

  #update(): void {
    const { value, tooltip } = badgeOf(this.sessions.open.map(attentionItem));
    if (tooltip === this.#shown) return;
    this.#shown = tooltip;
    this.panels.setBadge(value, tooltip);
    for (const session of this.sessions.open) if (!waits(session)) this.#desk.over(keyOf(session.id, 'waiting'));
  }

  #handleTurnEnd(session: LiveSession, stopReason: string): void {
    const kind = notificationOfEnd(stopReason);
    // Each turn is a separate event.
    this.#desk.over(keyOf(session.id, 'finished'));
    this.#desk.over(keyOf(session.id, 'failed'));
    if (kind) this.#offer(session, kind);
  }

  /** Several questions of one session are one event: that it waits. */
  #offer(session: LiveSession, kind: NotificationKind): void {
    this.#desk.offer({
      key: keyOf(session.id, kind),
      holds: () =>
        !this.sessions.isInSight(session) &&
        this.sessions.find(session.id) === session &&
        (kind === 'waiting' ? waits(session) : session.unread && !session.session.isRunning),
      tell: () => this.#tell(session, kind),
    });
  }

  #tell(session: LiveSession, kind: NotificationKind): void {
    // A hidden panel is gone and cannot play a sound.
    const volume = this.panels.isVisible ? volumeOf(kind) : undefined;
    if (volume !== undefined) this.panels.postToVisible({ type: 'sound/play', sound: kind, volume });
    if (isTold(kind, notificationSetting(), this.sessions.isInSight(session))) void this.#notify(session, kind);
  }

  async #notify(session: LiveSession, kind: NotificationKind): Promise<void> {
    const words = plainText(notificationWords(kind, attentionItem(session)));
    const show = l10n.t('Show');
    const chosen =
      kind === 'failed'
        ? await markedWindow.showWarningMessage(words, show)
        : await markedWindow.showInformationMessage(words, show);
    if (chosen !== show) return;
    await vscode.commands.executeCommand('parley.openChat', session.id);
  }
}

function notificationWords(kind: NotificationKind, { agent, title, waiting, asker = agent }: AttentionItem): string {
  switch (kind) {
    case 'failed':
      return title === undefined
        ? l10n.t('{0} could not finish', agent)
        : l10n.t('{0} could not finish: {1}', agent, title);
    case 'finished':
      return title === undefined ? l10n.t('{0} has finished', agent) : l10n.t('{0} has finished: {1}', agent, title);
    case 'waiting':
      return l10n.t('{0} asks: {1}', asker, waiting[0] ?? '');
  }
}

function waits({ session }: LiveSession): boolean {
  return waitsForUser(session.thread);
}

function keyOf(id: string, kind: NotificationKind): string {
  return `${kind}:${id}`;
}
