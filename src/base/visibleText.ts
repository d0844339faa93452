import { type Use, hiddenCharacter, isolated, lastCharacter, markWords, marked, stretches } from './hiddenCharacters';

/** Consecutive blanks that stay as they are. Code is rarely indented further; a tab counts as four. */
const MOST_BLANKS = 64;
/** Consecutive empty lines that stay as they are. */
const MOST_EMPTY_LINES = 8;

/** Many combining marks on one letter cover the lines around it. No language needs more than eight. */
const stacked = /(\p{M}{8})\p{M}+/gu;

/**
 * Makes hostile text safe to show. Characters that are invisible, reorder their surroundings or push text out of sight
 * become marks such as "⟨U+202E⟩" or "⟨400 spaces⟩". Emoji and the joiners that languages need stay, and right-to-left
 * text cannot reorder its surroundings. Line breaks and tabs stay. Idempotent; takes linear time.
 */
export function visibleText(text: string): string {
  return visible(text, 'text');
}

/**
 * The same on one line, for titles and labels.
 * @param limit characters after which it is cut, with "…"
 */
export function visibleLine(text: string, limit = Infinity): string {
  // Do not process text that will be cut off anyway.
  const start = text.length > limit * 4 + 1_000 ? text.slice(0, limit * 4 + 1_000) : text;
  const line = start
    .replace(/[\t\n\r ]+/g, (run) => (run.length > MOST_BLANKS ? ` ${blanks(run)} ` : ' '))
    .replace(/^ | $/g, '');
  let room = limit;
  return stretches(line)
    .map(({ text: part, ...stretch }) => {
      if (room < 0) return '';
      const shown = unstacked(marked(part, 'text'));
      const text = shown.length > room ? `${cutAfter(shown, room)}…` : shown;
      room = shown.length > room ? -1 : room - shown.length;
      return isolated({ ...stretch, text });
    })
    .join('');
}

/** Cuts the text, and drops a last character that only the removed one justified. */
function cutAfter(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(unfinished, '');
}

/**
 * The same for commands, diffs and other code: every space but the ordinary one is marked, and lines run from left to
 * right.
 */
export function visibleCode(text: string): string {
  return visible(text, 'code');
}

/**
 * For the agent's prose: marks only characters that reorder text, hide a message or control something. Show it in an
 * element that isolates its direction.
 */
export function visibleProse(text: string): string {
  return marked(text, 'prose');
}

/**
 * The same for code in pieces, which may be cut anywhere. The output has the marks of `visibleCode`, and all blanks.
 */
export class VisibleStream {
  #held = '';
  #before = '';

  /** @returns the text that is final. Only its neighbours tell whether a hidden character is justified. */
  push(piece: string): string {
    const text = this.#held + piece;
    const open = this.#held.length > HELD ? 0 : (unfinished.exec(text.slice(-HELD))?.[0].length ?? 0);
    this.#held = text.slice(text.length - open);
    return this.#take(text.slice(0, text.length - open));
  }

  /** @returns the rest. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#take(rest);
  }

  #take(text: string): string {
    const shown = marked(text, 'code', this.#before);
    if (text !== '') this.#before = lastCharacter(text);
    return shown;
  }
}

/** The most characters held back for their neighbour. */
const HELD = 1_000;
/** Half of a surrogate pair, and a return that may begin a line break, count as hidden until the rest arrives. */
const unfinished = new RegExp(`(?:${hiddenCharacter})+$`, 'u');

function visible(text: string, use: Use): string {
  if (!/[^\t\n -~]/.test(text) && !/[\t\n ]{17}/.test(text)) return text;
  const lines = text.split('\n');
  const shown = lines.map((line, at) => {
    const end = at < lines.length - 1 && line.endsWith('\r') ? '\r' : '';
    const body = end === '' ? line : line.slice(0, -1);
    if (use === 'code') return isolated({ open: '\u2066', text: folded(withoutIsolate(body), use) }) + end;
    return (
      stretches(body)
        .map((stretch) => isolated({ ...stretch, text: folded(stretch.text, use) }))
        .join('') + end
    );
  });
  return withoutEmptyRows(shown).join('\n');
}

/** Removes the isolate around a line of code; any other isolate is part of the code. */
function withoutIsolate(line: string): string {
  const [before, pair, after] = stretches(line);
  return before?.text === '' && pair?.open === '\u2066' && after?.text === '' ? pair.text : line;
}

function folded(text: string, use: Use): string {
  return unstacked(marked(text, use)).replace(/[\t ]{17,}/g, (run) =>
    columnsOf(run) > MOST_BLANKS ? blanks(run) : run,
  );
}

/** Replaces many consecutive empty lines by one mark with their number. */
function withoutEmptyRows(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let empty: string[] = [];
  for (const line of [...lines, undefined]) {
    if (line !== undefined && /^[\t\r ]*$/.test(line)) empty.push(line);
    else {
      shown.push(...(empty.length > MOST_EMPTY_LINES ? [`⟨${markWords.emptyLines(empty.length)}⟩`] : empty));
      empty = [];
      if (line !== undefined) shown.push(line);
    }
  }
  return shown;
}

function unstacked(text: string): string {
  return text.replace(stacked, (run, first: string) => `${first}⟨${markWords.marks(run.length - first.length)}⟩`);
}

function columnsOf(run: string): number {
  let columns = 0;
  for (let at = 0; at < run.length; at++) columns += run[at] === '\t' ? 4 : 1;
  return columns;
}

function blanks(run: string): string {
  return `⟨${(/[^ ]/.test(run) ? markWords.blanks : markWords.spaces)(run.length)}⟩`;
}
