import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { visibleCode } from '../../src/base/visibleText';
import type { DiffView } from '../../src/protocol/diffView';
import type { PermissionView, RiskKind } from '../../src/protocol/permissionView';
import { formatSize, placeWords } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { readMark } from './cardVisibility';
import { countsOf, diffLines } from './diffCard';

export interface SubjectOptions {
  readonly shownAll: boolean;
  readonly showAll: () => void;
  /** Opens the diff editor for a file of the request. */
  readonly openDiff: (path: string) => void;
}

/**
 * The only change that the title names, so that its path is not repeated: "Edit src/a.ts", and nothing else in the
 * title that could pass for another path.
 */
export function diffInTitle({ title, content }: PermissionView): DiffView | undefined {
  const [diff, ...others] = content.filter((c) => c.type === 'diff');
  if (!diff || others.length > 0 || !title.endsWith(diff.label)) return undefined;
  return /^(?:\p{L}+:? ){0,3}$/u.test(title.slice(0, -diff.label.length)) ? diff : undefined;
}

/** The size of a change, and the button to the diff editor. */
export function diffTools(diff: DiffView, { openDiff }: SubjectOptions): TemplateResult {
  const words = l10n.t('Open diff');
  // Without lines there is nothing to compare.
  const opens = diff.hunks.length > 0 || diff.truncated;
  return html`<span class="diff-tools">${countsOf(diff)}${
    opens
      ? html`<button type="button" class="text-button" title=${l10n.t('Compare the file with the proposed change')}
        aria-label=${l10n.t('Open diff of {0}', diff.label)} @click=${() => openDiff(diff.path)}>${words}</button>`
      : nothing
  }</span>`;
}

/**
 * The command, the changes, the address, the places and the raw input: everything that the answer depends on.
 * @param words the agent's description, which comes before the input
 */
export function permissionSubject(
  permission: PermissionView,
  options: SubjectOptions,
  words: TemplateResult | typeof nothing,
): TemplateResult {
  const { url, steps = [], command, cwd, input } = permission;
  const diffs = permission.content.filter((c) => c.type === 'diff');
  const known =
    (command !== undefined && !permission.isFromTitle) || diffs.some((d) => !d.isFromInput) || url !== undefined;
  const inTitle = diffInTitle(permission);
  const elsewhere = permission.locations.filter((l) => !diffs.some((d) => d.path === l.path));
  return html`${risks(permission)}
    ${
      permission.isFromTitle
        ? html`<div class="asked-path dim">${icon('info')}<span>${l10n.t(
            'Taken from the title. The agent sent no command.',
          )}</span></div>`
        : nothing
    }
    ${command === undefined ? nothing : commandText(command, steps)}
    ${
      command !== undefined && cwd
        ? html`<div class="asked-path dim" title=${l10n.t('Working directory')}>${icon('folder')}<span><span
          class="visually-hidden">${l10n.t('Working directory')}: </span>${cwd}</span></div>`
        : nothing
    }
    ${
      url === undefined
        ? nothing
        : html`<div class="asked-path asked-url">${icon('globe')}<code>${visibleCode(url)}</code></div>`
    }
    ${diffs.map(
      (diff) =>
        html`<div class="asked-diff">${
          diff === inTitle
            ? nothing
            : html`<div class="asked-path">${icon(diff.isNew ? 'new-file' : 'edit')}<span>${diff.label}</span
              >${diffTools(diff, options)}</div>`
        }${diffLines(diff, options.shownAll, options.showAll)}</div>`,
    )}
    ${elsewhere.map(
      (location) =>
        html`<div class="asked-path">${icon('file')}${
          location.isNoFile
            ? html`<span>${placeWords(location)}</span>`
            : html`<a href="#" data-path=${location.path} data-line=${location.line ?? ''}
              title=${location.path}>${placeWords(location)}</a>`
        }</div>`,
    )}
    ${words}${known ? nothing : inputFields(permission)}${
      input === undefined ? nothing : rawInput(permission.requestId, input, !known && permission.fields === undefined)
    }`;
}

