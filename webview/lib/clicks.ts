import * as l10n from '@vscode/l10n';
import { goToFootnote } from '../markdown/footnotes';
import type { PartContext } from '../parts/context';

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

/** How long a button shows that its text was copied, ms. */
const SHOWN_MS = 1_200;

/** Shows for a moment on its button that something was copied, and announces it. */
export function showCopied(button: HTMLElement, { announce }: Pick<PartContext, 'announce'>): void {
  button.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => button.classList.replace('codicon-check', 'codicon-copy'), SHOWN_MS);
  // Not in the button: screen readers may skip a button's content.
  announce(l10n.t('Copied'));
}

/** Characters of a selection that are passed on; for more, use the keyboard. */
const LONGEST = 1_000_000;

/**
 * VS Code's menu of an answer or a prompt, without cut and paste. VS Code reads the attribute when the menu is opened;
 * it includes the selection, because a command does not know the panel's selection.
 */
export function prepareContextMenu(root: HTMLElement): void {
  root.addEventListener(
    'contextmenu',
    ({ target }) => {
      const message = target instanceof Element ? target.closest<HTMLElement>('.agent-message, .user-message') : null;
      const { vscodeContext } = message?.dataset ?? {};
      if (!message || vscodeContext === undefined) return;
      const selection = getSelection()?.toString() ?? '';
      const { webviewSection, entryId } = JSON.parse(vscodeContext) as Record<string, unknown>;
      message.dataset['vscodeContext'] = JSON.stringify({
        webviewSection,
        entryId,
        preventDefaultContextMenuItems: true,
        ...(selection === '' || selection.length > LONGEST ? {} : { parleySelection: selection }),
      });
    },
    true,
  );
}
