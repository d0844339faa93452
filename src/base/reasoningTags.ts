/**
 * How models mark their reasoning where no server parts it from the answer: the words in angle brackets, and marks of
 * their own.
 */
const pairs: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((word) => [`<${word}>`, `</${word}>`] as const),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** Angle brackets are of any case. In square brackets small letters are a word of Markdown. */
function spelled(text: string): string {
  return text.startsWith('[') ? text : text.toLowerCase();
}

/** The mark that a text begins with, and the one that ends it. @returns undefined for any other text */
export function reasoningMark(text: string): { readonly length: number; readonly closing: string } | undefined {
  const begun = text.trimStart();
  const head = spelled(begun.slice(0, 30));
  const [opening, closing] = pairs.find(([mark]) => head.startsWith(mark)) ?? [];
  return opening === undefined ? undefined : { length: text.length - begun.length + opening.length, closing: closing! };
}

/** Whether a text may turn out to begin with such a mark: it is blank, or a part of one. */
export function mayBeReasoning(text: string): boolean {
  const head = text.trimStart();
  return head.length < 30 && pairs.some(([opening]) => opening.startsWith(spelled(head)));
}

const ends = /(?:^|\n)[ \t]*(<\/(?:think(?:ing)?|thought|reasoning|seed:think)>|\[\/THINK\]|◁\/think▷)[ \t]*\n/;

/**
 * Some servers give the opening mark to the model, so that the text has only the end: a line of its own, in no block of
 * code.
 * @returns the text with the opening mark; the text itself where it has one, or no end
 */
export function withReasoningMark(text: string): string {
  const match = ends.exec(text);
  if (!match) return text;
  const before = text.slice(0, match.index);
  const opening = match[1]!.replace('/', '');
  const fences = before.match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  return before.includes(opening) || fences % 2 === 1 ? text : opening + text;
}

/** The longest line that ends reasoning, with blanks around it. Characters. */
export const longestEnd = 40;

/** Whether the end of a text ends reasoning, so that all of it is worth a look. */
export function endsReasoning(tail: string): boolean {
  return ends.test(tail);
}
