/**
 * The agent that a user means: "gemini" is "Gemini CLI", and "claude" is "Claude Code". An exact name wins; else the
 * one that begins with the words, else the one that contains them. Undefined where there is none or more than one.
 * @param {string} wanted @param {readonly string[]} names @returns {string | undefined}
 */
export function findAgent(wanted, names) {
  const word = wanted.trim().toLowerCase();
  /** @type {((name: string) => boolean)[]} */
  const ways = [(name) => name === word, (name) => name.startsWith(word), (name) => name.includes(word)];
  for (const way of ways) {
    const found = names.filter((name) => way(name.toLowerCase()));
    if (found.length > 0) {
      return found.length === 1 ? found[0] : undefined;
    }
  }
  return undefined;
}
