import * as l10n from '@vscode/l10n';
import { maxSymbols, symbolParts } from '../../src/protocol/symbolName';
import type { PartContext } from '../parts/context';
import { isMac } from './mac';

/**
 * Code in an answer that looks like a symbol's name leads to the symbol: with Ctrl (Cmd on a Mac) and a click, as in
 * the editor, or with F12, which offers the names in view. Until then nothing is looked up, and no word looks like a
 * link.
 */
export function followSymbols(thread: HTMLElement, context: Pick<PartContext, 'post'>): void {
  const isHeld = ({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent) => (isMac ? metaKey : ctrlKey);
  const show = (isOn: boolean) => thread.classList.toggle('follows-symbols', isOn);
  thread.addEventListener('pointermove', (event) => show(isHeld(event)), { passive: true });
  for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, (event) => show(isHeld(event)));
  window.addEventListener('blur', () => show(false));
  thread.addEventListener('pointerover', ({ target }) => {
    const code = codeAt(target);
    if (!code || !symbolParts(code.textContent)) return;
    code.classList.add('symbol');
    code.title = isMac ? l10n.t('Go to Symbol (Cmd+Click)') : l10n.t('Go to Symbol (Ctrl+Click)');
  });
  thread.addEventListener('click', (event) => {
    const name = codeAt(event.target)?.textContent;
    if (!isHeld(event) || name === undefined || !symbolParts(name)) return;
    event.preventDefault();
    context.post({ type: 'symbol/open', names: [name] });
  });
  thread.addEventListener('keydown', (event) => {
    if (event.key !== 'F12' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const selected = getSelection()?.toString().trim() ?? '';
    context.post({ type: 'symbol/open', names: symbolParts(selected) ? [selected] : namesInView(thread) });
  });
}

/** Inline code that is not a link yet. */
function codeAt(target: EventTarget | null): HTMLElement | undefined {
  const code = target instanceof Element ? target.closest<HTMLElement>('.markdown code') : null;
  return code && !code.closest('pre, a') ? code : undefined;
}

function namesInView(thread: HTMLElement): string[] {
  const view = thread.getBoundingClientRect();
  const names = new Set<string>();
  for (const code of thread.querySelectorAll('.markdown code')) {
    const { top, bottom, height } = code.getBoundingClientRect();
    if (height > 0 && bottom > view.top && top < view.bottom && codeAt(code) && symbolParts(code.textContent))
      names.add(code.textContent);
  }
  return [...names].slice(0, maxSymbols);
}
