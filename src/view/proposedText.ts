import type { ToolContent } from '../acp/decodeUpdate';
import { findText } from '../base/findText';
import { withLineFeeds } from '../changes/lineFeeds';
import { type HunkView, sideOf } from '../protocol/diffView';
import { resolvePath } from './labels';
import { hunksOf, patchFiles } from './patchText';

/** One step from the text of a file to the one that a request proposes. */
type Edit =
  /** `from` null: the file as a whole. */
  { readonly from: string | null; readonly to: string } | { readonly hunk: HunkView };

/** One file as a request would change it. */
export type ProposedEdits = readonly Edit[];

/** Two texts to compare. */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  /** True for the current and the proposed file; false for only the agent's parts of them. */
  readonly isWholeFile: boolean;
}

/** The most characters that are searched for all edits, each of which may need the whole file. */
const maxWork = 200_000_000;
/** Lines that are compared to find the place of one hunk. */
const maxLines = 10_000_000;

/** The parts of a request's subject that can describe changes of files. */
interface Request {
  readonly content: readonly ToolContent[];
  readonly rawInput?: unknown;
}

/**
 * All that a request wants to change in one file: its diffs, or else the patch in its raw input.
 * @param path absolute, as `DiffView.path` of a card
 */
export function proposedEdits({ content, rawInput }: Request, path: string, cwd: string): ProposedEdits {
  const isMeant = (spelled: string) => resolvePath(spelled, cwd) === path;
  const said = content.filter((item) => item.type === 'diff' || item.type === 'fileChange');
  if (said.length === 0)
    return patchFiles(rawInput)
      .filter((file) => isMeant(file.path))
      .flatMap(editsOfHunks);
  return said
    .filter((item) => isMeant(item.path))
    .flatMap((item): Edit[] => {
      if (item.type === 'diff') return [{ from: item.oldText, to: item.newText }];
      const hunks = hunksOf(item.patch ?? '');
      return hunks.length === 0 ? [] : editsOfHunks({ hunks, isNew: item.operation === 'add' });
    });
}

function editsOfHunks({ hunks, isNew }: { readonly hunks: readonly HunkView[]; readonly isNew: boolean }): Edit[] {
  if (!isNew) return hunks.map((hunk) => ({ hunk }));
  return [{ from: null, to: `${hunks.flatMap((hunk) => sideOf(hunk, '-')).join('\n')}\n` }];
}

/**
 * The current file and the proposed one. If an edit fits at no place or at several, only the agent's texts are
 * compared, because a part of the file is better than a wrong file.
 * @param current undefined if there is no such file, or it cannot be read
 */
export function comparison(edits: ProposedEdits, current: string | undefined): Comparison {
  const before = withLineFeeds(current ?? '');
  const size = edits.reduce(
    (sum, edit) => sum + ('hunk' in edit ? lengthOf(edit.hunk.lines) : edit.to.length),
    before.length,
  );
  const after = edits.length > 0 && edits.length * size <= maxWork ? applyAll(before, edits) : undefined;
  if (after !== undefined) return { before, after, isWholeFile: true };
  const sent = (pick: (edit: Edit) => string) => edits.map(pick).join('\n');
  return {
    before: sent((edit) => ('hunk' in edit ? sideOf(edit.hunk, '+').join('\n') : withLineFeeds(edit.from ?? ''))),
    after: sent((edit) => ('hunk' in edit ? sideOf(edit.hunk, '-').join('\n') : withLineFeeds(edit.to))),
    isWholeFile: false,
  };
}

function applyAll(before: string, edits: ProposedEdits): string | undefined {
  let text = before;
  let shift = 0;
  for (const edit of edits) {
    const applied = 'hunk' in edit ? applyHunk(text, edit.hunk, shift) : ([applyText(text, edit), shift] as const);
    if (applied?.[0] === undefined) return undefined;
    [text, shift] = [applied[0], applied[1]];
  }
  return text;
}

function applyText(text: string, edit: { readonly from: string | null; readonly to: string }): string | undefined {
  const to = withLineFeeds(edit.to);
  const from = edit.from === null ? null : withLineFeeds(edit.from);
  if (from === null || from === text) return to;
  const at = from === '' ? -1 : findText(text, from);
  if (at === undefined || at < 0 || findText(text, from, at + 1) !== -1) return undefined;
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** @returns the text with the hunk, and the offset of its lines from its line numbers. */
function applyHunk(text: string, hunk: HunkView, shift: number): [text: string, shift: number] | undefined {
  const all = text.split('\n');
  const { oldStart, newStart } = hunk;
  const [old, next] = [sideOf(hunk, '+'), sideOf(hunk, '-')];
  let room = maxLines;
  const isAt = (at: number) =>
    at >= 0 && at + old.length <= all.length && old.every((line, i) => all[at + i] === line && room-- > 0);
  const isNumbered = oldStart > 0 || newStart > 0;
  // A hunk that only removes lines names the line before them.
  const first = newStart - (next.length === 0 ? 0 : 1);
  let at = first + shift;
  if (!isNumbered || !isAt(at)) {
    const places = old.length === 0 ? [] : all.flatMap((_, i) => (isAt(i) ? [i] : []));
    if (places.length !== 1 || room <= 0) return undefined;
    at = places[0]!;
  }
  return [[...all.slice(0, at), ...next, ...all.slice(at + old.length)].join('\n'), isNumbered ? at - first : shift];
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
