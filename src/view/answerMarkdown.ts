import { formattingTags } from '../base/formattingTags';

const formatting = new Set(formattingTags);

/** An unfinished block of code. */
interface OpenFence {
  readonly fence: string;
  readonly info: string;
  /** The line that opened it. */
  readonly at: number;
  inner: boolean;
  hasInner: boolean;
}

/**
 * An answer as Markdown that every reader shows as the panel does. Tags that format nothing are escaped, a Markdown
 * file gets a longer fence than those in it, and unfinished code is closed, so that it does not include the next
 * message.
 */
export function answerMarkdown(text: string): string {
  const lines: string[] = [];
  let open: OpenFence | undefined;
  let isList = false;
  for (const line of text.split('\n')) {
    const [, indent = '', fence, rest = ''] = /^( {0,3})(`{3,}|~{3,})([^]*)$/.exec(line) ?? [];
    if (open) {
      if (fence?.startsWith(open.fence) && rest.trim() === '') {
        if (!open.inner) {
          close(lines, open);
          open = undefined;
          continue;
        }
        open.inner = false;
      } else if (
        fence !== undefined &&
        !open.inner &&
        /^\s*[\w+#.-]/.test(rest) &&
        /^\s*(?:md|mdx|markdown)\b/i.test(open.info)
      )
        open.inner = open.hasInner = true;
      lines.push(line);
    } else if (fence !== undefined && !(fence.startsWith('`') && rest.includes('`'))) {
      open = { fence, info: rest, at: lines.length, inner: false, hasInner: false };
      lines.push(`${indent}${fence}${rest}`);
    } else {
      if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) isList = true;
      else if (/^\S/.test(line)) isList = false;
      lines.push(/^(?: {4}|\t)/.test(line) && !isList ? line : escaped(line));
    }
  }
  if (open) close(lines, open);
  return lines.join('\n');
}

function close(lines: string[], { fence, at, hasInner }: OpenFence): void {
  const longest = hasInner
    ? lines.slice(at + 1).reduce((most, line) => Math.max(most, /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]!.length ?? 0), 0)
    : 0;
  const whole = longest >= fence.length ? fence[0]!.repeat(longest + 1) : fence;
  lines[at] = lines[at]!.replace(fence, whole);
  lines.push(whole);
}

/** A line outside of code. Tags that format nothing become text, and so does `[ERROR]: failed`. */
function escaped(line: string): string {
  return line
    .split(/((?<!`)`+[^`]+`+)/)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(/<\/?([a-z][\w.:-]*)|<(?=[!?])/gi, (tag: string, name: string | undefined) =>
            name !== undefined && keeps(name) ? tag : `\\${tag}`,
          ),
    )
    .join('')
    .replace(/^( {0,3})\[(?=[^\]^]{1,100}\]:[ \t]*[^\s./#:@\\]+[ \t]*$)/, '$1\\[');
}

/** Tags that format, and addresses. */
function keeps(name: string): boolean {
  return (
    /^(?:https?|mailto|ftp):/i.test(name) ||
    /^(?:https?|mailto|ftp)$/i.test(name) ||
    (formatting.has(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase()))
  );
}
