import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { PanelView, QueuedPromptView, TurnView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import type { PendingPart } from './pendingStrip';
import { action } from './stripAction';
import { focusOn } from '../lib/reveal';

/** The user's messages during a turn: one line each, in the order of sending, which can be changed. */
export class QueueBar {
  #queue: readonly QueuedPromptView[] = [];
  /** The row that was moved by key and keeps the focus. */
  #moved: string | undefined;
  /** The focused button of a row, from before the rows are drawn; -1 if none is. */
  #focused = -1;

  /** @param leave takes the focus when the last message is gone */
  constructor(
    private readonly context: PartContext,
    private readonly leave: () => void,
  ) {}

  /** Call it before each drawing, also of an empty queue. */
  pending({ queue, queuePaused, turn }: Pick<PanelView, 'queue' | 'queuePaused' | 'turn'>): PendingPart | undefined {
    this.#queue = queue;
    const { activeElement } = document;
    this.#focused =
      activeElement && document.hasFocus()
        ? [...(activeElement.closest('.queue-strip li')?.querySelectorAll('.end button') ?? [])].indexOf(activeElement)
        : -1;
    if (queue.length === 0) return undefined;
    const { context } = this;
    const hint = queuePaused ? l10n.t('The queue is paused. Messages that you send now skip it.') : undefined;
    // Nothing is sent automatically until the user resumes.
    const actions = queuePaused
      ? html`${action(l10n.t('Resume'), 'debug-continue', () => context.post({ type: 'queue/resume' }))}
          ${action(l10n.t('Clear'), 'clear-all', () => context.post({ type: 'queue/clear' }))}`
      : nothing;
    return {
      kind: 'queue',
      name: l10n.t('Queue'),
      label: queuePaused
        ? l10n.t('Queue paused')
        : turn.waits
          ? l10n.t('{0} queued until you answer', queue.length)
          : l10n.t('{0} queued', queue.length),
      hint,
      icon: queuePaused ? undefined : 'list-ordered',
      brief: queuePaused ? l10n.t('Paused') : queue.length,
      actions,
      ownHead: queuePaused
        ? html`<div class="strip-line paused" role="group" aria-label=${l10n.t('Queue')}>${icon('debug-pause')}<span
          class="label" title=${hint}>${l10n.t('Paused')}</span><span class="end actions">${actions}</span></div>`
        : nothing,
      list: (open, isAlone) =>
        open
          ? html`<ul role="list" aria-label=${l10n.t('Queued messages')}
            @keydown=${(event: KeyboardEvent) => this.#handleKey(event)}>${repeat(
              queue,
              ({ id }) => id,
              (item, index) => this.#row(item, index, turn, index === 0 && isAlone && !queuePaused),
            )}</ul>`
          : nothing,
    };
  }

  /** Call it after the drawing: the focus follows its message, unless that is gone. */
  keepFocus(root: HTMLElement): void {
    if (this.#focused >= 0 && document.activeElement === document.body) {
      const next = root.querySelectorAll<HTMLElement>('.queue-strip li:last-child .end button').item(this.#focused);
      if (next) focusOn(next);
      else this.leave();
    }
    if (this.#moved === undefined) return;
    const index = this.#queue.findIndex(({ id }) => id === this.#moved);
    this.#moved = undefined;
    focusOn(root.querySelectorAll<HTMLElement>('.queue-strip .grip').item(index));
  }

  /** @param isNamed shows that the message waits: the first does if no line above it does */
  #row({ id, text }: QueuedPromptView, index: number, turn: TurnView, isNamed: boolean) {
    const { running, canSteer } = turn;
    const line = text.trim().split('\n', 1)[0] || l10n.t('Attachments');
    const send = canSteer
      ? l10n.t('Send now (adds to the running turn)')
      : running
        ? l10n.t('Send now (stops the agent first)')
        : l10n.t('Send now');
    return html`<li data-id=${id}>
      ${
        this.#queue.length === 1
          ? icon('reply', 'dim')
          : html`<button type="button" class="icon-button grip codicon codicon-gripper"
            title=${l10n.t('Drag to move, or press Alt+Up or Alt+Down')}
            aria-label=${l10n.t('Move: {0}, {1} of {2}', line, index + 1, this.#queue.length)}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            @pointerdown=${(event: PointerEvent) => this.#startDrag(event, id)}></button>`
      }<span
        class="label" title=${text}>${
          isNamed ? (turn.waits ? l10n.t('Queued until you answer: {0}', line) : l10n.t('Queued: {0}', line)) : line
        }</span>
      <span class="end">
        <button type="button" class="icon-button codicon codicon-send" title=${send} aria-label=${`${send}: ${line}`}
          @click=${() => this.context.post({ type: 'queue/send', id })}></button>
        <button type="button" class="icon-button codicon codicon-edit" title=${l10n.t('Edit')}
          aria-label=${l10n.t('Edit: {0}', line)}
          @click=${() => this.context.post({ type: 'queue/edit', id })}></button>
        <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Remove')}
          aria-label=${l10n.t('Remove: {0}', line)}
          @click=${() => this.context.post({ type: 'queue/remove', id })}></button>
      </span>
    </li>`;
  }

  #handleKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const id = event.target instanceof Element ? event.target.closest<HTMLElement>('li')?.dataset['id'] : undefined;
    if (!event.altKey || step === 0 || id === undefined) return;
    event.preventDefault();
    const to = this.#queue.findIndex((item) => item.id === id) + step;
    if (to < 0 || to >= this.#queue.length) return;
    this.#moved = id;
    this.context.post({ type: 'queue/move', id, to });
  }

  /** Follows the pointer until it is released; Escape and a lost pointer change nothing. */
  #startDrag(event: PointerEvent, id: string): void {
    const grip = event.currentTarget as HTMLElement;
    const list = grip.closest('ul');
    if (event.button !== 0 || !list) return;
    grip.setPointerCapture(event.pointerId);
    const drag = new AbortController();
    let to: number | undefined;
    const mark = (index: number | undefined) => {
      to = index;
      const from = this.#queue.findIndex((item) => item.id === id);
      for (const [i, row] of [...list.children].entries()) {
        row.classList.toggle('dragged', index !== undefined && i === from);
        row.classList.toggle('drop-above', i === index && i < from);
        row.classList.toggle('drop-below', i === index && i > from);
      }
    };
    const end = (drop: boolean) => {
      const target = to;
      drag.abort();
      mark(undefined);
      if (drop && target !== undefined && this.#queue[target]?.id !== id)
        this.context.post({ type: 'queue/move', id, to: target });
    };
    const options = { signal: drag.signal };
    grip.addEventListener('pointermove', ({ clientY }) => mark(placeAt(list, clientY)), options);
    grip.addEventListener('pointerup', () => end(true), options);
    grip.addEventListener('lostpointercapture', () => end(false), options);
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), options);
  }
}

/** The row at a height of the window, the nearest one outside the list. */
function placeAt(list: HTMLElement, y: number): number {
  const rows = [...list.children].map((row) => row.getBoundingClientRect());
  const index = rows.findIndex(({ bottom }) => y < bottom);
  return index === -1 ? rows.length - 1 : index;
}
