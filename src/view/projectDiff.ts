import * as l10n from '@vscode/l10n';
import type { ToolContent } from '../acp/decodeUpdate';
import type { Work } from '../changes/lineDiff';
import { linesOf } from '../changes/lineEdits';
import { lineEndsOf } from '../changes/lineEnds';
import { withLineFeeds } from '../changes/lineFeeds';
import { formWords } from '../changes/textForm';
import type { DiffView, HunkView } from '../protocol/diffView';
import { labelOfPath, resolvePath } from './labels';
import { diffViewOf, hunksOf, maxDiffLines } from './patchText';
import { unifiedDiff } from './unifiedDiff';

/**
 * Caches views until memory is scarce, and then makes them again. Otherwise a long thread would be in memory twice, as
 * state and as views.
 */
export class ViewCache<K extends object, V extends object> {
  readonly #views = new WeakMap<K, WeakRef<V>>();

  /** @param make must give the same for the same key, always */
  get(key: K, make: () => V): V {
    const known = this.#views.get(key)?.deref();
    if (known) return known;
    const view = make();
    this.#views.set(key, new WeakRef(view));
    return view;
  }
}

/** Characters above which a diff is not drawn: it would not be readable, and counting must stay cheap. */
const maxLength = 2_000_000;
/** Limits of the work for comparing the texts of one diff, and of one card. */
const maxWork = 1_000_000;
const maxCardWork = 5_000_000;

/** For the diffs of one card. */
export function cardWork(): Work {
  return { left: maxCardWork };
}

/** The hunks of a tool call's diff. `oldText` null = the file is new (item 101). */
export function diffView(
  path: string,
  oldText: string | null,
  newText: string,
  cwd: string,
  card = cardWork(),
): DiffView {
  const absolute = resolvePath(path, cwd);
  const base = { type: 'diff' as const, path: absolute, label: labelOfPath(absolute, cwd), isNew: oldText === null };
  const remark = endsRemark(oldText ?? '', newText);
  const [before, after] = [oldText ?? '', newText].map((text) =>
    withEnd(remark === undefined ? text : withLineFeeds(text)),
  ) as [string, string];
  if (before.length + after.length > maxLength)
    return { ...base, added: linesOf(after).length, removed: linesOf(before).length, hunks: [], truncated: true };
  const share = Math.min(maxWork, card.left);
  const work = { left: share };
  const { hunks, added, removed, isCut } = unifiedDiff(before, after, maxDiffLines, work);
  card.left -= share - Math.max(0, work.left);
  return {
    ...base,
    added,
    removed,
    hunks: hunks.map(readable),
    truncated: isCut,
    ...(remark === undefined ? {} : { remark }),
  };
}

/** Says that all line ends differ. The lines are then compared without them, or each would count as changed. */
function endsRemark(before: string, after: string): string | undefined {
  const form = (text: string) => ({ kind: 'text', form: { encoding: '', ends: lineEndsOf(text) } }) as const;
  return before.length + after.length > maxLength ? undefined : formWords(form(before), form(after))[0];
}

/** Line ends are not shown. */
function readable(hunk: HunkView): HunkView {
  return { ...hunk, lines: hunk.lines.map((line) => line.replace(/\r?\n$/, '')) };
}

/** A missing newline at the end is not worth a changed line in a card. */
function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

const diffs = new ViewCache<object, DiffView>();

/**
 * The same, made once per diff: a card is projected again whenever its status changes. `cwd` must not change for it.
 */
export function cachedDiffView(
  diff: { readonly path: string; readonly oldText: string | null; readonly newText: string },
  cwd: string,
  card: Work,
): DiffView {
  return diffs.get(diff, () => diffView(diff.path, diff.oldText, diff.newText, cwd, card));
}

type FileChange = Extract<ToolContent, { type: 'fileChange' }>;

/**
 * One file of a diff of v2, with the hunks of the agent's patch. Without a patch, a remark describes the change. `cwd`
 * is the session's folder, "" if there is none.
 */
export function fileChangeView(change: FileChange, cwd: string): DiffView {
  const hunks = hunksOf(change.patch ?? '');
  const remark = remarkOf(change, hunks.length === 0, cwd);
  return diffViewOf(
    { path: change.path, isNew: change.operation === 'add', hunks, ...(remark === undefined ? {} : { remark }) },
    cwd,
    change.operation === 'delete' ? 'nothing' : 'file',
  );
}

const views = new ViewCache<object, DiffView>();

/** The same, made once per change. `cwd` must not change for it. */
export function cachedFileChangeView(change: FileChange, cwd: string): DiffView {
  return views.get(change, () => fileChangeView(change, cwd));
}

function remarkOf({ operation, oldPath, patch }: FileChange, isBare: boolean, cwd: string): string | undefined {
  const from = oldPath === undefined ? undefined : labelOfPath(resolvePath(oldPath, cwd), cwd);
  switch (operation) {
    case 'delete':
      return l10n.t('Deleted');
    case 'move':
      return from === undefined ? l10n.t('Moved') : l10n.t('Moved from {0}', from);
    case 'copy':
      return from === undefined ? l10n.t('Copied') : l10n.t('Copied from {0}', from);
    case 'add':
      return isBare
        ? patch === undefined
          ? l10n.t('Created (the agent did not send the lines)')
          : l10n.t('Created')
        : undefined;
    case 'modify':
    case 'other':
      return isBare ? l10n.t('Changed (the agent did not send the lines)') : undefined;
  }
}
