import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { visibleProse } from '../../src/base/visibleText';
import type { TerminalRow, TerminalRun, TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { formatDuration } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { UiState } from '../uiState';
import { statusIconName, statusWords } from './toolStatus';

/** A closed card shows this many rows from the end. */
const TAIL = 10;

/**
 * The output of a terminal: its last rows, all of them on demand. Rows are compared by identity, so that a chunk of
 * output redraws only changed rows.
 */
export class TerminalCard {
  readonly element = document.createElement('div');
  readonly #above = document.createElement('div');
  readonly #output = document.createElement('pre');
  readonly #below = document.createElement('div');
  #drawn: { row: TerminalRow; element: HTMLElement }[] = [];
  #drawnFirst = 0;
  #view: TerminalView | undefined;

  /** @param open shows it natively */
  constructor(
    private readonly id: string,
    private readonly ui: UiState,
    private readonly open: () => void,
  ) {
    this.element.className = 'terminal';
    this.#output.className = 'terminal-rows';
    this.#output.tabIndex = 0;
    this.#output.setAttribute('role', 'group');
    this.#output.setAttribute('aria-label', l10n.t('Terminal output'));
    this.element.append(this.#above, this.#output, this.#below);
  }

  /** @param view absent while the terminal is unknown */
  update(view: TerminalView | undefined): void {
    this.#view = view;
    const rows = view?.rows ?? [];
    const all = this.ui.isExpanded(this.#key) ?? false;
    const from = all ? 0 : Math.max(0, rows.length - TAIL);
    this.#drawRows(rows, (view?.firstRow ?? 0) + from, from);
    const earlier = (view?.firstRow ?? 0) + from;
    this.#output.hidden = rows.length === 0;
    this.#output.classList.toggle('all', all);
    render(
      from > 0
        ? html`<button type="button" class="more" @click=${() => this.#showAll()}>${
            earlier === 1 ? l10n.t('1 earlier line') : l10n.t('{0} earlier lines', earlier)
          }</button>`
        : earlier > 0
          ? html`<div class="more dim">${
              earlier === 1 ? l10n.t('1 earlier line omitted') : l10n.t('{0} earlier lines omitted', earlier)
            }</div>`
          : '',
      this.#above,
    );
    render(
      html`${
        view?.remark ? html`<div class="remark">${icon('info')}<span>${view.remark}</span></div>` : ''
      }${inputHint(view, this.open)}`,
      this.#below,
    );
  }

  get #key(): string {
    return `rows:${this.id}`;
  }

  #showAll(): void {
    this.ui.setExpanded(this.#key, true);
    this.update(this.#view);
  }

  #drawRows(rows: readonly TerminalRow[], firstNumber: number, from: number): void {
    // Rows that scrolled out of the shown part are removed at the top.
    const gone = Math.min(this.#drawn.length, Math.max(0, firstNumber - this.#drawnFirst));
    if (firstNumber < this.#drawnFirst) {
      for (const { element } of this.#drawn) element.remove();
      this.#drawn = [];
    } else {
      for (const { element } of this.#drawn.splice(0, gone)) element.remove();
    }
    this.#drawnFirst = firstNumber;
    const shown = rows.length - from;
    for (let i = 0; i < shown; i++) {
      const row = rows[from + i]!;
      const old = this.#drawn[i];
      if (old?.row === row) continue;
      const element = rowElement(row);
      if (old) old.element.replaceWith(element);
      else this.#output.appendChild(element);
      this.#drawn[i] = { row, element };
    }
    for (const { element } of this.#drawn.splice(shown)) element.remove();
  }
}

/** Shown while a command seems to wait for the user's input. */
export function inputHint(view: TerminalView | undefined, open: () => void) {
  if (!view?.waitsForInput) return nothing;
  return html`<div class="remark input-hint"
    role="status">${icon('keyboard')}<span>${l10n.t('The command may be waiting for input')}</span><button
      type="button" class="text-button" @click=${open}>${l10n.t('Open Terminal')}</button></div>`;
}

/**
 * How an ended command ended. `good` means exit 0 and nothing else; `bad` another exit code or a signal; `stopped` the
 * user's Stop, whatever the command's exit; `state` the state of its call, if that has more information.
 */
export function endedAs(
  { exitCode, signal, stopped }: TerminalView,
  { status, wasStopped }: ToolCallView,
): 'good' | 'bad' | 'stopped' | 'state' | 'other' {
  const byStop = signal !== undefined || exitCode === undefined || exitCode > 128 || exitCode < 0;
  if (status === 'stopped' || ((wasStopped || stopped) && byStop)) return 'stopped';
  if (signal !== undefined || (exitCode ?? 0) !== 0) return 'bad';
  if (statusIconName(status) !== undefined) return 'state';
  return exitCode === 0 ? 'good' : 'other';
}

/** "exit 0 · 3.4 s", the running time, or what ended it. @param outlives it still runs after its call has ended */
export function terminalState(view: TerminalView | undefined, call: ToolCallView, outlives = false) {
  if (!view || view.running)
    return html`<span class="state dim">${
      outlives ? html`<span class="yields">${l10n.t('Still running')}</span>` : nothing
    }${elapsedElement(call.runsSince ?? call.startedAt)}</span>`;
  const end = endedAs(view, call);
  const ended =
    end === 'stopped'
      ? l10n.t('Stopped')
      : end === 'state'
        ? statusWords(call.status)
        : (view.signal ?? (view.exitCode === undefined ? l10n.t('ended') : l10n.t('exit {0}', view.exitCode)));
  const words = `${ended}${view.durationMs === undefined ? '' : ` · ${formatDuration(view.durationMs)}`}`;
  const isBad = end === 'bad' || (end === 'state' && call.status === 'failed');
  const name =
    end === 'good'
      ? 'check'
      : end === 'stopped'
        ? statusIconName('stopped')
        : end === 'state'
          ? statusIconName(call.status)
          : end === 'bad'
            ? 'error'
            : undefined;
  return html`<span class="state ${
    isBad ? 'failed' : end === 'good' ? 'done' : 'dim'
  } ${end === 'good' ? 'yields' : ''}" title=${words}>${
    name === undefined ? nothing : icon(name)
  }<span>${words}</span></span>`;
}

function rowElement(row: TerminalRow): HTMLElement {
  const element = document.createElement('div');
  element.className = 'terminal-row';
  for (const run of row) element.appendChild(runElement(run));
  // An empty row has its height, and a copied text its line breaks.
  element.appendChild(document.createTextNode('\n'));
  return element;
}

function runElement(run: TerminalRun): Node {
  if (run.classes === undefined && run.fg === undefined && run.bg === undefined)
    return document.createTextNode(visibleProse(run.text));
  const span = document.createElement('span');
  span.textContent = visibleProse(run.text);
  if (run.classes !== undefined) span.className = run.classes;
  if (run.fg !== undefined) span.style.setProperty('--ink', run.fg);
  if (run.bg !== undefined) span.style.setProperty('--paper', run.bg);
  return span;
}
