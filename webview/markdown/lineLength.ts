let lineLength = 50;

/** Tells how many characters a line holds about, for guessing the height of text that was never laid out. */
export function setLineLength(characters: number): void {
  lineLength = Math.max(20, characters);
}

/** How many characters a line holds about. */
export function charactersPerLine(): number {
  return lineLength;
}
