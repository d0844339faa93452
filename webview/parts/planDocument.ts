import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { drawPlan, type PlanBlock } from './planBlocks';
import type { UiState } from '../uiState';
import { blockOf, planNote, type PlanComment, PlanComments } from './planComments';
import { focusOn } from '../lib/reveal';

let count = 0;

/**
 * A plan that waits for approval, as a document. The block under the pointer or with the focus gets a button for a
 * comment; the arrow keys move between blocks, and Enter comments. Comments are below their block.
 */
export class PlanDocument {
  readonly element = document.createElement('div');
  readonly #text = document.createElement('div');
  readonly #add = document.createElement('button');
  readonly #boxes = new Map<string, HTMLElement>();
  readonly #blocks: readonly PlanBlock[];
  readonly #comments: PlanComments;
  #current: PlanBlock | undefined;

  /**
   * @param request its name, which stays after a change by the agent
   * @param canComment whether a comment can be sent
   * @param changed a comment has changed
   */
  constructor(
    plan: string,
    readonly request: string,
    private readonly canComment: boolean,
    ui: UiState,
    private readonly changed: () => void,
  ) {
    this.#comments = new PlanComments(ui, request);
    const hint = document.createElement('span');
    hint.id = `plan-hint-${++count}`;
    hint.className = 'visually-hidden';
    this.element.className = 'plan-document';
    this.#text.className = 'markdown';
    this.#text.setAttribute('role', 'group');
    this.#text.setAttribute('aria-label', l10n.t('Plan'));
    this.#blocks = drawPlan(plan, this.#text);
    this.element.append(this.#text);
    if (!canComment) return;
    hint.textContent = l10n.t('Use the up and down arrow keys to select a paragraph, and Enter to comment on it.');
    this.#text.tabIndex = 0;
    this.#text.setAttribute('aria-describedby', hint.id);
    this.#add.type = 'button';
    this.#add.className = 'icon-button codicon codicon-comment plan-add';
    this.#add.tabIndex = -1;
    this.#add.hidden = true;
    this.#add.title = l10n.t('Comment');
    this.element.append(this.#add, hint);
    this.element.addEventListener('pointermove', (event) => {
      if (event.target instanceof Element && event.target !== this.#add && !event.target.closest('.plan-comment'))
        this.#point(this.#blockAt(event.clientY));
    });
    this.element.addEventListener('pointerleave', () => this.#point(this.#blockWith(document.activeElement)));
    this.element.addEventListener(
      'focusin',
      (event) => event.target === this.#add || this.#point(this.#blockWith(event.target)),
    );
    this.#text.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#add.addEventListener('click', () => this.#current && this.#write(this.#current));
  }

  /** The number of comments. */
  get count(): number {
    return this.#comments.all.length;
  }

  /** The text for the agent with an answer: the comments, and the user's other note. */
  note(text: string): string {
    return planNote(this.#comments.pending, text);
  }

  /** The request was answered. */
  forget(): void {
    this.#comments.forget();
  }

  /** Shows the comments as they are now. */
  update(): void {
    if (!this.canComment) return;
    const comments = this.#comments;
    const { draft } = comments;
    const shown = new Set<string>();
    for (const comment of draft ? [...comments.all.filter((one) => one.index !== draft.index), draft] : comments.all) {
      const key = `${comment.index}:${comment.quote}`;
      shown.add(key);
      this.#box(key, comment, comment === draft);
    }
    for (const [key, box] of this.#boxes) {
      if (shown.has(key)) continue;
      box.remove();
      this.#boxes.delete(key);
    }
  }

  #box(key: string, comment: PlanComment, isDraft: boolean): void {
    const box = this.#boxes.get(key) ?? document.createElement('div');
    box.className = 'plan-comment';
    this.#boxes.set(key, box);
    const block = blockOf(comment, this.#blocks);
    const row = block?.element.closest('table') ?? block?.element;
    // In an item, the comment comes before the nested list.
    if (row?.tagName === 'LI') {
      const below = row.querySelector(':scope > ul, :scope > ol');
      if (box.parentElement !== row) row.insertBefore(box, below);
    } else if (row && !followsIn(box, row)) lastAfter(row).after(box);
    else if (!row && !box.isConnected) this.#text.append(box);
    render(isDraft ? this.#editor(comment) : this.#written(comment, block === undefined), box);
  }

  #written(comment: PlanComment, isLost: boolean) {
    return html`<div class="plan-comment-text" role="group"
      aria-label=${l10n.t('Your comment on: {0}', comment.quote)}>${icon('comment')}<span class="words">${
        isLost ? html`<q class="dim">${comment.quote}</q> ` : ''
      }${comment.text}</span><button
        type="button" class="icon-button codicon codicon-edit" title=${l10n.t('Edit comment')}
        aria-label=${l10n.t('Edit comment')} @click=${() => this.#edit(comment)}></button><button
        type="button" class="icon-button codicon codicon-trash" title=${l10n.t('Delete comment')}
        aria-label=${l10n.t('Delete comment')} @click=${() => this.#finish({ ...comment, text: '' })}></button></div>`;
  }

  #editor(draft: PlanComment) {
    const handleKey = (event: KeyboardEvent) => {
      // The card's keys would answer the request.
      event.stopPropagation();
      if (
        event.isComposing ||
        (event.key !== 'Escape' &&
          !(event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement))
      )
        return;
      event.preventDefault();
      if (event.key === 'Escape') this.#cancel(draft);
      else this.#finish({ ...draft, text: (event.target as HTMLTextAreaElement).value });
    };
    const label = l10n.t('Comment on: {0}', draft.quote);
    return html`<form class="plan-comment-editor" @keydown=${handleKey}
      @submit=${(event: Event) => event.preventDefault()}>
      <textarea class="form-input" rows="2" maxlength="4000" .value=${draft.text} placeholder=${l10n.t('Comment')}
        aria-label=${label}
        @input=${(event: Event) =>
          this.#comments.setDraft({ ...draft, text: (event.target as HTMLTextAreaElement).value })}></textarea>
      <span class="plan-comment-buttons"><button type="button" class="secondary"
        @click=${(event: Event) =>
          this.#finish({
            ...draft,
            text: (event.target as HTMLElement).closest('form')!.querySelector('textarea')!.value,
          })}>${l10n.t('Comment')}</button><button
        type="button" class="secondary" @click=${() => this.#cancel(draft)}>${l10n.t('Cancel')}</button></span>
    </form>`;
  }

  /** Begins a comment on a block, or continues an existing one. */
  #write(block: PlanBlock): void {
    const index = this.#blocks.indexOf(block);
    const { draft, all } = this.#comments;
    const isHere = (comment: PlanComment) => blockOf(comment, this.#blocks) === block;
    this.#edit(draft && isHere(draft) ? draft : (all.find(isHere) ?? { index, quote: block.quote, text: '' }));
  }

  #edit(comment: PlanComment): void {
    const { draft } = this.#comments;
    // An unfinished comment on another block stays.
    if (draft && draft.text.trim() !== '' && draft.index !== comment.index) this.#comments.set(draft);
    this.#comments.setDraft(comment);
    this.#redraw();
    focusOn(this.element.querySelector('textarea'));
  }

  #cancel(draft: PlanComment): void {
    this.#comments.setDraft(undefined);
    this.#goBack(draft);
  }

  #finish(comment: PlanComment): void {
    this.#comments.set(comment);
    if (this.#comments.draft?.index === comment.index) this.#comments.setDraft(undefined);
    this.#goBack(comment);
  }

  #goBack(comment: PlanComment): void {
    this.#redraw();
    const block = blockOf(comment, this.#blocks);
    if (block) this.#focus(block);
    else this.#text.focus({ preventScroll: true });
  }

  #redraw(): void {
    this.update();
    this.changed();
  }

  /** Shows the button beside a block. */
  #point(block: PlanBlock | undefined): void {
    this.#current = block;
    this.#add.hidden = block === undefined;
    if (!block) return;
    this.#add.setAttribute('aria-label', visibleLine(l10n.t('Comment on: {0}', block.quote)));
    this.#add.style.setProperty(
      'inset-block-start',
      `${block.element.getBoundingClientRect().top - this.element.getBoundingClientRect().top}px`,
    );
  }

  #blockWith(target: EventTarget | null): PlanBlock | undefined {
    return target instanceof Element && !target.closest('.plan-comment')
      ? this.#blocks.findLast(({ element }) => element.contains(target))
      : undefined;
  }

  /**
   * The last block that begins above a line of the page. A place next to an item, or above its first line, does not
   * belong to the item around it.
   */
  #blockAt(y: number): PlanBlock | undefined {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#blocks[middle]!.element.getBoundingClientRect().top <= y) low = middle + 1;
      else high = middle;
    }
    return this.#blocks[low - 1];
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target instanceof HTMLTextAreaElement)
      return;
    const at = this.#blocks.findIndex(({ element }) => element === event.target);
    if (at < 0 && event.target !== this.#text) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = this.#blocks[at + step];
    if (step !== 0 && next) this.#focus(next);
    else if (event.key === 'Enter' && at >= 0) this.#write(this.#blocks[at]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #focus({ element }: PlanBlock): void {
    element.tabIndex = -1;
    focusOn(element);
  }
}

const isComment = (element: Element | null): boolean => element?.classList.contains('plan-comment') ?? false;

/**
 * True if a comment is already after its block: moving a box would lose the focus. All rows of a table have theirs
 * below it.
 */
function followsIn(box: Element, block: Element): boolean {
  let before = box.previousElementSibling;
  while (isComment(before)) before = before!.previousElementSibling;
  return before === block;
}

/** The last comment below a block, or the block. */
function lastAfter(block: Element): Element {
  let last = block;
  while (isComment(last.nextElementSibling)) last = last.nextElementSibling!;
  return last;
}
