/** Where a mention's token (`@tokenizer.ts`) stands in a text as a word of its own, at or after `from`; -1 for nowhere. */
export function findToken(text: string, token: string, from = 0): number {
  for (let at = text.indexOf(token, from); at >= 0; at = text.indexOf(token, at + 1)) {
    const before = at === 0 ? ' ' : text[at - 1]!;
    const after = text[at + token.length] ?? ' ';
    if (/[\s([{"']/.test(before) && !/[\w/-]/.test(after) && !(after === '.' && /\w/.test(text[at + token.length + 1] ?? ''))) return at;
  }
  return -1;
}
