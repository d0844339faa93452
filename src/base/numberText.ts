let language = 'en';

/**
 * The language in which numbers are written: that of the texts around them.
 * @param shown VS Code's display language, such as `zh-cn`
 */
export function writeNumbersIn(shown: string): void {
  try {
    [language] = [...Intl.getCanonicalLocales(shown), 'en'] as [string];
  } catch {
    // A language that the system does not know, such as that of a translator's test.
    language = 'en';
  }
}

/** A number for a text that the user reads. */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}): string {
  return value.toLocaleString(language, options);
}
