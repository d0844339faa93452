import * as l10n from '@vscode/l10n';

/** How long a button shows that its text was copied, ms. */
const SHOWN_MS = 1_200;

/** Says for a moment, on the button that did it, that something was copied. */
export function showCopied(button: HTMLElement): void {
  const words = document.createElement('span');
  words.className = 'visually-hidden';
  words.setAttribute('role', 'status');
  button.classList.replace('codicon-copy', 'codicon-check');
  button.append(words);
  // Read is what comes into a status, not what it came with.
  requestAnimationFrame(() => (words.textContent = l10n.t('Copied')));
  setTimeout(() => {
    button.classList.replace('codicon-check', 'codicon-copy');
    words.remove();
  }, SHOWN_MS);
}
