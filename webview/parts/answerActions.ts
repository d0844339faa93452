import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { AgentMessageView } from '../../src/protocol/entryView';
import { showCopied } from '../lib/clicks';
import { html } from '../lib/html';
import { closesFence, type Fence, matchFence } from '../markdown/lines';
import type { PartContext } from './context';

/** The actions for an answer, under the last message of a finished turn. */
export class AnswerActions {
  readonly #element = document.createElement('div');

  /** @param message the element of the answer, which gets the actions */
  constructor(
    private readonly message: HTMLElement,
    private readonly context: PartContext,
  ) {
    this.#element.className = 'answer-actions';
    this.#element.setAttribute('role', 'toolbar');
    this.#element.setAttribute('aria-label', visibleLine(l10n.t('Answer')));
  }

  update({ id, endsTurn, content }: AgentMessageView): void {
    if (!endsTurn) return this.#element.remove();
    const { context } = this;
    const code = onlyCodeBlock(content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'));
    render(
      html`<button type="button" class="icon-button codicon codicon-copy" title=${l10n.t('Copy')}
        aria-label=${l10n.t('Copy answer')} @click=${(event: MouseEvent) => this.#copy(event, id)}></button>
        ${
          context.panel().imported
            ? nothing
            : html`<button type="button" class="icon-button codicon codicon-refresh" title=${l10n.t('Retry')}
              aria-label=${l10n.t('Retry: send the message again')}
              @click=${() => context.post({ type: 'answer/retry', entryId: id })}></button>`
        }
        ${
          code === undefined || context.panel().imported
            ? nothing
            : html`<button type="button" class="icon-button codicon codicon-insert" title=${l10n.t('Insert at Cursor')}
              aria-label=${l10n.t('Insert the code at the cursor')}
              @click=${() => context.post({ type: 'code/insert', text: code })}></button>`
        }`,
      this.#element,
    );
    if (this.#element.parentNode !== this.message) this.message.appendChild(this.#element);
  }

  #copy({ currentTarget }: MouseEvent, entryId: string): void {
    this.context.post({ type: 'answer/copy', entryId });
    showCopied(currentTarget as HTMLElement, this.context);
  }
}

/** The code of a Markdown text that consists of one code block. */
export function onlyCodeBlock(text: string): string | undefined {
  let found: string[] | undefined;
  let fence: Fence | undefined;
  for (const line of text.split('\n')) {
    if (fence) {
      if (closesFence(line, fence)) fence = undefined;
      else found!.push(line);
      continue;
    }
    const indent = line.length - line.trimStart().length;
    fence = indent > 3 ? undefined : matchFence(line.slice(indent), indent);
    if (!fence) continue;
    if (found) return undefined;
    found = [];
  }
  return found && found.length > 0 ? `${found.join('\n')}\n` : undefined;
}
