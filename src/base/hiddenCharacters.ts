/**
 * `text`: titles, labels and plain text. `code`: also marks typographic spaces. `prose`: marks only characters that
 * reorder text, hide a message or control something.
 */
export type Use = 'text' | 'code' | 'prose';

/** Consecutive hidden characters that are named one by one. */
const MOST_NAMED = 4;

/** Visible characters of Unicode's category "format": they enclose the digits that follow. */
const seenFormat = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;

/**
 * A character that is invisible, looks like a blank, or changes its surroundings: controls, formats, tags, halves of
 * surrogate pairs, default-ignorable ones (Unicode, DerivedCoreProperties), and all spaces but the ordinary ones.
 */
export const hiddenCharacter = String.raw`(?!${seenFormat}|[\t\n ]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]`;
const hiddenRuns = new RegExp(`(?:${hiddenCharacter})+`, 'gu');

/**
 * Characters that prose may hold without a mark: spaces, joiners, direction marks, break opportunities, variation
 * selectors.
 */
const quiet = /^(?:\p{Zs}|\p{Variation_Selector}|\u034f|[\u00ad\u061c\u200b-\u200f\u2060-\u2064\ufeff]){1,4}$/u;

/** Scripts in which joiners between letters change the spelling and the meaning. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const emoji = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3001-\u303f\uff01-\uff60]$/u;
/** The flags of England, Scotland and Wales: a black flag, and the region in tags. */
const flags = new Set(
  ['gbeng', 'gbsct', 'gbwls'].map(
    (region) =>
      `${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`,
  ),
);

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolates = /[\u2066\u2068][^\u202a-\u202e\u2066-\u2069]*\u2069/g;

/**
 * Marks each hidden character that its neighbours do not justify.
 * @param before the character before the text, if it is a part of a longer one
 */
export function marked(text: string, use: Use, before = ''): string {
  return text.replace(hiddenRuns, (run: string, at: number) => {
    if (use === 'prose' && quiet.test(run)) return run;
    return markedRun(
      run,
      at === 0 ? before : lastCharacter(text.slice(Math.max(0, at - 2), at)),
      String.fromCodePoint(text.codePointAt(at + run.length) ?? 32),
      use,
    );
  });
}

/** A part of a line, and the character that isolates its direction. */
export interface Stretch {
  readonly open?: string;
  readonly text: string;
}

/** Splits a line at the isolates that `isolated` added; others are part of the text. */
export function stretches(line: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let end = 0;
  for (const { 0: pair, index } of line.matchAll(isolates)) {
    if (!rightToLeft.test(pair)) continue;
    found.push({ text: line.slice(end, index) }, { open: pair[0]!, text: pair.slice(1, -1) });
    end = index + pair.length;
  }
  return [...found, { text: line.slice(end) }];
}

/** Encloses right-to-left text in isolates, so that it does not reorder its surroundings. */
export function isolated({ open = '\u2068', text }: Stretch): string {
  return rightToLeft.test(text) ? `${open}${text}\u2069` : text;
}

export function lastCharacter(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}

function markedRun(run: string, before: string, after: string, use: Use): string {
  if (before === '\u{1f3f4}' && flags.has(run)) return run;
  let shown = '';
  const hidden: string[] = [];
  let prev = before;
  const characters = [...run];
  for (const [at, character] of characters.entries()) {
    const next = at === characters.length - 1 ? after : '';
    const isVariant = /\p{Variation_Selector}/u.test(character);
    if (hidden.length === 0 && !(isVariant && at > 0) && isJustified(character, prev, next, use)) {
      shown += character;
      // A joiner after a variation selector joins the emoji before it.
      if (!isVariant) prev = '';
    } else hidden.push(character);
  }
  return shown + marks(hidden);
}

function isJustified(character: string, prev: string, next: string, use: Use): boolean {
  switch (character) {
    case '\u200c':
      return joining.test(prev) && (joining.test(next) || /^\p{M}$/u.test(prev));
    case '\u200d':
      return (
        (emoji.test(prev) && emoji.test(next)) || (joining.test(prev) && (joining.test(next) || /^\p{M}$/u.test(prev)))
      );
    case '\ufe0e':
    case '\ufe0f':
      return emoji.test(prev) || (/^[\d#*]$/.test(prev) && next === '\u20e3');
    // `host/platform/plainText.ts` adds it so that VS Code makes no link or icon of the text.
    case '\u200b':
      return use === 'text' && (prev === ']' || prev === '$') && next === '(';
    case '\u00a0':
    case '\u202f':
      return use !== 'code' && (prev === '«' || /^[!%:;?»€]$/.test(next) || (/^\d$/.test(prev) && /^\d$/.test(next)));
    case '\u3000':
      return use !== 'code' && (wide.test(prev) || wide.test(next));
    default:
      if (/^[\u180b-\u180f]$/.test(character)) return /^\p{Script=Mongolian}$/u.test(prev);
      return /^[\ufe00-\ufe02\u{e0100}-\u{e01ef}]$/u.test(character) && /^\p{Unified_Ideograph}$/u.test(prev);
  }
}

function marks(hidden: readonly string[]): string {
  if (hidden.length <= MOST_NAMED) return hidden.map((character) => `⟨${nameOf(character)}⟩`).join('');
  const same = hidden.every((character) => character === hidden[0]);
  return same
    ? `⟨${nameOf(hidden[0]!)} × ${hidden.length}⟩`
    : `⟨${markWords.hidden(nameOf(hidden[0]!), hidden.length - 1)}⟩`;
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The words inside marks such as "⟨400 spaces⟩", in English until `translateMarks` in `protocol` replaces them: this
 * layer has no translation.
 */
export const markWords = {
  hidden: (first: string, more: number) => `${first} and ${more} more hidden characters`,
  marks: (count: number) => `${count} more combining marks`,
  emptyLines: (count: number) => `${count} empty lines`,
  blanks: (count: number) => `${count} spaces and tabs`,
  spaces: (count: number) => `${count} spaces`,
};
