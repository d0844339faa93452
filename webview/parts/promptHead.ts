import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import { plainMarkdown } from '../../src/base/oneLine';
import { visibleLine } from '../../src/base/visibleText';
import type { UserMessageView } from '../../src/protocol/entryView';
import type { Replica } from '../../src/protocol/patch';
import { isFocusWithin } from '../lib/focus';
import { html } from '../lib/html';
import type { PartContext } from './context';
import { goToPrompt } from './promptSteps';
import type { Thread } from './threadPart';

/** More than the characters of a prompt that fit into the widest line. */
const MAX_WORDS = 300;
/** Its height in px, as in `promptHead.css`. */
const HEIGHT = 28;

/**
 * The prompt of the answer in view, in one line over the conversation. It leads to the prompt, and to the list of all.
 * It takes no room of the conversation, so nothing moves when it appears or disappears.
 */
export class PromptHead {
  readonly element = document.createElement('div');
  #shown: UserMessageView | undefined;

  constructor(
    private readonly thread: Thread,
    private readonly replica: Replica,
    private readonly context: Pick<PartContext, 'post'>,
  ) {
    this.element.className = 'prompt-head';
    this.element.hidden = true;
  }

  /** Follows the view. Reads layout, and writes only if the current prompt has changed. */
  settle(): void {
    // A request gets all the room: its text and answers should be in view at once.
    const isAsked = this.replica.panel.pendingQuestions.length > 0;
    this.thread.element.classList.toggle('asking', isAsked);
    const id = isAsked ? undefined : this.thread.place.promptOver(HEIGHT);
    const view = id === undefined ? undefined : this.replica.entries.get(id);
    const shown = view?.kind === 'userMessage' ? view : undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    // Hiding the line with the focus would lose the keyboard focus.
    if (!shown && isFocusWithin(this.element)) this.thread.element.focus({ preventScroll: true });
    this.element.hidden = !shown;
    if (shown) this.#draw(shown);
  }

  /** A screen reader finds the text in the conversation, and Alt+↑ leads to it; only the list is nowhere else. */
  #draw(prompt: UserMessageView): void {
    const list = l10n.t('Go to Prompt…');
    const words = wordsOf(prompt);
    render(
      html`<div class="prompt-head-line">
        <button type="button" class="prompt-head-words" tabindex="-1" aria-hidden="true" title=${words}
          @click=${() => goToPrompt(this.thread, prompt.id)}>${words}</button>
        <button type="button" class="icon-button codicon codicon-list-unordered" title=${list} aria-label=${list}
          @click=${() => this.context.post({ type: 'prompt/pick' })}></button>
      </div>`,
      this.element,
    );
  }
}

/** The text of a prompt in one line; without text, its attachments. */
function wordsOf({ content }: UserMessageView): string {
  const text = content
    .flatMap((part) => (part.type === 'text' ? [part.text.slice(0, MAX_WORDS * 4)] : []))
    .join(' ')
    .trim();
  const labels = content.flatMap((part) => ('label' in part && part.label !== undefined ? [part.label] : []));
  return visibleLine(plainMarkdown(text).trim() || labels.join(', ') || l10n.t('Attachment'), MAX_WORDS);
}
