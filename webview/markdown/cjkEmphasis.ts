const letter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uff60\uffe0-\uffe6]`;
const cjk = new RegExp(letter, 'u');
const mark = String.raw`(?![*~])[\p{P}\p{S}]`;
const wideMarks =
  /[\u3001-\u3004\u3008-\u3020\u3030\u303d\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff60\uffe0-\uffe6]/gu;
const before = new RegExp(String.raw`${mark}(?=[*~]+${letter})`, 'gu');
const after = new RegExp(String.raw`(?<=${letter}[*~]{1,3})${mark}`, 'gu');

/** `2**3`, `x*2`: a power and a product, whose stars are not emphasis. */
const operator = /(?<=[A-Za-z\d_)])\*{1,2}(?=\d)/g;
const endsOperand = /[A-Za-z\d_)]/;

/** Replaces a punctuation mark that counts as a letter. */
const stand = '字';

/**
 * Chinese, Japanese and Korean put no spaces between words, so `**「甲」**なので` has a punctuation mark inside of the stars
 * and a letter outside, which Markdown does not read as emphasis. As GitHub's parser plans (markdown-cjk-friendly),
 * their own punctuation marks count as letters, and so does any mark that only stars separate from them.
 */
export class CjkNeighbours {
  #of = '';
  #shown = '';

  /** The text in which the ends of emphasis are searched, of the same length. The same one for each star of a line. */
  masked(text: string): string {
    if (this.#of === text) return this.#shown;
    this.#of = text;
    const prose = text.replace(operator, standIn);
    this.#shown = cjk.test(prose)
      ? prose.replace(wideMarks, stand).replace(before, standIn).replace(after, standIn)
      : prose;
    return this.#shown;
  }

  /** The character before emphasis; "" if it may begin after any. */
  before(source: string, character: string): string {
    return cjk.test(character) || new RegExp(`^[*~]+${letter}`, 'u').test(source.slice(0, 8)) ? '' : character;
  }
}

/** Whether the stars at a position are operators. */
export function isOperator(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '*') start--;
  let end = at;
  while (text[end] === '*') end++;
  return end - start < 3 && endsOperand.test(text[start - 1] ?? '') && /\d/.test(text[end] ?? '');
}

function standIn(found: string): string {
  return stand.repeat(found.length);
}
