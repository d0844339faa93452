let lineLength = 50;

/** Sets the approximate number of characters in a line, for guessing the height of text without a layout. */
export function setLineLength(characters: number): void {
  lineLength = Math.max(20, characters);
}

/** The approximate number of characters in a line. */
export function charactersPerLine(): number {
  return lineLength;
}
