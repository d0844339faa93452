import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { numberText } from '../../src/base/numberText';
import {
  type OptionLabel,
  kindWords,
  optionLabels,
  smallerNo,
  suggestedYes,
} from '../../src/protocol/permissionOptions';
import type { PermissionOptionKindView, PermissionOptionView, PermissionView } from '../../src/protocol/permissionView';
import { askerName } from '../../src/protocol/questionView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { diffInTitle, diffTools, permissionSubject, type SubjectOptions } from './permissionSubject';
import { isMostlyWithin, readMark } from './cardVisibility';
import type { PlanDocument } from './planDocument';
import { notReadyWords, readOn } from './readOn';
import { rejectNote } from './rejectNote';
import { focusOn } from '../lib/reveal';

export interface PermissionCardOptions extends SubjectOptions {
  readonly ready: boolean;
  readonly content: TemplateResult | typeof nothing;
  /** The plan of the request, if it takes comments. */
  readonly plan: PlanDocument | undefined;
  /** The first of its call's requests. */
  readonly isFirst: boolean;
  readonly redraw: () => void;
}

/** More options are a list that scrolls. */
const MANY = 6;

/** Key of the note among the typed values of pending forms. */
export const NOTE = 'note';

/**
 * The request: its full content, and the agent's options in its own words and order. Enter on the card chooses the
 * highlighted option, if there is one, the arrow keys move to another, digits choose by number, Escape decides nothing.
 */
