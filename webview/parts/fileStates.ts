import * as l10n from '@vscode/l10n';
import type { FileStateView } from '../../src/protocol/notesView';
import type { EntryId } from '../../src/protocol/entryId';

/** The state of the changes to each file, and the cards that show it, which are drawn again when it changes. */
export class FileStates {
  #states: ReadonlyMap<string, readonly FileStateView[]> = new Map();
  #turns: ReadonlySet<string | undefined> = new Set();
  #from: readonly FileStateView[] | undefined;
  readonly #shownBy = new Map<string, Set<EntryId>>();

  /**
   * The state for a card, which is followed from then on.
   * @param turn the prompt before the card's call; if no turn began with it, all changes to the file count
   */
  get(path: string, entryId: EntryId, turn: EntryId | undefined): FileStateView | undefined {
    let entries = this.#shownBy.get(path);
    if (!entries) this.#shownBy.set(path, (entries = new Set()));
    entries.add(entryId);
    const states = (this.#states.get(path) ?? []).filter(({ call }) => call === undefined || call === entryId);
    return sum(
      this.#turns.has(turn)
        ? states.filter((state) => state.call !== undefined || state.turn === undefined || state.turn === turn)
        : states,
    );
  }

  /** @returns the entries to draw again. */
  update(files: readonly FileStateView[]): ReadonlySet<EntryId> {
    const stale = new Set<EntryId>();
    if (files === this.#from) return stale;
    this.#from = files;
    const before = this.#states;
    const states = new Map<string, FileStateView[]>();
    for (const file of files) states.set(file.path, [...(states.get(file.path) ?? []), file]);
    this.#states = states;
    this.#turns = new Set(files.flatMap(({ turn }) => turn ?? []));
    for (const path of new Set([...before.keys(), ...states.keys()])) {
      if (JSON.stringify(before.get(path)) !== JSON.stringify(states.get(path)))
        for (const id of this.#shownBy.get(path) ?? []) stale.add(id);
    }
    return stale;
  }

  /** Another thread is shown. */
  reset(): void {
    this.#shownBy.clear();
  }
}

function sum(states: readonly FileStateView[]): FileStateView | undefined {
  const [first] = states;
  return (
    first &&
    states.slice(1).reduce(
      (all, { pending, kept, undone }) => ({
        ...all,
        pending: all.pending + pending,
        kept: all.kept + kept,
        undone: all.undone + undone,
      }),
      first,
    )
  );
}

/** "2 of 3 kept", "3 to review"; "" if there is nothing to show. */
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
  return [
    kept > 0 ? l10n.t('{0} kept', kept) : '',
    undone > 0 ? l10n.t('{0} undone', undone) : '',
    pending > 0 ? l10n.t('{0} to review', pending) : '',
  ]
    .filter(Boolean)
    .join(', ');
}
