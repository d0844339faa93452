/** The user's search. */
export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly isRegex: boolean;
}

/** A regular expression as two texts: it runs in the worker. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** @returns the pattern, or why the expression is invalid; `undefined` if the search is empty */
export function toPattern({
  text,
  matchCase,
  wholeWord,
  isRegex,
}: Query): Pattern | { readonly problem: string } | undefined {
  if (text === '') return undefined;
  const own = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = matchCase ? 'gm' : 'gim';
  const candidates: Pattern[] = [
    { source: wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${own})(?![\\p{L}\\p{N}_])` : own, flags: `${flags}u` },
    // Some expressions are valid only in the older form.
    { source: wholeWord ? `\\b(?:${own})\\b` : own, flags },
  ];
  let problem: unknown;
  for (const pattern of candidates) {
    try {
      // With the brackets of a whole word around it, an invalid expression may become valid.
      if (isRegex) RegExp(own, pattern.flags);
      RegExp(pattern.source, pattern.flags);
      return pattern;
    } catch (error) {
      problem ??= error;
    }
  }
  // The engine repeats the expression before the reason.
  return { problem: problem instanceof Error ? problem.message.replace(/^.*: /s, '') : '' };
}
