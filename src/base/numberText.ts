let language = 'en';

/**
 * Sets the language of numbers to that of the surrounding texts.
 * @param shown VS Code's display language, such as `zh-cn`
 */
export function writeNumbersIn(shown: string): void {
  try {
    [language] = [...Intl.getCanonicalLocales(shown), 'en'] as [string];
  } catch {
    // The system does not know the language, for example that of a translator's test.
    language = 'en';
  }
}

/** A number for a text that the user reads. */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}): string {
  return value.toLocaleString(language, options);
}
