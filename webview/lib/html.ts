import { html as litHtml, type TemplateResult } from 'lit-html';
import { visibleText } from '../../src/base/visibleText';

/**
 * lit-html's `html`, with its texts through `visibleText`: those between tags and those in attributes that are read.
 * Every template of the panel uses it, so that no text of an agent can hide a part of itself. Attributes with a
 * technical meaning (addresses, values, ids) stay unchanged.
 */
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult<1> {
  let read = readHoles.get(strings);
  if (!read) readHoles.set(strings, (read = holesThatAreRead(strings)));
  for (const hole of read) values[hole] = shown(values[hole]);
  return litHtml(strings, ...values);
}

/**
 * A translated sentence with elements in it: `filled(l10n.t('Retry in {0}'), countdown)`. The sentence comes without
 * values, so that its placeholders are still there.
 */
export function filled(sentence: string, ...values: readonly unknown[]): TemplateResult<1> {
  return html`${sentence.split(/\{(\d)\}/).map((part, i) => (i % 2 === 1 ? values[Number(part)] : part))}`;
}

const readHoles = new WeakMap<TemplateStringsArray, readonly number[]>();
const readAttributes = new Set([
  'title',
  'alt',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'aria-roledescription',
]);

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'string') ? value.map(shown) : value;
}

/** The values between tags or in an attribute that is read. Templates are well-formed: they are ours. */
function holesThatAreRead(strings: readonly string[]): readonly number[] {
  const read: number[] = [];
  let inTag = false;
  let quote = '';
  let attribute = '';
  for (let hole = 0; hole < strings.length - 1; hole++) {
    for (const [part] of strings[hole]!.matchAll(/[<>"']|[^\s<>"'=]+(?==)/g)) {
      if (quote !== '') quote = part === quote ? '' : quote;
      else if (!inTag) inTag = part === '<';
      else if (part === '>') inTag = false;
      else if (part === '"' || part === "'") quote = part;
      else if (part !== '<') attribute = part;
    }
    if (!inTag || readAttributes.has(attribute)) read.push(hole);
  }
  return read;
}
