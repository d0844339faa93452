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

/** Lines of a mentioned file, 1-based and inclusive. */
export interface MentionedLines {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines that a text names directly after a mention's token (`@a.ts:10-20`, `@a.ts:10`), and how many characters
 * that takes.
 * @param end where the token ends
 */
export function linesAfter(text: string, end: number): (MentionedLines & { readonly length: number }) | undefined {
  const [written, from, to = from] =
    /^:([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?(?![\w-])/.exec(text.slice(end, end + 20)) ?? [];
  if (written === undefined) return undefined;
  const [first, last] = [Number(from), Number(to)].sort((a, b) => a - b) as [number, number];
  return { first, last, length: written.length };
}

/** Splits what is typed after `@` into a file's name and the lines that follow it, also while they are typed. */
export function splitLines(query: string): { readonly name: string; readonly lines: string } {
  const at = query.search(/:(?:\d+(?:-\d*)?)?$/);
  return at < 0 ? { name: query, lines: '' } : { name: query.slice(0, at), lines: query.slice(at) };
}
