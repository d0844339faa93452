import * as l10n from '@vscode/l10n';
import type { Token, Tokens } from 'marked';

const ICONS = { note: 'info', tip: 'lightbulb', important: 'report', warning: 'warning', caution: 'error' } as const;
type Kind = keyof typeof ICONS;

/**
 * Reads a quote that begins with `[!NOTE]` as an alert.
 * @param tokens of the quote
 * @returns the alert with its title, and the element for its content; undefined for any other quote
 */
export function takeAlert(
  tokens: readonly Token[],
): { readonly element: HTMLElement; readonly rest: readonly Token[] } | undefined {
  const [first, ...others] = tokens;
  const inlines = first?.type === 'paragraph' ? (first as Tokens.Paragraph).tokens : [];
  const [marker, ...words] = inlines;
  const match =
    marker?.type === 'text'
      ? /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec((marker as Tokens.Text).text)
      : null;
  if (
    !match ||
    (match[0].length === (marker as Tokens.Text).text.length &&
      words.length > 0 &&
      words[0]!.type !== 'br' &&
      !match[0].endsWith('\n'))
  )
    return undefined;
  const text = (marker as Tokens.Text).text.slice(match[0].length);
  const left: Token[] = [
    ...(text === '' ? [] : [{ ...(marker as Tokens.Text), text, raw: text }]),
    ...(words[0]?.type === 'br' && text === '' ? words.slice(1) : words),
  ];
  const rest = left.length === 0 ? others : [{ ...(first as Tokens.Paragraph), tokens: left }, ...others];
  return { element: alertElement(match[1]!.toLowerCase() as Kind), rest };
}

function alertElement(kind: Kind): HTMLElement {
  const element = document.createElement('div');
  element.className = `alert alert-${kind}`;
  element.setAttribute('role', 'note');
  const title = element.appendChild(document.createElement('p'));
  title.className = 'alert-title';
  const icon = title.appendChild(document.createElement('span'));
  icon.className = `codicon codicon-${ICONS[kind]}`;
  icon.setAttribute('aria-hidden', 'true');
  const shown = titleOf(kind);
  title.appendChild(document.createElement('span')).append(shown);
  return element;
}

function titleOf(kind: Kind): string {
  switch (kind) {
    case 'note':
      return l10n.t('Note');
    case 'tip':
      return l10n.t('Tip');
    case 'important':
      return l10n.t('Important');
    case 'warning':
      return l10n.t('Warning');
    case 'caution':
      return l10n.t('Caution');
  }
}
