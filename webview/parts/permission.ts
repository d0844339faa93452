import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { smallerNo, smallerYes } from '../../src/protocol/permissionChoice';
import type { PermissionOptionView, PermissionView } from '../../src/protocol/permissionView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { askedCommand, permissionSubject, type SubjectOptions } from './permissionSubject';
import { rejectNote } from './rejectNote';

export interface PermissionCardOptions extends SubjectOptions {
  readonly ready: boolean;
  readonly content: TemplateResult | typeof nothing;
  /** The first of its call's questions. */
  readonly isFirst: boolean;
  readonly redraw: () => void;
}

/** Key of the note among what is typed into forms that wait. */
const NOTE = 'note';

/**
 * The question: what is asked in full, and the agent's options in its own words and order. Enter on the card chooses
 * the highlighted option, the arrow keys move to another, digits choose by number, Escape decides nothing.
 */
export function permissionCard(permission: PermissionView, call: ToolCallView, options: PermissionCardOptions, context: PartContext): TemplateResult {
  const { requestId } = permission;
  const { ready } = options;
  // The smaller yes first, wherever the agent puts it.
  const primary = smallerYes(permission.options);
  const agent = context.panel().agent || 'the agent';
  const choose = (option: PermissionOptionView, byKey: boolean, note?: string) => {
    if (!ready || !context.answers.isOver) return;
    context.answers.begin();
    context.ui.forgetForm(requestId);
    context.post({ type: 'permission/select', requestId, optionId: option.optionId, ...(note === undefined ? {} : { note }) });
    // The card goes, and the focus with it; whoever uses the keyboard goes on where they were.
    if (byKey) context.post({ type: 'focus/leave' });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.target instanceof HTMLInputElement) return;
    const card = event.currentTarget as HTMLElement;
    const numbered = /^[1-9]$/.test(event.key) ? permission.options[Number(event.key) - 1] : undefined;
    if (numbered) choose(numbered, true);
    else if (event.key === 'Enter' && event.target === card && primary) choose(primary, true);
    else if (event.key === 'Escape') context.post({ type: 'focus/leave' });
    else if (!moveFocus(event, card)) return;
    event.preventDefault();
  };
  const no = smallerNo(permission.options);
  const note = context.ui.formValues(requestId)[NOTE];
  const setNote = (text: string | undefined) => {
    if (text === undefined) context.ui.forgetForm(requestId);
    else context.ui.setFormValue(requestId, NOTE, text);
    options.redraw();
  };
  return html`<div class="card permission" role="group" aria-label=${`Permission: ${permission.title}`} tabindex="-1"
      data-question=${requestId} @keydown=${handleKey}>
    <div class="card-head">${icon('shield', 'attention')}<span
        class="title ${askedCommand(call, permission) === permission.title ? 'repeated' : ''}">${permission.title}</span><span
        class="dim asks">${context.panel().agent || 'The agent'} asks</span></div>
    ${permission.description === undefined ? nothing : html`<div class="asked-why">${permission.description}</div>`}
    <div class="permission-body">${permissionSubject(call, permission, options)}${options.content}</div>
    <div class="buttons options">${permission.options.map(
      (option, i) => html`<button type="button" class=${option === primary ? 'primary' : 'secondary'} ?disabled=${!ready}
          title=${tooltip(option, agent)} @click=${(event: MouseEvent) => choose(option, event.detail === 0)}>
        <span>${option.name}</span>${i < 9 ? html`<kbd aria-hidden="true">${i + 1}</kbd>` : nothing}
      </button>`,
    )}</div>
    ${typeof note === 'string' && no
      ? rejectNote({ agent, optionName: no.name, text: note, ready, change: setNote, send: (text) => choose(no, true, text), close: () => closeNote(requestId, setNote) })
      : nothing}
    <div class="permission-foot">${no && note === undefined
      ? html`<button type="button" class="text-button" @click=${(event: Event) => openNote(event, setNote)}>${icon('comment')}<span>Reject with a note…</span></button>`
      : nothing}<button type="button" class="text-button" title="Let a rule answer questions like this one" @click=${() => context.post({ type: 'permission/addRule', requestId })}>${icon('law')}<span>Add rule…</span></button>${options.isFirst && permission.options.some(isRemembered) ? html`<span class="dim remembers">“Always” is remembered by ${agent}, not by Parley.</span>` : nothing}</div>
  </div>`;
}

/** The agent keeps the answer beyond this question. */
function isRemembered({ kind }: PermissionOptionView): boolean {
  return kind === 'allow_always' || kind === 'reject_always';
}

function tooltip(option: PermissionOptionView, agent: string): string {
  return isRemembered(option) ? `${option.name}\nRemembered by ${agent} itself; Parley stores nothing.` : option.name;
}

/** The arrow keys go from option to option; on what scrolls they scroll. @returns whether the focus moved. */
function moveFocus({ key, target }: KeyboardEvent, card: HTMLElement): boolean {
  const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 0;
  const buttons = [...card.querySelectorAll<HTMLButtonElement>('.options button:enabled')];
  const highlighted = target === card ? buttons.findIndex((button) => button.classList.contains('primary')) : buttons.indexOf(target as HTMLButtonElement);
  if (step === 0 || buttons.length === 0 || (target !== card && highlighted < 0)) return false;
  buttons[(highlighted + step + buttons.length) % buttons.length]!.focus();
  return true;
}

function openNote(event: Event, setNote: (text: string) => void): void {
  const card = (event.currentTarget as HTMLElement).closest('.permission');
  setNote('');
  requestAnimationFrame(() => requestAnimationFrame(() => card?.querySelector<HTMLInputElement>('.reject-note input')?.focus()));
}

function closeNote(requestId: string, setNote: (text: undefined) => void): void {
  const card = [...document.querySelectorAll<HTMLElement>('.permission')].find((candidate) => candidate.dataset['question'] === requestId);
  setNote(undefined);
  card?.focus({ preventScroll: true });
}
