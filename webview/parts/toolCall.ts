import { nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { visibleLine } from '../../src/base/visibleText';
import type { DiffView } from '../../src/protocol/diffView';
import { smallerNo } from '../../src/protocol/permissionOptions';
import type { PermissionView } from '../../src/protocol/permissionView';
import type { TerminalView } from '../../src/protocol/terminalView';
import type { CommandOutputView, ToolCallView, ToolContentView } from '../../src/protocol/toolCallView';
import { isFocusWithin } from '../lib/focus';
import type { Deadline } from '../lib/frame';
import { LateCode } from '../lib/latePart';
import { html } from '../lib/html';
import { ContentList } from './contentList';
import type { EntryPart, PartContext } from './context';
import { diffLines as diffLinesOf } from './diffCard';
import { NOTE, permissionCard } from './permission';
import type { PlanDocument } from './planDocument';
import { AnswerDelay } from './answerDelay';
import { ruleLine } from './ruleLine';
import { subagentHead } from './subagentHead';
import type { SubagentState } from './subagents';
import { inputHint, TerminalCard } from './terminalPart';
import { outputTerminal } from './outputTerminal';
import { hasDetails, toolDetails } from './toolDetails';
import { cardOf, diffHead, plainHead, terminalHead } from './toolHead';
import { statusWords } from './toolStatus';

/** A longer plan is shown as ordinary text. */
const MAX_PLAN = 100_000;

const planCode = new LateCode(() => import('./planDocument'));

type TerminalItem = Extract<ToolContentView, { type: 'terminal' }>;

/**
 * The agent's use of a tool. Finished and plain: one dim line. A diff or a terminal: a card, open. A permission
 * request: the card with the answer buttons. A failure: open, with its reason.
 */
export class ToolCallPart implements EntryPart<ToolCallView> {
  readonly element = document.createElement('div');
  #view!: ToolCallView;
  readonly #terminals = new Map<string, TerminalCard>();
  #content: ContentList | undefined;
  /** Texts of pending permission requests, by the name of the request. */
  readonly #askedTexts = new Map<string, ContentList>();
  readonly #plans = new Map<string, PlanDocument>();
  /** The requests for which the user may be writing a note. */
  #noted: ReadonlySet<string> = new Set();
  readonly #clock: AnswerDelay;
  /** A command's output as a terminal, and the view that it was made from. */
  #output: { readonly of: CommandOutputView; readonly view: ToolCallView; readonly terminal: TerminalView } | undefined;

  constructor(private readonly context: PartContext) {
    this.#clock = new AnswerDelay(() => this.context.redraw(this.#view.id));
    this.element.setAttribute('role', 'group');
  }

  update(view: ToolCallView): void {
    this.#view = view;
    const waiting = view.permissions.length > 0;
    const subagent = this.context.subagent(view.id);
    const cards = view.content.filter((c) => c.type !== 'content');
    const open = this.context.ui.isExpanded(view.id) ?? (!subagent && (cards.length > 0 || view.status === 'failed'));
    const isCard = waiting || (!subagent && cards.length > 0) || view.status === 'failed';
    this.element.className = `tool-call tool-${view.status}${isCard ? '' : ' line'}`;
    this.element.setAttribute('aria-label', visibleLine(view.title));
    this.#setContent(view);
    const wasToggle = isFocusWithin(this.element) && document.activeElement!.hasAttribute('aria-expanded');
    render(
      html`${subagent ? this.#subagentLine(view, subagent, open) : nothing}${
        waiting
          ? this.#asking(view)
          : subagent
            ? nothing
            : cardOf(view)
              ? this.#singleCard(view, open)
              : this.#line(view, open)
      }${ruleLine(view, this.context)}`,
      this.element,
    );
    // The head may be drawn differently, for example because its title has a link now.
    if (wasToggle && !this.element.contains(document.activeElement))
      this.element.querySelector<HTMLElement>('[aria-expanded]')?.focus({ preventScroll: true });
    for (const name of this.#askedTexts.keys())
      if (!view.permissions.some(({ requestId }) => requestId === name)) this.#askedTexts.delete(name);
    this.#dropNotes(view);
    for (const [name, plan] of this.#plans)
      if (!view.permissions.some(({ requestId }) => requestId === name)) this.#dropPlan(name, plan);
    if (waiting)
      for (const card of this.element.querySelectorAll<HTMLElement>('.permission'))
        this.#clock.watch(card.dataset['question']!, card, this.context.sight);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    let more = this.#content?.draw(deadline, near) ?? false;
    for (const list of this.#askedTexts.values()) more = list.draw(deadline, near) || more;
    return more;
  }

  #asking(view: ToolCallView) {
    const terminals = view.content.filter((c) => c.type === 'terminal');
    return html`<span class="visually-hidden">${statusWords(view.status)}</span>${repeat(
      view.permissions,
      ({ origin, requestId }) => origin ?? requestId,
      (permission) => {
        const plan = this.#planDocument(permission);
        return permissionCard(
          permission,
          {
            ready: !permission.isChecking && this.#clock.isReady(permission.requestId),
            shownAll: this.#isShownAll(-1),
            showAll: () => this.#showAll(-1),
            openDiff: (path) =>
              this.context.post({ type: 'permission/openDiff', requestId: permission.requestId, path }),
            content: this.#askedText(permission, plan),
            plan,
            isFirst: permission === view.permissions[0],
            redraw: () => this.context.redraw(view.id),
          },
          this.context,
        );
      },
    )}${terminals.map((t) => html`<div class="card">${this.#terminal(t)}</div>`)}`;
  }

  /** The call consists of one diff or terminal: one frame with one head. */
  #singleCard(view: ToolCallView, open: boolean) {
    const card = cardOf(view)!;
    const toggle = () => this.#toggle(open);
    const details = { open: this.#detailsOpen, toggle: () => this.#toggleDetails() };
    const head =
      card.type === 'diff'
        ? diffHead(view, card, view.content.indexOf(card), { open, toggle, details }, this.context)
        : terminalHead(view, this.#terminalOf(card), card.terminalId, { open, toggle, details }, this.context);
    return html`<div class="card ${open ? 'open' : ''}">${head}${
      open
        ? card.type === 'diff'
          ? this.#diff(card, 0)
          : this.#terminal(card)
        : card.type === 'terminal'
          ? inputHint(this.#terminalOf(card), () => this.#openTerminal(card.terminalId))
          : nothing
    }${
      this.#detailsOpen ||
      (open &&
        view.status === 'failed' &&
        !('output' in card) &&
        (this.#content !== undefined || view.output !== undefined))
        ? html`<div class="card-details">${toolDetails(
            view,
            this.#content?.element,
            view.status === 'failed' && !this.#detailsOpen,
            this.context,
          )}</div>`
        : nothing
    }</div>`;
  }

  /** A subagent's line opens its calls, which are entries below it. */
  #subagentLine(view: ToolCallView, subagent: SubagentState, open: boolean) {
    const details = {
      open: this.context.ui.isExpanded(`details:${view.id}`) ?? view.status === 'failed',
      toggle: () => this.#toggleDetails(details.open),
    };
    return html`${subagentHead(
      view,
      subagent,
      { open, toggle: () => this.#toggleCalls(open), details },
      this.context,
    )}${this.#body(view, details.open)}`;
  }

  /** A line that opens; several cards stand below it. */
  #line(view: ToolCallView, open: boolean) {
    return html`${plainHead(view, open, () => this.#toggle(open), this.context)}${this.#body(view, open)}`;
  }

  #body(view: ToolCallView, open: boolean) {
    const cards = view.content.filter((c) => c.type !== 'content');
    return html`${
      open
        ? html`${
            hasDetails(view)
              ? html`<div class="tool-body">${toolDetails(view, this.#content?.element, false, this.context)}</div>`
              : nothing
          }${cards.map((card, i) =>
            card.type === 'diff'
              ? html`<div class="card open">${diffHead(
                  view,
                  card,
                  view.content.indexOf(card),
                  undefined,
                  this.context,
                )}${this.#diff(card, i)}</div>`
              : html`<div class="card open">${terminalHead(
                  view,
                  this.#terminalOf(card),
                  card.terminalId,
                  undefined,
                  this.context,
                )}${this.#terminal(card)}</div>`,
          )}`
        : nothing
    }`;
  }

  #diff(diff: DiffView, index: number) {
    return html`<div class="card-body">${diffLinesOf(diff, this.#isShownAll(index), () => this.#showAll(index))}</div>`;
  }

  #terminal(item: TerminalItem) {
    const id = item.terminalId;
    let card = this.#terminals.get(id);
    if (!card) {
      card = new TerminalCard(id, this.context.ui, () => this.#openTerminal(id));
      this.#terminals.set(id, card);
    }
    card.update(this.#terminalOf(item));
    return html`<div class="card-body">${card.element}</div>`;
  }

  #terminalOf({ terminalId, output }: TerminalItem): TerminalView | undefined {
    if (!output) return this.context.terminal(terminalId);
    if (this.#output?.of !== output || this.#output.view !== this.#view)
      this.#output = {
        of: output,
        view: this.#view,
        terminal: outputTerminal(this.#view, terminalId, output, this.#output?.terminal),
      };
    return this.#output.terminal;
  }

  #openTerminal(terminalId: string): void {
    this.context.post({ type: 'terminal/open', terminalId });
  }

  /** The agent's text in the request's content, as it was when the request came. */
  #askedText(permission: PermissionView, document: PlanDocument | undefined) {
    const { requestId, content, plan } = permission;
    const said = content.flatMap((c) => (c.type === 'content' ? [c.content] : []));
    const pieces = plan === undefined || document ? said : [{ type: 'text' as const, text: plan }, ...said];
    if (pieces.length === 0) return html`${document?.element ?? nothing}`;
    const list = this.#askedTexts.get(requestId) ?? new ContentList({ isAsked: true });
    this.#askedTexts.set(requestId, list);
    list.set(pieces, false);
    return html`${document?.element ?? nothing}${list.element}`;
  }

  /** The document of a plan; `undefined` for one that is shown as ordinary text, and until the code is loaded. */
  #planDocument({ requestId, origin = requestId, options, plan }: PermissionView): PlanDocument | undefined {
    if (plan === undefined || plan.length > MAX_PLAN) return undefined;
    const { ui, log } = this.context;
    const redraw = () => this.context.redraw(this.#view.id);
    const code = planCode.get(redraw, log);
    const document =
      this.#plans.get(requestId) ??
      (code && new code.PlanDocument(plan, origin, smallerNo(options) !== undefined, ui, redraw));
    if (document) this.#plans.set(requestId, document);
    document?.update();
    return document;
  }

  /** Moves an unfinished note into the message box when its request has ended. */
  #dropNotes({ permissions }: ToolCallView): void {
    const names = new Set(permissions.map(({ origin, requestId }) => origin ?? requestId));
    for (const name of this.#noted) {
      if (names.has(name)) continue;
      const note = this.context.ui.formValues(name)[NOTE];
      this.context.ui.forgetForm(name);
      if (typeof note === 'string' && note.trim() !== '') this.context.keepText(note);
    }
    this.#noted = names;
  }

  /** Comments on a plan stay with a changed request. When the request has ended, they move into the message box. */
  #dropPlan(requestId: string, plan: PlanDocument): void {
    this.#plans.delete(requestId);
    if (this.#view.permissions.some((permission) => (permission.origin ?? permission.requestId) === plan.request))
      return;
    const note = plan.note('');
    if (note === '') return;
    plan.forget();
    this.context.keepText(note);
  }

  #setContent(view: ToolCallView): void {
    const pieces = view.content.flatMap((c) => (c.type === 'content' ? [c.content] : []));
    if (pieces.length === 0) {
      this.#content = undefined;
      return;
    }
    this.#content ??= new ContentList();
    this.#content.set(pieces, false);
  }

  #toggle(open: boolean): void {
    this.context.ui.setExpanded(this.#view.id, !open);
    this.context.redraw(this.#view.id);
  }

  #toggleCalls(open: boolean): void {
    this.context.hold(this.#view.id);
    this.#toggle(open);
  }

  get #detailsOpen(): boolean {
    return this.context.ui.isExpanded(`details:${this.#view.id}`) ?? false;
  }

  #toggleDetails(open = this.#detailsOpen): void {
    this.context.ui.setExpanded(`details:${this.#view.id}`, !open);
    this.context.redraw(this.#view.id);
  }

  #isShownAll(index: number): boolean {
    return this.context.ui.isExpanded(`all:${this.#view.id}:${index}`) ?? false;
  }

  #showAll(index: number): void {
    this.context.ui.setExpanded(`all:${this.#view.id}:${index}`, true);
    this.context.redraw(this.#view.id);
  }
}
