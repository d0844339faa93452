import type { ChangeView } from '../../protocol/changeView';
import { byLine, type Place, placeAt } from '../../changes/places';
import { changeView, joinedChange } from '../../view/changeRows';
import { isNotebook } from '../changes/notebookBaselines';
import type { ReviewService } from '../changes/reviewService';
import { pathKey } from '../files/pathPolicy';

interface PendingFile {
  readonly view: ChangeView;
  readonly places: readonly Place[];
}

/** The pending changes at one moment, by file over all sessions. */
export class PendingFiles {
  readonly #files = new Map<string, PendingFile>();
  /**
   * All places to decide: by file in the order of the list, in a file by line. A moved file is one place, and so is a
   * notebook, because its editor has other lines.
   */
  readonly places: readonly Place[];
  /** The places of each file, and the index of the first one among all places. */
  readonly #shown = new Map<string, { readonly first: number; readonly places: readonly Place[] }>();

  /** @param movedFrom the path of a file before an agent moved it */
  constructor(
    service: Pick<ReviewService, 'pendingSessions' | 'tracked'>,
    private readonly movedFrom: (path: string) => string | undefined,
    isGuarded: (path: string) => boolean,
  ) {
    for (const sessionId of service.pendingSessions) {
      for (const change of service.tracked(sessionId)) {
        const { path, hunks } = change;
        this.#add(
          changeView(change, path, isGuarded(path)),
          hunks.length === 0
            ? [{ sessionId, path, hunk: undefined }]
            : hunks.map((hunk) => ({ sessionId, path, hunk })),
        );
      }
    }
    const gone = new Set(this.views.map(({ path }) => this.originOf(path)));
    const all: Place[] = [];
    for (const { view, places } of this.#files.values()) {
      if (gone.has(view.path)) continue;
      const shown = isNotebook(view.path) ? places.slice(0, 1).map((place) => ({ ...place, hunk: undefined })) : places;
      this.#shown.set(pathKey(view.path), { first: all.length, places: shown });
      for (const place of shown) all.push(place);
    }
    this.places = all;
  }

  /** With paths as labels. */
  get views(): ChangeView[] {
    return [...this.#files.values()].map(({ view }) => view);
  }

  /** Number of files with places. */
  get fileCount(): number {
    return this.#shown.size;
  }

  /** Index of the place at a line of a file; 0-based, -1 for none. Searches only the places of this file. */
  placeAt(path: string, line: number, lineCount: number): number {
    const { first = 0, places = [] } = this.#shown.get(pathKey(path)) ?? {};
    const at = placeAt(places, path, line, lineCount);
    return at < 0 ? -1 : first + at;
  }

  /** One file, for any spelling of its path. */
  at(path: string): PendingFile | undefined {
    return this.#files.get(pathKey(path));
  }

  /** The earlier path of a moved file, while both of its changes are pending. */
  originOf(path: string): string | undefined {
    const from = this.movedFrom(path);
    const isMove =
      from !== undefined && this.at(path)?.view.kind === 'created' && this.at(from)?.view.kind === 'deleted';
    return isMove ? from : undefined;
  }

  #add(view: ChangeView, places: readonly Place[]): void {
    const before = this.at(view.path);
    this.#files.set(pathKey(view.path), {
      view: joinedChange(before?.view, view),
      places: before ? byLine(before.places, places) : places,
    });
  }
}
