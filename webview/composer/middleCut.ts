import type { TemplateResult } from 'lit-html';
import { html } from '../lib/html';

/** A shorter name is cut at its end. */
const SHORT = 20;
/** Characters of its end that stay: they tell models of a family apart. */
const END = 10;

/**
 * A model's name for its button: without its provider, and without words that all models share. The list has the full
 * name.
 */
export function shortModelName(name: string): string {
  return (
    name.replace(/(?<!\s)\s*\((?:recommended|default|current|latest)\)$/i, '').replace(/^[^/]+\/(?=.)/, '') || name
  );
}

/** A name that loses its middle if there is no room. */
export function middleCut(name: string): TemplateResult<1> {
  const letters = [...name];
  if (letters.length <= SHORT) return html`<span class="label">${name}</span>`;
  return html`<span class="label cut"><span>${letters.slice(0, -END).join('')}</span><span
    >${letters.slice(-END).join('')}</span></span>`;
}