export function permissionCard(
  permission: PermissionView,
  options: PermissionCardOptions,
  context: PartContext,
): TemplateResult {
  const { requestId, origin: form = requestId } = permission;
  const { ready } = options;
  const labels = optionLabels(permission.options);
  const agent = context.panel().agent || l10n.t('the agent');
  const { subagent } = context.panel().pendingQuestions.find((question) => question.requestId === requestId) ?? {};
  const asker = askerName(context.panel().agent || l10n.t('The agent'), subagent);
  const { plan } = options;
  const comments = plan?.count ?? 0;
  // The option that Enter chooses.
  const primary =
    comments > 0 || !ready || permission.isQuestion
      ? undefined
      : suggestedYes(permission.options, permission.risks ?? []);
  const refuse = () => readOn(permission, cardNamed(requestId), context, options.redraw);
  const choose = (option: PermissionOptionView, byKey: boolean, text = '') => {
    if (!ready) return refuse();
    if (!context.answers.isOver) return;
    context.answers.begin();
    // Comments are sent with any answer.
    const note = (plan ? plan.note(text) : text) || undefined;
    context.ui.forgetForm(form);
    plan?.forget();
    context.post({
      type: 'permission/select',
      requestId,
      optionId: option.optionId,
      ...(note === undefined ? {} : { note }),
    });
    // The card is removed with the focus, so the keyboard focus returns to where it was.
    if (byKey) context.post({ type: 'focus/leave' });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing ||
      event.repeat ||
      event.target instanceof HTMLInputElement
    )
      return;
    const card = event.currentTarget as HTMLElement;
    const numbered = /^[1-9]$/.test(event.key) ? permission.options[Number(event.key) - 1] : undefined;
    const isEnter = event.key === 'Enter' && event.target === card;
    if (!ready && (numbered || isEnter)) refuse();
    else if (numbered) chooseByKey(card, numbered);
    else if (isEnter && primary) chooseByKey(card, primary);
    else if (event.key === 'Escape') context.post({ type: 'focus/leave' });
    else if (!moveFocus(event, card)) return;
    event.preventDefault();
  };
  /** An option that has to be scrolled to is shown first. */
  const chooseByKey = (card: HTMLElement, option: PermissionOptionView) => {
    const button = card.querySelectorAll<HTMLButtonElement>('.options > button')[permission.options.indexOf(option)];
    if (button && !isMostlyWithin(button.getBoundingClientRect(), button.parentElement!.getBoundingClientRect()))
      focusOn(button);
    else choose(option, true);
  };
  const locked = ready ? undefined : notReadyWords(permission, context);
  const inTitle = diffInTitle(permission);
  const asks = html`<span
    class="dim asks ${subagent === undefined ? '' : 'whole'}">${l10n.t('{0} asks', asker)}</span>`;
  const isRepeated = permission.command === permission.title;
  const no = smallerNo(permission.options);
  const note = context.ui.formValues(form)[NOTE];
  const setNote = (text: string | undefined) => {
    if (text === undefined) context.ui.forgetForm(form);
    else context.ui.setFormValue(form, NOTE, text);
    options.redraw();
  };
  return html`<div class="card permission" role="group" aria-label=${l10n.t('Permission: {0}', permission.title)}
    tabindex="-1"
      data-question=${requestId} @keydown=${handleKey}>
    <div class="card-head">${icon('shield', 'attention')}<span
        class="title ${isRepeated ? 'repeated' : ''}">${permission.title}${isRepeated ? nothing : readMark}</span>${
          inTitle === undefined ? asks : html`<span class="head-end">${asks}${diffTools(inTitle, options)}</span>`
        }</div>
    <div class="asked-all">${
      permission.description === undefined ? nothing : html`<div class="asked-why">${permission.description}</div>`
    }
    <div class="permission-body">${permissionSubject(permission, options, options.content)}</div>
    <div class="answers">${context.sight.wasTold(requestId) ? lockedLine(locked) : nothing}
    <div class="buttons options ${permission.options.length > MANY ? 'many' : ''}">${permission.options.map(
      (option, i) => html`<button type="button" class=${option === primary ? 'primary' : 'secondary'}
        aria-disabled=${ready ? nothing : 'true'}
          title=${
            locked ??
            (comments === 0
              ? effectOf(option, agent)
              : `${effectOf(option, agent)} ${l10n.t('Your comments are sent as your next message.')}`)
          } @click=${(event: MouseEvent) => choose(option, event.detail === 0)}>
        <i class="codicon codicon-${KIND_ICONS[option.kind]}" aria-hidden="true"></i>${nameOf(labels[i]!)}${
          i < 9 ? html`<kbd aria-hidden="true">${i + 1}</kbd>` : nothing
        }
      </button>`,
    )}${
      permission.moreOptions === undefined
        ? nothing
        : html`<button type="button" class="secondary" aria-disabled=${ready ? nothing : 'true'}
          title=${locked ?? l10n.t('Show all options')}
          @click=${() =>
            ready
              ? context.post({ type: 'permission/showOptions', requestId })
              : refuse()}>${l10n.t('{0} more options…', numberText(permission.moreOptions))}</button>`
    }</div></div>
    ${readMark}
    ${wholeNames(permission)}
    ${
      (typeof note === 'string' || comments > 0) && no
        ? rejectNote({
            agent,
            optionName: labels[permission.options.indexOf(no)]!.text,
            text: typeof note === 'string' ? note : '',
            comments,
            ready,
            change: setNote,
            send: (text) => choose(no, true, text),
            close: () => closeNote(requestId, setNote),
          })
        : nothing
    }
    </div><div class="permission-foot">${
      permission.plan === undefined
        ? nothing
        : html`<button type="button" class="text-button"
          @click=${() =>
            context.post({
              type: 'plan/open',
              requestId,
            })}>${icon('go-to-file')}<span>${l10n.t('Open plan in editor')}</span></button>`
    }${
      no && note === undefined && comments === 0
        ? html`<button type="button" class="text-button"
          @click=${(event: Event) =>
            openNote(event, setNote)}>${icon('comment')}<span>${l10n.t('Reject with a note…')}</span></button>`
        : nothing
    }${
      permission.isQuestion || permission.isOwn
        ? nothing
        : html`<button type="button" class="text-button"
          title=${l10n.t('Add a rule that answers requests like this one')}
          @click=${() =>
            context.post({
              type: 'permission/addRule',
              requestId,
            })}>${icon('law')}<span>${l10n.t('Add rule…')}</span></button>`
    }${options.isFirst && permission.options.some(isRemembered) ? remembers(agent) : nothing}</div>
  </div>`;
}

