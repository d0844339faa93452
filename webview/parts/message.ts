import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { AgentMessageView, UserMessageView } from '../../src/protocol/entryView';
import type { Deadline } from '../lib/frame';
import { html } from '../lib/html';
import { AnswerActions } from './answerActions';
import { ContentList } from './contentList';
import type { EntryPart, PartContext } from './context';
import { PromptActions } from './promptActions';

/**
 * Lines, or characters, above which a prompt is long. Well above the visible part, so that folding saves more than a
 * click.
 */
const LONG = { lines: 20, characters: 2_000 };

/** A prompt with a pasted log or file in it shows only its beginning, so that it fits on one screen with the answer. */
class LongPrompt {
  readonly #more = document.createElement('div');

  /**
   * @param message the prompt's element
   * @param content its text, which the button follows
   */
  constructor(
    private readonly message: HTMLElement,
    private readonly content: HTMLElement,
    private readonly context: PartContext,
  ) {}

  update({ id, content }: UserMessageView): void {
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const lines = Math.max(0, ...texts.map((text) => text.split('\n').length));
    const isLong = lines > LONG.lines || texts.some((text) => text.length > LONG.characters);
    const folded = isLong && !this.context.ui.isExpanded(id);
    this.message.classList.toggle('folded', folded);
    if (!folded) return this.#more.remove();
    render(
      html`<button type="button" class="more" @click=${() => this.#show(id)}>${
        lines > LONG.lines ? l10n.t('Show all {0} lines', lines) : l10n.t('Show all')
      }</button>`,
      this.#more,
    );
    if (!this.#more.parentNode) this.content.after(this.#more);
  }

  #show(id: string): void {
    this.context.ui.setExpanded(id, true);
    this.context.redraw(id);
    // The button disappears, so the focus moves to the conversation.
    this.message.closest<HTMLElement>('.thread')?.focus({ preventScroll: true });
  }
}

/** The agent's text: directly on the panel, without a frame. */
export class AgentMessagePart implements EntryPart<AgentMessageView> {
  readonly element = document.createElement('div');
  readonly #content = new ContentList({ thinks: true });
  /** The author of text that looks like the user's. */
  readonly #label = document.createElement('div');
  readonly #actions: AnswerActions;

  constructor(context: PartContext) {
    this.#label.className = 'as-user-label dim';
    this.#label.textContent = l10n.t('Added by {0}', visibleLine(context.panel().agent || l10n.t('Agent')));
    this.element.className = 'agent-message';
    this.element.setAttribute('role', 'article');
    this.element.setAttribute('aria-label', visibleLine(context.panel().agent || l10n.t('Agent')));
    this.element.appendChild(this.#content.element);
    this.#actions = new AnswerActions(this.element, context);
  }

  update(view: AgentMessageView): void {
    this.#actions.update(view);
    // VS Code passes it to the commands of its context menu; see `prepareContextMenu`.
    this.element.dataset['vscodeContext'] = JSON.stringify({ webviewSection: 'answer', entryId: view.id });
    this.#content.set(view.content, view.streaming);
    this.element.classList.toggle('streaming', view.streaming);
    this.element.classList.toggle('as-user', view.asUser === true);
    if (view.asUser) this.element.prepend(this.#label);
    else this.#label.remove();
  }

  append(part: number, text: string): void {
    this.#content.append(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#content.draw(deadline, near);
  }
}

/** The user's text, in a frame. */
export class UserMessagePart implements EntryPart<UserMessageView> {
  readonly element = document.createElement('div');
  readonly #content = new ContentList({ breaks: true });
  readonly #note = document.createElement('div');
  readonly #actions: PromptActions;
  readonly #long: LongPrompt;
  #view: UserMessageView | undefined;

  constructor(context: PartContext) {
    this.element.className = 'user-message';
    this.element.setAttribute('role', 'article');
    this.element.setAttribute('aria-label', l10n.t('You'));
    this.#note.className = 'dropped-note dim';
    this.#note.textContent = l10n.t('No longer part of the agent’s context');
    this.element.appendChild(this.#content.element);
    this.#actions = new PromptActions(this.element, context);
    this.#long = new LongPrompt(this.element, this.#content.element, context);
  }

  update(view: UserMessageView): void {
    this.#view = view;
    this.element.dataset['vscodeContext'] = JSON.stringify({ webviewSection: 'prompt', entryId: view.id });
    this.#actions.update(view);
    // Attachments are above the text, as in the message box.
    const attached = view.content.filter((c) => c.type !== 'text');
    const texts = view.content.filter((c) => c.type === 'text');
    this.#content.set([...attached, ...texts], false);
    this.#long.update(view);
    this.element.classList.toggle('dropped', view.dropped);
    if (view.dropped) this.element.appendChild(this.#note);
    else this.#note.remove();
  }

  /** A replay may send a prompt in pieces. */
  append(part: number, text: string): void {
    if (!this.#view) return;
    const content = this.#view.content.slice();
    const last = content[part];
    content[part] = { type: 'text', text: (last?.type === 'text' ? last.text : '') + text };
    this.update({ ...this.#view, content });
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#content.draw(deadline, near);
  }
}
