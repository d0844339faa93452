import * as l10n from '@vscode/l10n';
import type { FileStateView } from '../../src/protocol/notesView';
import type { EntryId } from '../../src/protocol/entryId';

/** What became of the changes to each file, and which cards show it: these are drawn again when it changes. */
export class FileStates {
  private states: ReadonlyMap<string, FileStateView> = new Map();
  private from: readonly FileStateView[] | undefined;
  private readonly shownBy = new Map<string, Set<EntryId>>();

  /** For a card, which follows from then on. */
  get(path: string, entryId: EntryId): FileStateView | undefined {
    let entries = this.shownBy.get(path);
    if (!entries) this.shownBy.set(path, (entries = new Set()));
    entries.add(entryId);
    return this.states.get(path);
  }

  /** @returns the entries to draw again. */
  update(files: readonly FileStateView[]): ReadonlySet<EntryId> {
    const stale = new Set<EntryId>();
    if (files === this.from) return stale;
    this.from = files;
    const before = this.states;
    this.states = new Map(files.map((file) => [file.path, file]));
    for (const path of new Set([...before.keys(), ...this.states.keys()])) {
      if (!isSame(before.get(path), this.states.get(path))) for (const id of this.shownBy.get(path) ?? []) stale.add(id);
    }
    return stale;
  }

  /** Another thread is shown. */
  reset(): void {
    this.shownBy.clear();
  }
}

function isSame(one: FileStateView | undefined, other: FileStateView | undefined): boolean {
  return one?.pending === other?.pending && one?.kept === other?.kept && one?.undone === other?.undone;
}

/** "2 of 3 kept", "3 to review"; "" where there is nothing to say. */
export function words(state: FileStateView | undefined): string {
  if (!state) return '';
  const { pending, kept, undone } = state;
  const all = pending + kept + undone;
  if (pending === all) return l10n.t('{0} to review', pending);
  if (kept === all) return l10n.t('Kept');
  if (undone === all) return l10n.t('Undone');
  return kept > 0 ? l10n.t('{0} of {1} kept', kept, all) : l10n.t('{0} of {1} undone', undone, all);
}

/** All of it: "2 kept, 1 undone, 1 to review". */
export function allWords({ pending, kept, undone }: FileStateView): string {
  return [kept > 0 ? l10n.t('{0} kept', kept) : '', undone > 0 ? l10n.t('{0} undone', undone) : '', pending > 0 ? l10n.t('{0} to review', pending) : ''].filter(Boolean).join(', ');
}
