/** Longer texts are not names. */
const maxLength = 200;
/** The most names that one view looks up at once. */
export const maxSymbols = 100;

const NAME = /^[#@]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*){0,9}(?:\(\))?$/u;

/**
 * The parts of code that looks like a symbol's name: `parseExpr`, `Foo.bar`, `foo()`, `Foo::bar`. Only a language
 * server knows whether the symbol exists.
 * @returns undefined for other code
 */
export function symbolParts(code: string): readonly string[] | undefined {
  if (code.length > maxLength || !NAME.test(code)) return undefined;
  return code
    .replace(/\(\)$/, '')
    .replace(/^[#@]/, '')
    .split(/\.|::|#/);
}
