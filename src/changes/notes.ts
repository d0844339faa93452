import * as l10n from '@vscode/l10n';
import type { Hunk } from './hunk';
import { clip } from '../base/oneLine';

/** Limits for the lines of one diff and the characters of all diffs together; the rest is only counted. */
const MAX_DIFF_LINES = 60;
const MAX_LINE_CHARS = 400;
const MAX_ALL_CHARS = 40_000;
/** Changes (not comments) that are sent with their lines; for the rest only the locations are named. */
const MAX_OUTCOMES = 40;

/** Feedback for the agent: a comment on lines, a change that was undone, one that was kept with edits of the user. */
export type NoteKind = 'comment' | 'undone' | 'edited';

/** One piece of feedback for the agent. A plain value: it is saved with a queued prompt, also across a restart. */
export interface ReviewNote {
  readonly id: string;
  readonly kind: NoteKind;
  /** Absolute. */
  readonly path: string;
  /** Relative to the session's folder if the file is inside it. */
  readonly label: string;
  /** 1-based, both included. */
  readonly first: number;
  readonly last: number;
  /** The lines are original lines. */
  readonly isBefore?: boolean;
  /** The user's text: the comment, or the reason; "" for none. */
  readonly text: string;
  /** Lines with their signs; "" if there are none to show. */
  readonly diff: string;
}

/** Feedback that is sent with one prompt: its title, its text in the session, and its notes. */
export interface ReviewMessage {
  readonly title: string;
  readonly text: string;
  readonly notes: readonly ReviewNote[];
}

/** A piece of the message: words in Markdown, or the lines that a note is about. */
export type NotePiece =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'lines'; readonly note: ReviewNote; readonly diff: string };

/** Removed and added lines in diff form; bounded. */
export function diffOf(before: readonly string[], after: readonly string[]): string {
  return bounded([...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)]);
}

/** Unchanged lines in diff form; bounded. */
export function excerptOf(lines: readonly string[]): string {
  return bounded(lines.map((line) => ` ${line}`));
}

/** The diff of a hunk with its present lines. */
export function hunkDiff({ baselineLines, currentLines }: Hunk): string {
  return diffOf(baselineLines, currentLines);
}

type Place = Pick<ReviewNote, 'label' | 'first' | 'last' | 'isBefore'>;

/** `src/a.ts:10` or `src/a.ts:10-24`, with a word in the user's language for original lines. */
export function placeOf(place: Place): string {
  return place.isBefore ? l10n.t('{0} (original)', linesOf(place)) : linesOf(place);
}

/** The same for the agent. */
function placeForAgent(place: Place): string {
  return place.isBefore ? `${linesOf(place)} (before the change)` : linesOf(place);
}

function linesOf({ label, first, last }: Place): string {
  return `${label}:${first === last ? first : `${first}-${last}`}`;
}

/** The whole review message in pieces, ordered for the agent. Its length is bounded, except for the user's own text. */
export function notePieces(notes: readonly ReviewNote[]): NotePiece[] {
  const pieces: NotePiece[] = [];
  let room = MAX_ALL_CHARS;
  const say = (text: string) => pieces.push({ type: 'words', text });
  for (const kind of KINDS) {
    const all = notes.filter((note) => note.kind === kind);
    if (all.length === 0) continue;
    say(HEADS[kind](all.length));
    const told = kind === 'comment' ? all : all.slice(0, MAX_OUTCOMES);
    for (const note of told) {
      say(`\`${placeForAgent(note)}\``);
      if (note.diff !== '' && note.diff.length <= room) {
        room -= note.diff.length;
        pieces.push({ type: 'lines', note, diff: note.diff });
      }
      if (note.text.trim() !== '') say(kind === 'comment' ? note.text.trim() : `Reason: ${note.text.trim()}`);
    }
    const rest = all.slice(told.length);
    if (rest.length > 0)
      say(`And ${rest.length} more: ${bounded(rest.map((note) => placeForAgent(note))).replaceAll('\n', ', ')}`);
  }
  return pieces;
}

/** "2 comments and 1 undone change", for the user. */
export function notesTitle(notes: readonly Pick<ReviewNote, 'kind'>[]): string {
  return listed(
    KINDS.flatMap((kind) => {
      const n = notes.filter((note) => note.kind === kind).length;
      return n === 0 ? [] : [countOf(kind, n)];
    }),
  );
}

/** "8, 14 and 20" */
export function listed(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : l10n.t({
        message: '{0} and {1}',
        args: [items.slice(0, -1).join(', '), items.at(-1)!],
        comment: ['The last two items of a list, such as "2 comments and 1 undone change"'],
      });
}

function countOf(kind: NoteKind, n: number): string {
  switch (kind) {
    case 'comment':
      return n === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', n);
    case 'undone':
      return n === 1 ? l10n.t('1 undone change') : l10n.t('{0} undone changes', n);
    case 'edited':
      return n === 1 ? l10n.t('1 edited change') : l10n.t('{0} edited changes', n);
  }
}

const KINDS: readonly NoteKind[] = ['comment', 'undone', 'edited'];
const HEADS: Readonly<Record<NoteKind, (n: number) => string>> = {
  comment: (n) => (n === 1 ? 'A comment from my review:' : 'Comments from my review:'),
  undone: (n) => `I undid ${n === 1 ? 'this change' : 'these changes'} of yours; the file has the former lines again:`,
  edited: (n) => `I kept ${n === 1 ? 'this change' : 'these changes'} of yours, edited by me (− your lines, + mine):`,
};

function bounded(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => clip(line, MAX_LINE_CHARS));
  return [...shown, ...(lines.length > shown.length ? [`… ${lines.length - shown.length} more`] : [])].join('\n');
}
