import * as l10n from '@vscode/l10n';
import { askerName } from '../../src/protocol/askerName';
import type { PanelView } from '../../src/protocol/viewModel';
import { Announcer } from '../lib/announce';
import { noticeWords } from './agentNoticeStrip';

/** Says aloud what there is to hear: a question, a sign-in, a notice, a failure, or that the agent has finished. */
export class News {
  readonly #announcer = new Announcer();
  #wasRunning = false;
  #hadFailed = false;
  #announced = new Set<string>();
  #heardNotices = new Set<string>();
  #thread: string | undefined;
  #announcedSignIn: string | undefined;

  get element(): HTMLElement {
    return this.#announcer.element;
  }

  /** Says what a part has to say, e.g. that something was copied. */
  say(text: string): void {
    this.#announcer.announce(text);
  }

  /** Follows the panel. When the user switches to another thread, only requests in it are announced. */
  tell(panel: PanelView, thread: string | undefined): void {
    const isSame = this.#thread === undefined || this.#thread === thread;
    this.#thread = thread;
    if (!isSame) this.#heardNotices.clear();
    const { running } = panel.turn;
    const hasFailed = panel.connection.state === 'failed';
    const notice = panel.notices.at(-1);
    const fresh = panel.pendingQuestions.filter((p) => !this.#announced.has(p.requestId));
    this.#announced = new Set(panel.pendingQuestions.map((p) => p.requestId));
    const [first] = fresh;
    if (first) this.#announcer.announce(first.kind === 'permission' ? l10n.t('{0} asks for permission: {1}', askerName(panel.agent, first.subagent), first.title) : l10n.t('{0} asks: {1}', askerName(panel.agent, first.subagent), first.title));
    else if (panel.signIn && panel.signIn.requestId !== this.#announcedSignIn) this.#announcer.announce(l10n.t('{0} asks you to sign in.', panel.agent));
    else if (isSame && notice && !this.#heardNotices.has(notice.id)) this.#announcer.announce(noticeWords(panel.agent, notice));
    else if (isSame && panel.connection.state === 'failed' && !this.#hadFailed) this.#announcer.announce(panel.connection.title);
    else if (isSame && this.#wasRunning && !running && !hasFailed) this.#announcer.announce(l10n.t('{0} has finished.', panel.agent));
    this.#announcedSignIn = panel.signIn?.requestId;
    for (const { id } of panel.notices) this.#heardNotices.add(id);
    this.#wasRunning = running;
    this.#hadFailed = hasFailed;
  }
}
