import { html, render } from 'lit-html';
import type { ThoughtView } from '../../src/protocol/viewModel';
import { formatDuration } from '../lib/format';
import type { Deadline } from '../lib/frame';
import { icon, spinner } from '../lib/icon';
import { ContentList } from './contentList';
import type { EntryPart, PartContext } from './context';

/** The agent's reasoning: one dim line, which opens. Its text is built only once it was opened. */
export class ThoughtPart implements EntryPart<ThoughtView> {
  readonly element = document.createElement('div');
  private readonly head = document.createElement('div');
  private content: ContentList | undefined;
  private view!: ThoughtView;

  constructor(private readonly context: PartContext) {
    this.element.className = 'thought';
    this.element.appendChild(this.head);
  }

  update(view: ThoughtView): void {
    this.view = view;
    const open = this.context.ui.isExpanded(view.id) ?? false;
    const label = view.streaming ? 'Thinking…' : view.durationMs === undefined ? 'Thought' : `Thought for ${formatDuration(wholeSeconds(view.durationMs))}`;
    render(
      html`<button type="button" class="line-button" aria-expanded=${open} @click=${() => this.toggle()}>
        ${view.streaming ? spinner() : icon(open ? 'chevron-down' : 'chevron-right')}<span class="label">${label}</span>
      </button>`,
      this.head,
    );
    if (open) {
      this.content ??= new ContentList();
      this.content.set(view.content, view.streaming);
      this.element.appendChild(this.content.element);
    } else this.content?.element.remove();
  }

  append(part: number, text: string): void {
    const content = this.view.content.slice();
    const last = content[part];
    content[part] = { type: 'text', text: (last?.type === 'text' ? last.text : '') + text };
    this.view = { ...this.view, content };
    this.content?.append(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.content?.draw(deadline, near) ?? false;
  }

  private toggle(): void {
    this.context.ui.setExpanded(this.view.id, !(this.context.ui.isExpanded(this.view.id) ?? false));
    this.context.redraw(this.view.id);
  }
}

function wholeSeconds(ms: number): number {
  return ms < 1000 ? ms : Math.round(ms / 1000) * 1000;
}
