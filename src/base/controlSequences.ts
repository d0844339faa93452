/** Colours, cursor movements, titles and whatever else a program says to a terminal. Takes linear time: none of them contains another's beginning. */
// oxlint-disable-next-line no-control-regex
const sequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-~])/g;

/** The text without what is meant for a terminal. Of a title that does not end, only its beginning goes. */
export function withoutControlSequences(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text;
}
