import { html } from './html';

/** A text in which an agent marks code with backticks, as in Markdown; all else is plain text. */
export function withCode(text: string): readonly unknown[] {
  const parts = text.split(/(`[^`\n]+`)/);
  return parts.map((part, i) => (i % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`));
}
