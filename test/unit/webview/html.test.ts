import { nothing } from 'lit-html';
import { expect, it } from 'vitest';
import { filled, html } from '../../../webview/lib/html';

it('marks what is read, between tags and in attributes, and leaves what means something to the page', () => {
  const bad = '\u202e';
  const inner = html`<b>${bad}</b>`;
  const { values } = html`<p class="a ${bad}" title=${bad} data-path=${bad} .value=${bad}
      aria-label="Say ${bad}" ?disabled=${true}>${bad} <a href=${bad}>${[bad, 1, inner]}</a><input placeholder=${bad}>${nothing}${inner}</p>`;
  const mark = '⟨U+202E⟩';
  expect(values).toEqual([bad, mark, bad, bad, mark, true, mark, bad, [mark, 1, inner], mark, nothing, inner]);
  expect(inner.values).toEqual([mark]);
});

it('puts elements into a sentence where the translation has them, and marks the texts among them', () => {
  const code = html`<code>x</code>`;
  expect(filled('{1}: {0} asks', '\u202e', code).values).toEqual([['', code, ': ', '⟨U+202E⟩', ' asks']]);
});
