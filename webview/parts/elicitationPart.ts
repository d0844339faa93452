import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { ElicitationView, FormFieldView, FormValue } from '../../src/protocol/formView';
import { askerName } from '../../src/protocol/questionView';
import { showCopied } from '../lib/clicks';
import { isFocusWithin } from '../lib/focus';
import type { Deadline } from '../lib/frame';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { ContentList } from './contentList';
import type { EntryPart, PartContext } from './context';
import { formField } from './formField';
import { AnswerDelay } from './answerDelay';
import { focusOn } from '../lib/reveal';

/**
 * A request for more than a choice: a card with a form or the address of a page while it is pending, and a few lines
 * with the answer afterwards.
 */
export class ElicitationPart implements EntryPart<ElicitationView> {
  readonly element = document.createElement('div');
  readonly #message = new ContentList({ breaks: true });
  readonly #clock: AnswerDelay;
  #view!: ElicitationView;
  #submitted = false;
  /** Fields that were changed since the form was submitted: their errors may no longer apply. */
  readonly #edited = new Set<string>();

  constructor(private readonly context: PartContext) {
    this.#clock = new AnswerDelay(() => this.context.redraw(this.#view.id));
    this.element.setAttribute('role', 'group');
    this.element.tabIndex = -1;
  }

  update(view: ElicitationView): void {
    const answered = this.#submitted && view !== this.#view;
    // Do not take the focus from the editor.
    const hadFocus = isFocusWithin(this.element);
    this.#view = view;
    if (answered) {
      this.#submitted = false;
      this.#edited.clear();
    }
    const waits = view.state === 'waiting' || view.state === 'opened';
    if (view.state !== 'waiting') this.context.ui.forgetForm(view.requestId);
    const next = this.element.classList.contains('next') ? 'next' : '';
    this.element.className = waits ? `card permission elicitation ${view.state} ${next}` : 'elicitation-record';
    this.element.setAttribute('aria-label', visibleLine(l10n.t('Request: {0}', view.title)));
    this.element.toggleAttribute('data-question', waits);
    if (waits) this.element.dataset['question'] = view.requestId;
    this.#message.set(view.message === undefined ? [] : [{ type: 'text', text: view.message }], false);
    render(waits ? this.#card(view) : elicitationRecord(view, this.#message.element), this.element);
    if (answered && view.state === 'waiting' && document.hasFocus())
      focusOn(this.element.querySelector<HTMLElement>('.invalid :is(input, textarea, select)'));
    // After an answer by keyboard, the focus stays here.
    else if (hadFocus && !this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#message.draw(deadline, near);
  }

  #card(view: ElicitationView) {
    const { requestId, body } = view;
    const ready = this.#clock.isReady(requestId);
    const waits = view.state === 'waiting';
    const { subagent } =
      this.context.panel().pendingQuestions.find((question) => question.requestId === requestId) ?? {};
    return html`<div class="card-head">${icon('question', waits ? 'attention' : '')}<span
      class="title">${headOf(view)}</span>${
        waits
          ? html`<span class="dim asks ${subagent === undefined ? '' : 'whole'}">${l10n.t(
              '{0} asks',
              askerName(this.#agent(), subagent),
            )}</span><button type="button" class="icon-button codicon codicon-close"
              aria-label=${l10n.t('Dismiss request')} title=${l10n.t('Dismiss without answering')} ?disabled=${!ready}
            @click=${() => this.context.post({ type: 'elicitation/cancel', requestId })}></button>`
          : nothing
      }</div>
      ${
        body.type === 'form'
          ? this.#form(view, body, ready)
          : html`<div class="permission-body">${this.#text(view)}${pageBody(
              body,
              view.state,
              this.context,
            )}</div>${pageButtons(view, ready, this.context)}`
      }`;
  }

  #form(view: ElicitationView, body: Extract<ElicitationView['body'], { type: 'form' }>, ready: boolean) {
    return html`<form novalidate autocomplete="off" @submit=${(event: Event) => this.#submit(event, body.fields)}
      @keydown=${(event: KeyboardEvent) => this.#handleKey(event)}>
      <div class="permission-body">${this.#text(view)}${
        body.description ? html`<p class="form-description">${body.description}</p>` : nothing
      }${body.fields.map((field, i) => this.#field(field, `${view.requestId}-${i}`))}${
        body.fields.some((field) => field.type === 'text' && field.input === 'secret')
          ? html`<div class="page-warning">${icon('warning', 'attention')}<span>${l10n.t(
              '{0} will read the secret that you enter. Parley does not store it.',
              this.#agent(),
            )}</span></div>`
          : nothing
      }${
        body.canSubmit
          ? nothing
          : html`<div class="form-error">${icon('error')}<span>${l10n.t(
              'Parley cannot show a required field. You can only decline this form.',
            )}</span></div>`
      }</div>
      <div class="buttons">${
        body.canSubmit
          ? html`<button type="submit" class="primary" ?disabled=${!ready}>${l10n.t('Submit')}</button>`
          : nothing
      }<button type="button" class="secondary"
          ?disabled=${!ready} @click=${() =>
            this.context.post({
              type: 'elicitation/decline',
              requestId: view.requestId,
            })}>${l10n.t('Decline')}</button></div>
    </form>`;
  }

