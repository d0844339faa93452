/** Places in a command line that the parser reads in another way than shells do. A few more that only look like them are no loss. */
const signs: readonly RegExp[] = [
  // A line that goes on in the middle of a word, or of a sign: `$\` and `HOME` below it are a variable.
  /[^ \t\n]\\\n(?![ \t])/,
  // `1>(…)` is a substitution behind a digit; a number or a name for a descriptor stands before `>` alone.
  /[\d}][<>]\(/,
  // `>&-x` closes a descriptor, and `x` is a word of the command.
  /[<>]&(?:[ \t]|\\\n)*-(?![\s;&|)]|$)/,
];

/** Whether more may run, or with other words, than the parser finds in a text. */
export function isReadOtherwise(text: string): boolean {
  return signs.some((sign) => sign.test(text));
}

/** Whether a word holds a variable whose name stands on the next line. */
export function hidesVariable(word: string): boolean {
  return /\$\\\n/.test(word);
}
