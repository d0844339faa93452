import { goToFootnote } from '../markdown/footnotes';
import type { PartContext } from '../parts/context';
import { showCopied } from './copied';

/**
 * Handles links and code buttons anywhere in the panel, with one listener. No click causes the browser's own
 * navigation, or VS Code's: the host decides what is opened.
 */
export function handleClicks(root: HTMLElement, context: PartContext): void {
  const handle = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = target?.closest('a');
    if (link) {
      event.preventDefault();
      event.stopPropagation();
      if (event.button <= 1) openLink(link, context);
      return;
    }
    const button = target?.closest<HTMLElement>('[data-code]');
    if (button && event.type === 'click') useCode(button, context);
  };
  root.addEventListener('click', handle);
  root.addEventListener('auxclick', handle);
}

function openLink(link: HTMLAnchorElement, context: PartContext): void {
  const { path, line, column, footnote } = link.dataset;
  if (footnote !== undefined) return goToFootnote(link);
  if (path !== undefined)
    context.post({
      type: 'location/open',
      path,
      ...(line ? { line: Number(line) } : {}),
      ...(line && column ? { column: Number(column) } : {}),
    });
  else if (link.getAttribute('href') !== '#')
    context.post({ type: 'link/open', href: link.getAttribute('href') ?? '' });
}

function useCode(button: HTMLElement, context: PartContext): void {
  const block = button.closest<HTMLElement>('.code-block');
  const text = block?.querySelector('code')?.textContent ?? '';
  switch (button.dataset['code']) {
    case 'insert':
      return context.post({ type: 'code/insert', text });
    case 'newFile':
      return context.post({ type: 'code/newFile', text, language: block?.dataset['language'] ?? '' });
    case 'save':
      return context.post({ type: 'code/save', text, info: block?.dataset['info'] ?? '' });
    case 'wrap':
      button.setAttribute('aria-pressed', String(block?.classList.toggle('wrapped') ?? false));
      return;
  }
  context.post({ type: 'code/copy', text });
  showCopied(button, context);
}
