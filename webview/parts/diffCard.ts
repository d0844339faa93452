import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { DiffView } from '../../src/protocol/diffView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { diffRows } from './diffRows';

/** A longer diff shows this many lines, and a button for the rest. */
const SHORT = 16;

/** "+14 −9". A minus sign, not a hyphen; a zero is left out. */
export function diffCounts(added: number, removed: number): TemplateResult {
  return html`<span class="counts">${
    added > 0 || removed === 0 ? html`<span class="added" aria-hidden="true">+${added}</span>` : ''
  }${
    removed > 0 ? html`<span class="removed" aria-hidden="true">−${removed}</span>` : ''
  }<span class="visually-hidden">${l10n.t('{0} added, {1} removed', added, removed)}</span></span>`;
}

/** The size of a diff; nothing if it is unknown. */
export function countsOf(diff: DiffView): TemplateResult | typeof nothing {
  return diff.opens !== undefined && diff.added + diff.removed === 0 ? nothing : diffCounts(diff.added, diff.removed);
}

/** The hunks of a diff. Lines have a sign, so that they do not differ by colour alone. */
export function diffLines(diff: DiffView, all: boolean, showAll: () => void): TemplateResult {
  const total = diff.hunks.reduce((n, hunk) => n + hunk.lines.length, 0);
  const hidden = !all && total > SHORT + 2;
  const remark =
    diff.remark === undefined ? '' : html`<div class="remark">${icon('info')}<span>${diff.remark}</span></div>`;
  if (total === 0 && remark !== '') return remark;
  return html`${remark}<div class="diff fade-x" tabindex="0" role="group"
    aria-label=${l10n.t('Changes in {0}', diff.label)}>${guard([diff, hidden], () =>
      diffRows(diff, hidden ? SHORT : Infinity),
    )}</div>${
      hidden
        ? html`<button type="button" class="more" @click=${showAll}>${
            diff.truncated ? l10n.t('Show the first {0} lines', total) : l10n.t('Show all {0} lines', total)
          }</button>`
        : ''
    }${
      !hidden && diff.truncated ? html`<div class="more dim">${l10n.t('Open the diff to see more changes.')}</div>` : ''
    }`;
}
