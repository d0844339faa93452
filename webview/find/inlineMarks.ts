/** A run of `*` outside code. */
interface Run {
  /** Its piece of the text. */
  readonly piece: number;
  readonly order: number;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
  /** The number of its `*` without a partner. */
  left: number;
}

/**
 * The text of a drawn paragraph: without backslashes and the marks of code, bold and italic. Code stays, and so does a
 * `*` without a partner. Takes linear time.
 */
export function withoutInlineMarks(text: string): string {
  const ends = endsOfCode(text);
  const pieces: string[] = [];
  const runs: Run[] = [];
  const marks = /\\[!-/:-@[-`{-~]|`+|\*+/g;
  let from = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const [mark] = match;
    pieces.push(text.slice(from, match.index));
    from = marks.lastIndex;
    if (mark.startsWith('\\')) pieces.push(/[\\*_`]/.test(mark[1]!) ? mark[1]! : mark);
    else if (mark.startsWith('*')) {
      runs.push({
        piece: pieces.length,
        order: runs.length,
        length: mark.length,
        ...sidesOf(text, match.index, from),
        left: mark.length,
      });
      pieces.push(mark);
    } else {
      const own = ends.get(mark.length) ?? [];
      while (own.length > 0 && own.at(-1)! < from) own.pop();
      const end = own.at(-1);
      pieces.push(end === undefined ? mark : codeText(text.slice(from, end)));
      if (end !== undefined) from = marks.lastIndex = end + mark.length;
    }
  }
  pieces.push(text.slice(from));
  pair(runs);
  for (const { piece, left } of runs) pieces[piece] = '*'.repeat(left);
  return pieces.join('');
}

/** The positions of backtick runs by their length, the last one first. */
function endsOfCode(text: string): ReadonlyMap<number, number[]> {
  const ends = new Map<number, number[]>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].toReversed()) {
    const same = ends.get(run.length);
    if (same) same.push(index);
    else ends.set(run.length, [index]);
  }
  return ends;
}

function codeText(inside: string): string {
  const line = inside.replaceAll('\n', ' ');
  return line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '' ? line.slice(1, -1) : line;
}

/** True if a run can open or close, by its neighbours: the “flanking” of CommonMark. */
function sidesOf(text: string, start: number, end: number): Pick<Run, 'opens' | 'closes'> {
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? ' ';
  const after = [...text.slice(end, end + 2)][0] ?? ' ';
  const isSpace = (character: string) => /\s/.test(character);
  const isMark = (character: string) => /[\p{P}\p{S}]/u.test(character);
  return {
    opens: !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before)),
    closes: !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after)),
  };
}

/** Removes the partners, as CommonMark finds them. */
function pair(runs: readonly Run[]): void {
  const openers: Run[] = [];
  /** The position before which closers of a kind have no partner, so that it is searched once. */
  const bottoms = new Map<number, number>();
  for (const run of runs) {
    const kind = (run.opens ? 3 : 0) + (run.length % 3);
    while (run.closes && run.left > 0) {
      const bottom = bottoms.get(kind) ?? -1;
      let at = openers.length - 1;
      while (at >= 0 && openers[at]!.order > bottom && !fit(openers[at]!, run)) at--;
      const opener = openers[at];
      if (!opener || opener.order <= bottom) {
        bottoms.set(kind, openers.at(-1)?.order ?? bottom);
        break;
      }
      const count = opener.left > 1 && run.left > 1 ? 2 : 1;
      opener.left -= count;
      run.left -= count;
      openers.length = opener.left > 0 ? at + 1 : at;
    }
    if (run.opens && run.left > 0) openers.push(run);
  }
}

/** In `**2*3**`, the middle star is not a partner of the last. */
function fit(opener: Run, closer: Run): boolean {
  return (
    !(opener.closes || closer.opens) ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