  #agent(): string {
    return this.context.panel().agent || l10n.t('The agent');
  }

  #text(view: ElicitationView) {
    return view.message === undefined ? nothing : this.#message.element;
  }

  #field(field: FormFieldView, id: string) {
    return formField(field, {
      id,
      value: this.#valueOf(field),
      error: this.#edited.has(field.key) ? undefined : field.error,
      change: (value) => this.#change(field, value),
    });
  }

  #valueOf(field: FormFieldView): FormValue {
    const values = this.context.ui.formValues(this.#view.requestId);
    if (Object.hasOwn(values, field.key)) return values[field.key]!;
    return field.type === 'unsupported' ? '' : field.value;
  }

  #change(field: FormFieldView, value: FormValue): void {
    this.context.ui.setFormValue(this.#view.requestId, field.key, value);
    this.#edited.add(field.key);
    this.update(this.#view);
  }

  #submit(event: Event, fields: readonly FormFieldView[]): void {
    event.preventDefault();
    this.#submitted = true;
    const values = Object.fromEntries(
      fields.flatMap((field) => (field.type === 'unsupported' ? [] : [[field.key, this.#valueOf(field)]])),
    );
    this.context.post({ type: 'elicitation/submit', requestId: this.#view.requestId, values });
  }

  /** In a multi-line box, the keys are those of the message box. */
  #handleKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
    const modified = event.ctrlKey || event.metaKey;
    if (this.context.panel().sendWith === 'enter' ? event.shiftKey : !modified) return;
    event.preventDefault();
    event.target.form?.requestSubmit(event.target.form.querySelector<HTMLButtonElement>('button[type=submit]:enabled'));
  }
}

/** The record of a settled request: its question and answer. */
function elicitationRecord(view: ElicitationView, message: HTMLElement) {
  const { words: end, sign } = endOf(view);
  const words = view.isQuoted ? l10n.t('In the file: {0}', end) : end;
  return html`<div class="record-head">${icon(view.body.type === 'form' ? 'question' : 'globe')}<span
    class="title">${headOf(view)}</span><span class="dim end">${icon(sign)}${words}</span></div>
    ${view.message === undefined ? nothing : html`<div class="record-body dim">${message}</div>`}
    ${view.body.type === 'page' ? html`<div class="record-body dim">${view.body.host}</div>` : nothing}
    ${
      view.answers.length === 0
        ? nothing
        : html`<dl class="record-body">${view.answers.map(
            (answer) =>
              html`<div><dt class=${
                answer.label === view.title ? 'visually-hidden' : 'dim'
              }>${answer.label}</dt><dd>${answer.text}</dd></div>`,
          )}</dl>`
    }`;
}

/** A cut title has less information than the text below it. */
function headOf(view: ElicitationView): string {
  return view.title.endsWith('…') ? l10n.t('Request') : view.title;
}

function endOf({ state, body }: ElicitationView): { readonly words: string; readonly sign: string } {
  switch (state) {
    case 'completed':
      return { words: l10n.t('Finished'), sign: 'check' };
    case 'declined':
      return { words: l10n.t('Declined'), sign: 'circle-slash' };
    case 'cancelled':
      return { words: l10n.t('Dismissed'), sign: 'close' };
    case 'withdrawn':
      return { words: l10n.t('Not answered'), sign: 'circle-slash' };
    default:
      return { words: body.type === 'page' ? l10n.t('Opened') : l10n.t('Answered'), sign: 'check' };
  }
}

type PageBody = Extract<ElicitationView['body'], { type: 'page' }>;

/** The site, the whole address, and warnings before a visit. None of it is a link. */
function pageBody(body: PageBody, state: ElicitationView['state'], context: PartContext) {
  return html`<div class="page-host">${icon('globe')}<strong>${body.host}</strong></div>
    <div class="page-url"><code>${body.url}</code><button type="button" class="icon-button codicon codicon-copy"
      aria-label=${l10n.t('Copy address')} title=${l10n.t('Copy address')}
        @click=${({ currentTarget }: Event) => copy(body.url, currentTarget as HTMLElement, context)}></button></div>
    ${body.warnings.map(
      (warning) => html`<div class="page-warning">${icon('warning', 'attention')}<span>${warning}</span></div>`,
    )}
    ${
      state === 'opened'
        ? html`<div class="page-waits dim">${spinner()}<span>${l10n.t(
            'Opened in your browser. Waiting for you to finish there.',
          )}</span></div>`
        : nothing
    }`;
}

function copy(text: string, button: HTMLElement, context: PartContext): void {
  context.post({ type: 'code/copy', text });
  showCopied(button, context);
}

function pageButtons({ requestId, state }: ElicitationView, ready: boolean, { post }: PartContext) {
  if (state === 'opened') {
    return html`<div class="buttons"><button type="button" class="secondary"
      @click=${() => post({ type: 'elicitation/open', requestId })}>${l10n.t('Open Again')}</button><button
        type="button" class="secondary"
        @click=${() => post({ type: 'elicitation/cancel', requestId })}>${l10n.t('Stop Waiting')}</button></div>`;
  }
  return html`<div class="buttons"><button type="button" class="primary" ?disabled=${!ready}
    @click=${() => post({ type: 'elicitation/open', requestId })}>${l10n.t('Open in Browser')}</button><button
      type="button" class="secondary" ?disabled=${!ready}
      @click=${() => post({ type: 'elicitation/decline', requestId })}>${l10n.t('Decline')}</button></div>`;
}
