/**
 * Marks around a model's reasoning, if no server separates it from the answer: the words in angle brackets, and other
 * marks.
 */
const pairs: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((word) => [`<${word}>`, `</${word}>`] as const),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** Angle brackets are matched in any case. Lower case in square brackets is Markdown. */
function spelled(text: string): string {
  return text.startsWith('[') ? text : text.toLowerCase();
}

/** The reasoning mark at the start of a text, and the mark that closes it. @returns undefined for any other text */
export function reasoningMark(text: string): { readonly length: number; readonly closing: string } | undefined {
  const begun = text.trimStart();
  const head = spelled(begun.slice(0, 30));
  const [opening, closing] = pairs.find(([mark]) => head.startsWith(mark)) ?? [];
  return opening === undefined ? undefined : { length: text.length - begun.length + opening.length, closing: closing! };
}

/** True if a text may still turn out to begin with such a mark: it is blank, or a part of one. */
export function mayBeReasoning(text: string): boolean {
  const head = text.trimStart();
  return head.length < 30 && pairs.some(([opening]) => opening.startsWith(spelled(head)));
}

const ends = /(?:^|\n)[ \t]*(<\/(?:think(?:ing)?|thought|reasoning|seed:think)>|\[\/THINK\]|◁\/think▷)[ \t]*\n/;

/**
 * Restores a missing opening mark. Some servers give it to the model, so that the text has only the closing one: on its
 * own line, outside code blocks.
 * @returns the text itself if it has an opening mark or no closing one
 */
export function withReasoningMark(text: string): string {
  const match = ends.exec(text);
  if (!match) return text;
  const before = text.slice(0, match.index);
  const opening = match[1]!.replace('/', '');
  const fences = before.match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  return before.includes(opening) || fences % 2 === 1 ? text : opening + text;
}

/** The longest line with a closing mark, with blanks around it. Characters. */
export const longestEnd = 40;

/** True if the end of a text looks like a closing mark, so that a search of the whole text is worthwhile. */
export function endsReasoning(tail: string): boolean {
  return ends.test(tail);
}
