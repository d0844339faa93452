import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import { reveal } from '../lib/reveal';

/** A reference to a footnote. `goToFootnote` follows it. */
export function footnoteReferenceElement(label: string): HTMLElement {
  const sup = document.createElement('sup');
  sup.className = 'footnote-reference';
  const link = sup.appendChild(footnoteLink(label, 'text'));
  link.textContent = visibleLine(label);
  link.setAttribute('aria-label', visibleLine(l10n.t('Footnote {0}', label)));
  return sup;
}

/** A footnote at its original place. @returns the element for its text */
export function footnoteElement(label: string, into: Node): HTMLElement {
  const note = into.appendChild(document.createElement('div'));
  note.className = 'footnote';
  note.setAttribute('role', 'note');
  note.dataset['footnoteText'] = label;
  const link = note.appendChild(footnoteLink(label, 'reference'));
  link.textContent = visibleLine(label);
  link.setAttribute('aria-label', visibleLine(l10n.t('Back to footnote reference {0}', label)));
  const body = note.appendChild(document.createElement('div'));
  body.className = 'footnote-body';
  return body;
}

/** Scrolls to the other end of a footnote. */
export function goToFootnote(link: HTMLElement): void {
  const message = link.closest('.markdown');
  const label = link.dataset['footnote'] ?? '';
  const isReference = link.dataset['to'] === 'reference';
  const found = [
    ...(message?.querySelectorAll<HTMLElement>(isReference ? '[data-to="text"]' : '[data-footnote-text]') ?? []),
  ].find(({ dataset }) => (isReference ? dataset['footnote'] : dataset['footnoteText']) === label);
  // A page far from the view is plain text.
  const plain = () =>
    [...(message?.querySelectorAll<HTMLElement>('.md-page.plain') ?? [])].find(({ textContent }) =>
      textContent.includes(isReference ? `[^${label}]` : `[^${label}]:`),
    );
  const target = found ?? plain();
  reveal(target, 'center');
  (found?.matches('a') ? found : found?.querySelector('a'))?.focus({ preventScroll: true });
}

function footnoteLink(label: string, to: 'text' | 'reference'): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = '#';
  link.dataset['footnote'] = label;
  link.dataset['to'] = to;
  return link;
}
