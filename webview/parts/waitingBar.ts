import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import { optionLabel } from '../../src/protocol/permissionOptions';
import { type PendingQuestionView, type WaitingElsewhereView, askerOf } from '../../src/protocol/questionView';
import type { PanelView } from '../../src/protocol/viewModel';
import { filled, html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** A pending request that is out of view. */
export interface WaitingItem {
  readonly agent: string;
  /** The session, if it is not the shown one. */
  readonly key?: string;
  readonly title: string;
  /** Absent for a sign-in. */
  readonly question?: PendingQuestionView;
}

/** Pending requests of all sessions that are out of view, oldest first; sign-ins last. */
export function waitingItems(
  agent: string,
  outOfSight: readonly PendingQuestionView[],
  elsewhere: readonly WaitingElsewhereView[],
): readonly WaitingItem[] {
  const items: WaitingItem[] = [
    ...outOfSight.map((question) => ({ agent, title: question.title, question })),
    ...elsewhere,
  ];
  return items.sort((a, b) => (a.question?.askedAt ?? Infinity) - (b.question?.askedAt ?? Infinity) || 0);
}

export interface WaitingBarOptions {
  readonly ready: boolean;
  /** The user has had its card in view. */
  readonly wasRead: boolean;
  /** Another element has the primary colour. */
  readonly isQuiet: boolean;
  readonly show: (item: WaitingItem) => void;
}

/**
 * The oldest of them, and their number. A request that the line does not show in full can be allowed only from its
 * card.
 */
export function waitingBar(
  items: readonly WaitingItem[],
  options: WaitingBarOptions,
  context: PartContext,
): TemplateResult {
  const [item] = items as [WaitingItem];
  const { question } = item;
  const brief = question?.brief;
  const isWhole = brief?.isWhole === true;
  const text = visibleLine(brief?.text ?? item.title);
  const answer = (option: NonNullable<typeof brief>['allow'], label: string, isPrimary: boolean) =>
    option && question && !context.panel().imported
      ? html`<button type="button" class=${isPrimary ? 'primary' : 'secondary'} ?disabled=${!options.ready}
        title=${`${optionLabel(option).text}: ${text}`} aria-label=${`${label}: ${text}`}
          @click=${() => choose(question, option.optionId, context)}>${label}</button>`
      : nothing;
  const canAllow = brief?.allow?.kind === 'allow_once' && (isWhole || options.wasRead);
  const suggests = canAllow && brief?.suggestsYes === true;
  const show = item.key === undefined ? l10n.t('Show the request') : l10n.t('Show that session');
  return html`<div class="strip waiting-strip" role="group" aria-label=${l10n.t('Waiting for you')}>
    <span class="waiting-text ${isWhole ? 'whole' : ''}"
      title=${isWhole ? nothing : text}>${icon(
        question?.kind === 'permission' ? 'shield' : question ? 'question' : 'account',
        'attention',
      )}<span
        class="words">${filled(
          item.key === undefined ? l10n.t('{0} asks: {1}') : l10n.t('{0} asks in another session: {1}'),
          askerOf(item.agent, question),
          brief?.isCode ? html`<code>${text}</code>` : text,
        )}</span></span>
    <span class="waiting-actions">${
      items.length > 1 ? html`<span class="dim count">${l10n.t('1 of {0}', items.length)}</span>` : nothing
    }${canAllow ? answer(brief?.allow, l10n.t('Allow'), suggests && !options.isQuiet) : nothing}${
      brief?.reject?.kind === 'reject_once' ? answer(brief.reject, l10n.t('Reject'), false) : nothing
    }<button
        type="button" class=${suggests || options.isQuiet ? 'secondary' : 'primary'} title=${show}
        aria-label=${`${show}: ${text}`} @click=${() => options.show(item)}>${l10n.t('Show')}</button></span>
  </div>`;
}

function choose({ requestId }: PendingQuestionView, optionId: string, context: PartContext): void {
  if (!context.answers.isOver) return;
  context.answers.begin();
  context.post({ type: 'permission/select', requestId, optionId });
}

/**
 * The permission request that the commands answer: the oldest in view, or else the one in the line over the box. If it
 * was not read, they lead to it.
 */
export function answerable(
  panel: PanelView,
  inView: readonly PendingQuestionView[],
  items: readonly WaitingItem[],
  wasRead: (requestId: string) => boolean,
): { readonly requestId: string; readonly read: boolean } | undefined {
  if (panel.sessions === undefined) {
    const card = inView.find(({ kind }) => kind === 'permission');
    if (card) return { requestId: card.requestId, read: wasRead(card.requestId) };
  }
  const question = items[0]?.question;
  return (
    question?.brief && { requestId: question.requestId, read: question.brief.isWhole || wasRead(question.requestId) }
  );
}
