import * as l10n from '@vscode/l10n';
import type { PartContext } from '../parts/context';

/** How long a button shows that its text was copied, ms. */
const SHOWN_MS = 1_200;

/** Shows for a moment on its button that something was copied, and announces it. */
export function showCopied(button: HTMLElement, { announce }: Pick<PartContext, 'announce'>): void {
  button.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => button.classList.replace('codicon-check', 'codicon-copy'), SHOWN_MS);
  // Not in the button: screen readers may skip a button's content.
  announce(l10n.t('Copied'));
}
