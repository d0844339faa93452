import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import { askerOf } from '../../src/protocol/questionView';
import type { PanelView } from '../../src/protocol/viewModel';
import { noticeWords } from './agentNoticeStrip';

/** Announces events for screen readers: a question, a sign-in, a notice, a failure, or that the agent has finished. */
export class News {
  readonly element = document.createElement('div');
  #wasRunning = false;
  #hadFailed = false;
  #announced = new Set<string>();
  #heardNotices = new Set<string>();
  #thread: string | undefined;
  #announcedSignIn: string | undefined;
  #announcedTrouble: string | undefined;

  constructor() {
    this.element.className = 'visually-hidden';
    this.element.setAttribute('role', 'status');
    this.element.setAttribute('aria-live', 'polite');
  }

  /** Announces a text that is otherwise only visible. */
  say(text: string): void {
    // A new node is read even if its words are the same as before.
    const line = document.createElement('div');
    line.textContent = visibleLine(text);
    this.element.replaceChildren(line);
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
    if (first)
      this.say(
        first.kind === 'permission'
          ? l10n.t('{0} asks for permission: {1}', askerOf(panel.agent, first), first.title)
          : l10n.t('{0} asks: {1}', askerOf(panel.agent, first), first.title),
      );
    else if (panel.signIn && panel.signIn.requestId !== this.#announcedSignIn)
      this.say(l10n.t('{0} asks you to sign in.', panel.agent));
    else if (panel.unsaved && panel.unsaved.title !== this.#announcedTrouble)
      this.say(`${panel.unsaved.title} ${panel.unsaved.detail}`);
    else if (isSame && notice && !this.#heardNotices.has(notice.id)) this.say(noticeWords(panel.agent, notice));
    else if (isSame && panel.connection.state === 'failed' && !this.#hadFailed) this.say(panel.connection.title);
    else if (isSame && this.#wasRunning && !running && !hasFailed) this.say(l10n.t('{0} has finished.', panel.agent));
    this.#announcedSignIn = panel.signIn?.requestId;
    this.#announcedTrouble = panel.unsaved?.title;
    for (const { id } of panel.notices) this.#heardNotices.add(id);
    this.#wasRunning = running;
    this.#hadFailed = hasFailed;
  }
}
