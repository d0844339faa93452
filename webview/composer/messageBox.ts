import * as l10n from '@vscode/l10n';

/** The field of the message. Its direction follows the text: right to left in Arabic and Hebrew. */
export function messageBox(): HTMLTextAreaElement {
  const box = document.createElement('textarea');
  box.setAttribute('aria-label', l10n.t('Message'));
  box.rows = 1;
  box.spellcheck = false;
  box.dir = 'auto';
  return box;
}