/**
 * Why the answers do not work yet. Its room stays afterwards: else another answer would move under a clicking pointer.
 */
function lockedLine(words: string | undefined): TemplateResult {
  return html`<div class="read-first ${words === undefined ? 'over' : ''}">${icon('info')}<span
    >${words ?? '\u00a0'}</span></div>`;
}

/** The program that stores “Always”. Each such option mentions it, too. */
function remembers(agent: string): TemplateResult {
  const words = l10n.t('{0} remembers “Always”.', agent);
  return html`<span class="dim remembers" title=${words}>${words}</span>`;
}

/** True if the agent remembers the answer. */
function isRemembered({ kind }: PermissionOptionView): boolean {
  return kind === 'allow_always' || kind === 'reject_always';
}

function nameOf({ text, quoted }: OptionLabel): TemplateResult {
  return html`<span>${text}${quoted === undefined ? nothing : html` <em>“${quoted}”</em>`}</span>`;
}

/** The agent's words for options without room on their buttons. */
function wholeNames({ options }: PermissionView) {
  const whole = optionLabels(options).flatMap((label, i) =>
    label.whole === undefined ? [] : [html`<li value=${i + 1}>${label.whole}</li>`],
  );
  return whole.length === 0
    ? nothing
    : html`<details class="whole-options"><summary>${icon('chevron-right')}${l10n.t('Show full option texts')}</summary
      ><ol tabindex="0">${whole}</ol></details>`;
}

/** The effect of the option, whatever its label: its tooltip and its description for assistive technology. */
function effectOf(option: PermissionOptionView, agent: string): string {
  if (option.kind === 'other')
    return l10n.t('The agent does not say whether this option allows or rejects the request.');
  return isRemembered(option)
    ? `${kindWords[option.kind]}. ${l10n.t('{0} remembers it.', agent)}`
    : `${kindWords[option.kind]}.`;
}

const KIND_ICONS: Readonly<Record<PermissionOptionKindView, string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'close',
  reject_always: 'circle-slash',
  other: 'question',
};

/** The arrow keys move between options; in scrolling content they scroll. @returns whether the focus moved. */
function moveFocus({ key, target }: KeyboardEvent, card: HTMLElement): boolean {
  const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 0;
  const buttons = [...card.querySelectorAll<HTMLButtonElement>('.options button:not([aria-disabled])')];
  const highlighted =
    target === card
      ? buttons.findIndex((button) => button.classList.contains('primary'))
      : buttons.indexOf(target as HTMLButtonElement);
  if (step === 0 || buttons.length === 0 || (target !== card && highlighted < 0)) return false;
  focusOn(buttons[(highlighted + step + buttons.length) % buttons.length]!);
  return true;
}

function openNote(event: Event, setNote: (text: string) => void): void {
  const card = (event.currentTarget as HTMLElement).closest('.permission');
  setNote('');
  focusNote(card, 60);
}

/** @param frames in which the note may still be drawn */
function focusNote(card: Element | null, frames: number): void {
  requestAnimationFrame(() => {
    const input = card?.querySelector<HTMLInputElement>('.reject-note input');
    if (input && document.hasFocus()) focusOn(input);
    else if (!input && frames > 0) focusNote(card, frames - 1);
  });
}

function cardNamed(requestId: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('.permission')].find(
    ({ dataset }) => dataset['question'] === requestId,
  );
}

function closeNote(requestId: string, setNote: (text: undefined) => void): void {
  const card = cardNamed(requestId);
  setNote(undefined);
  card?.focus({ preventScroll: true });
}