/** The raw input value by value, which is easier to read than JSON. */
function inputFields({ fields = [] }: PermissionView) {
  if (fields.length === 0) return nothing;
  return html`<div class="asked fields" tabindex="0" role="group" aria-label=${l10n.t('Input')}>${fields.map(
    ({ name, text }) =>
      html`<div><span class="dim">${visibleCode(name)}: </span>${text === '' ? '""' : visibleCode(text)}</div>`,
  )}${readMark}</div>`;
}

/** The whole raw input. It is folded if the card already shows its meaning. */
function rawInput(requestId: string, input: string, isOpen: boolean): TemplateResult {
  const text = html`<pre class="asked" tabindex="0"
    aria-label=${l10n.t('Input')}>${visibleCode(input)}${isOpen ? readMark : nothing}</pre>`;
  if (isOpen) return text;
  return html`<details class="io"
    data-input=${requestId}><summary>${icon('chevron-right')}${l10n.t(
      'Raw input ({0})',
      formatSize(new Blob([input]).size),
    )}</summary>${text}</details>`;
}

/** The whole command; a chain has one command a line, after its operator. */
function commandText(command: string, steps: readonly string[]): TemplateResult {
  const laid = steps.length > 1 ? commandSteps(command, steps) : [];
  if (laid.length < 2)
    return html`<pre class="asked" tabindex="0"
      aria-label=${l10n.t('Command')}>${visibleCode(command)}${readMark}</pre>`;
  return html`<ol class="asked steps" role="list" tabindex="0"
    aria-label=${l10n.t('Command in {0} parts', steps.length)}>${laid.map(
      ({ operator, text, isInner }) =>
        html`<li class=${isInner ? 'inner' : ''}>${
          isInner
            ? html`<span class="operator">${l10n.t({
                message: 'runs',
                comment: ['Before a command that the command above it runs'],
              })}</span> `
            : operator === ''
              ? nothing
              : html`<span class="operator">${operator}</span> `
        }${text}</li>`,
    )}<li class="read-mark" aria-hidden="true"></li></ol>`;
}

/** The risks, in words. */
function risks({ risks = [] }: PermissionView) {
  if (risks.length === 0) return nothing;
  return html`<ul class="risks" role="list" aria-label=${l10n.t('Risks')}>${risks.map(
    ({ kind, text }) => html`<li>${icon(RISK_ICONS[kind])}<span>${visibleCode(text)}</span></li>`,
  )}</ul>`;
}

const RISK_ICONS: Readonly<Record<RiskKind, string>> = {
  changed: 'history',
  contradiction: 'warning',
  outside: 'folder-opened',
  deletes: 'trash',
  guarded: 'lock',
  network: 'globe',
  privilege: 'shield',
  program: 'warning',
  forcePush: 'repo-force-push',
  secret: 'key',
};

/** A part of a command line. */
interface CommandStep {
  /** Its operator after the previous part: "&&", ";", "|", or "" at the beginning and after a line break. */
  readonly operator: string;
  readonly text: string;
  /** It runs inside of the part above: in a substitution, under `sudo`. Its words are already shown there. */
  readonly isInner: boolean;
}

/**
 * Splits a command line into its parts for display. The shown words are those of the command line itself, in order and
 * without gaps, so that a parsing mistake hides nothing. Hidden characters are marked.
 * @param steps the sub-commands as written, in order; inner ones after the outer one.
 */
export function commandSteps(command: string, steps: readonly string[]): readonly CommandStep[] {
  const laid: CommandStep[] = [];
  let end = 0;
  for (const step of steps) {
    const at = step === '' ? -1 : command.indexOf(step, end);
    if (at < 0) {
      if (step !== '') laid.push({ operator: '', text: visibleCode(step), isInner: true });
      continue;
    }
    laid.push({ operator: shown(command.slice(end, at)), text: visibleCode(step), isInner: false });
    end = at + step.length;
  }
  const rest = shown(command.slice(end));
  // The rest is a closing bracket, a comment, or an unparsed part.
  return rest === '' ? laid : [...laid, { operator: '', text: rest, isInner: false }];
}

/** Trims last: a marked character is never a blank. */
function shown(text: string): string {
  return visibleCode(text).trim();
}
