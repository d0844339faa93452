import type { Lexer, Token, TokenizerThis, Tokens } from 'marked';

/** A formula, or the reason why it is not one: see `isTex`. */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math';
  readonly tex: string;
  readonly display: boolean;
}

type Extensions = NonNullable<Lexer['options']['extensions']>;
type Rule = (this: TokenizerThis, source: string, tokens: Token[]) => Tokens.Generic | undefined;

/**
 * Syntax that models use beyond GitHub's Markdown: math, footnotes, and `~` for subscripts. Rules that a text cannot
 * need are left out, because the parser calls each at every position.
 */
export function extensionsFor(source: string): Extensions | undefined {
  const block: Rule[] = [];
  const inline: Rule[] = [];
  const startBlock: ((source: string) => number)[] = [];
  const startInline: ((source: string) => number)[] = [];
  const hasMath = source.includes('$') || /\\[([]/.test(source);
  if (hasMath) {
    block.push(mathBlock);
    inline.push(inlineMath);
    startBlock.push((text) => indexAfterBreak(text, /\n {0,3}(?=\$\$|\\\[)/));
    startInline.push((text) => text.indexOf('$'));
  }
  if (source.includes('[^')) {
    block.push(footnoteDefinition);
    inline.push(footnoteReference);
    startBlock.push((text) => indexAfterBreak(text, /\n {0,3}(?=\[\^[^\]\s]{1,80}\]:)/));
  }
  if (source.includes('~')) inline.push(tilde);
  if (inline.length === 0) return undefined;
  return { renderers: {}, childTokens: {}, block, inline, startBlock, startInline } as unknown as Extensions;
}

/** The key of a footnote among the definitions of links. */
export function footnoteKey(label: string): string {
  return `^${label.toLowerCase()}`;
}

function indexAfterBreak(text: string, pattern: RegExp): number {
  const at = text.search(pattern);
  return at < 0 ? -1 : at + 1;
}

/** `$$…$$` and `\[…\]` that begin a line. */
function mathBlock(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const match = /^ {0,3}(?:\$\$((?:[^$\\]|\\[^])+?)\$\$|\\\[([^]+?)\\\])[ \t]*(?:\n+|$)/.exec(source);
  const tex = match?.[1] ?? match?.[2];
  if (tex === undefined || /\n[ \t]*\n/.test(tex) || !isTex(tex, match![1] !== undefined)) return undefined;
  return { type: 'math', raw: match![0], tex: tex.trim(), display: true };
}

/** `$…$`, `$$…$$`, `\(…\)` and `\[…\]` in a line. */
function inlineMath(this: TokenizerThis, source: string, tokens: Token[]): Tokens.Generic | undefined {
  if (source.startsWith('\\(') || source.startsWith('\\[')) {
    const display = source[1] === '[';
    const end = source.indexOf(display ? '\\]' : '\\)', 2);
    const tex = end < 0 ? '' : source.slice(2, end);
    return isTex(tex, false) ? { type: 'math', raw: source.slice(0, end + 2), tex: tex.trim(), display } : undefined;
  }
  if (!source.startsWith('$')) return undefined;
  const before = tokens.at(-1)?.raw.at(-1) ?? '';
  if (/[\w$\\]/.test(before)) return undefined;
  const match = /^(\$\$?)(?![\s$])((?:[^$\\\n]|\\[^\n])*?(?:[^$\\\s]|\\[^\n]))\1(?![\w${])/.exec(source);
  // `$(a)/$(b)`: two commands of a shell.
  if (
    !match ||
    (match[2]!.startsWith('(') && source[match[0].length] === '(') ||
    (match[1] === '$' && isPrice(match[2]!))
  )
    return undefined;
  return { type: 'math', raw: match[0], tex: match[2]!.trim(), display: match[1] === '$$' };
}

/** "$5 and $6", "$3 million (or 2$)", "$5 (US$)": an amount and words, not a formula. */
function isPrice(text: string): boolean {
  return /^\d[\d.,]*[kKmMbB]?[,;:]?\s+\(?[\p{L}]{2,}/u.test(text);
}

/** Markdown also writes brackets after a backslash: only text that looks like TeX is a formula. */
export function isTex(text: string, isCertain: boolean): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  return (
    isCertain ||
    /[\\^_={}<>+]|\d\s*[*/-]\s*\d/.test(trimmed) ||
    /^-?[\d.,]*[A-Za-z]?'*(?:\([\w,. ]*\))?$/.test(trimmed) ||
    /^[A-Za-z]\s*[-*/,]\s*[A-Za-z\d]$/.test(trimmed)
  );
}

/** `H~2~O` has a subscript; any other single `~` is literal. Two of them strike through. */
function tilde(this: TokenizerThis, source: string, tokens: Token[]): Tokens.Generic | undefined {
  if (!source.startsWith('~') || source[1] === '~') return undefined;
  const match = /^~([\w+\-()]{1,16})~(?!~)/.exec(source);
  if (match && /[\p{L}\p{N})\]]$/u.test(tokens.at(-1)?.raw ?? ''))
    return { type: 'subscript', raw: match[0], text: match[1]! };
  return { type: 'text', raw: '~', text: '~' };
}

function footnoteReference(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const match = /^\[\^([^\]\s]{1,80})\](?!:)/.exec(source);
  if (!match || !Object.hasOwn(this.lexer.tokens.links, footnoteKey(match[1]!))) return undefined;
  return { type: 'footnoteReference', raw: match[0], label: match[1]! };
}

/** `[^1]: text`, continued in the following lines and in indented paragraphs. */
function footnoteDefinition(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const match =
    /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n(?! {0,3}\[\^[^\]\s]{1,80}\]:)(?:[ \t]*\S[^\n]*|(?:[ \t]*\n)*(?: {4}|\t)[^\n]*\S[^\n]*))*)(?:\n|$)/.exec(
      source,
    );
  if (!match) return undefined;
  const [raw, label] = [match[0], match[1]!];
  this.lexer.tokens.links[footnoteKey(label)] ??= { href: '', title: null };
  return {
    type: 'footnote',
    raw,
    label,
    tokens: this.lexer.blockTokens(match[2]!.replace(/^(?: {1,4}|\t)/gm, ''), []),
  };
}
