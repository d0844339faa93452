/**
 * The position of a mention's token (`@tokenizer.ts`) in a text as a separate word, at or after `from`; -1 if absent.
 */
export function findToken(text: string, token: string, from = 0): number {
  for (let at = text.indexOf(token, from); at >= 0; at = text.indexOf(token, at + 1)) {
    const before = at === 0 ? ' ' : text[at - 1]!;
    const after = text[at + token.length] ?? ' ';
    if (
      /[\s([{"']/.test(before) &&
      !/[\w/-]/.test(after) &&
      !(after === '.' && /\w/.test(text[at + token.length + 1] ?? ''))
    )
      return at;
  }
  return -1;
}

/**
 * The tokens that may mention a file, the shortest first, without end.
 * @param path relative, as it is shown; of a folder also with a final slash
 */
export function* mentionTokens(path: string): Generator<string, never> {
  const clean = path.replace(/\/$/, '').replace(/\s/g, '_');
  yield `@${clean.slice(clean.lastIndexOf('/') + 1)}`;
  yield `@${clean}`;
  for (let n = 2; ; n++) yield `@${clean}#${n}`;
}

/** Occurrences of one token that are counted. More in one message are unrealistic. */
const MAX_SAME = 20;

/**
 * The token by which a text mentions a file.
 * @param taken tokens of other files of the same text
 * @returns undefined if the text does not mention it
 */
export function tokenIn(text: string, path: string, taken: ReadonlySet<string>): string | undefined {
  const tokens = mentionTokens(path);
  for (let tried = 0; tried < MAX_SAME; tried++) {
    const token = tokens.next().value;
    if (!taken.has(token) && findToken(text, token) >= 0) return token;
  }
  return undefined;
}
