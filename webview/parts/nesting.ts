import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';

/** The subagent of an entry. */
export interface Nesting {
  /** Of the subagent's call. */
  readonly title: string;
  /** 1 below the agent itself. */
  readonly depth: number;
}

/** Deeper entries are not indented further. */
const MAX_INDENT = 3;

/** Indents an entry of a subagent. */
export function markNested(element: HTMLElement, nesting: Nesting | undefined): void {
  element.classList.toggle('nested', nesting !== undefined);
  if (!nesting) {
    delete element.dataset['depth'];
    return;
  }
  element.dataset['depth'] = String(Math.min(MAX_INDENT, nesting.depth));
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', visibleLine(l10n.t('Part of {0}', nesting.title)));
}
