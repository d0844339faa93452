/** Longer names are no names. */
const maxLength = 200;
/** How many names in view are offered at once. */
export const maxSymbols = 100;

const NAME = /^[#@]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*){0,9}(?:\(\))?$/u;

/**
 * The parts of code that reads as the name of a symbol: `parseExpr`, `Foo.bar`, `foo()`, `Foo::bar`. Whether there is
 * such a symbol only a language server knows.
 * @returns undefined for other code
 */
export function symbolParts(code: string): readonly string[] | undefined {
  if (code.length > maxLength || !NAME.test(code)) return undefined;
  return code
    .replace(/\(\)$/, '')
    .replace(/^[#@]/, '')
    .split(/\.|::|#/);
}
