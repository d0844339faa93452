import * as l10n from '@vscode/l10n';
import { askerName } from '../../src/protocol/askerName';
import type { PanelView } from '../../src/protocol/viewModel';
import { Announcer } from '../lib/announce';
import { noticeWords } from './agentNoticeStrip';

/** Says aloud what there is to hear: a question, a sign-in, a notice, a failure, or that the agent has finished. */
export class News {
  private readonly announcer = new Announcer();
  private wasRunning = false;
  private hadFailed = false;
  private announced = new Set<string>();
  private announcedNotice: string | undefined;
  private announcedSignIn: string | undefined;

  get element(): HTMLElement {
    return this.announcer.element;
  }

  /** Follows the panel. */
  tell(panel: PanelView): void {
    const { running } = panel.turn;
    const fresh = panel.pendingQuestions.filter((p) => !this.announced.has(p.requestId));
    this.announced = new Set(panel.pendingQuestions.map((p) => p.requestId));
    const [first] = fresh;
    if (first) this.announcer.announce(first.kind === 'permission' ? l10n.t('{0} asks for permission: {1}', askerName(panel.agent, first.subagent), first.title) : l10n.t('{0} asks: {1}', askerName(panel.agent, first.subagent), first.title));
    else if (panel.signIn && panel.signIn.requestId !== this.announcedSignIn) this.announcer.announce(l10n.t('{0} asks you to sign in.', panel.agent));
    else if (panel.notices.at(-1) !== undefined && panel.notices.at(-1)!.id !== this.announcedNotice) this.announcer.announce(noticeWords(panel.agent, panel.notices.at(-1)!));
    else if (panel.connection.state === 'failed' && !this.hadFailed) this.announcer.announce(panel.connection.title);
    else if (this.wasRunning && !running && panel.connection.state !== 'failed') this.announcer.announce(l10n.t('{0} has finished.', panel.agent));
    this.announcedSignIn = panel.signIn?.requestId;
    this.announcedNotice = panel.notices.at(-1)?.id;
    this.wasRunning = running;
    this.hadFailed = panel.connection.state === 'failed';
  }
}
