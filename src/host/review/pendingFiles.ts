import type { ChangeView } from '../../protocol/changeView';
import { byLine, type Place } from '../../changes/places';
import { joinedChange } from '../../view/joinedChange';
import { isNotebook } from '../changes/notebookBaselines';
import type { ReviewService } from '../changes/reviewService';
import { pathKey } from '../files/pathPolicy';

interface PendingFile {
  readonly view: ChangeView;
  readonly places: readonly Place[];
}

/** What is pending at one moment, by file over all sessions. */
export class PendingFiles {
  readonly #files = new Map<string, PendingFile>();
  /** Everything that waits for a decision: by file in the order of the list, in a file by line. A file that was moved is one place, and so is a notebook, whose editor has other lines. */
  readonly places: readonly Place[];

  /** @param movedFrom where a file was before an agent moved it */
  constructor(
    service: Pick<ReviewService, 'changes' | 'pendingSessions' | 'tracked'>,
    private readonly movedFrom: (path: string) => string | undefined,
  ) {
    for (const sessionId of service.pendingSessions) {
      const views = service.changes(sessionId);
      for (const [i, { path, hunks }] of service.tracked(sessionId).entries()) {
        this.#add(views[i]!, hunks.length === 0 ? [{ sessionId, path, hunk: undefined }] : hunks.map((hunk) => ({ sessionId, path, hunk })));
      }
    }
    const gone = new Set(this.views.map(({ path }) => this.originOf(path)));
    this.places = [...this.#files.values()].flatMap(({ view, places }) => (gone.has(view.path) ? [] : isNotebook(view.path) ? places.slice(0, 1).map((place) => ({ ...place, hunk: undefined })) : places));
  }

  get views(): ChangeView[] {
    return [...this.#files.values()].map(({ view }) => view);
  }

  /** One file, however its path is spelled. */
  at(path: string): PendingFile | undefined {
    return this.#files.get(pathKey(path));
  }

  /** Where a file was, as long as that waits too. */
  originOf(path: string): string | undefined {
    const from = this.movedFrom(path);
    const isMove = from !== undefined && this.at(path)?.view.kind === 'created' && this.at(from)?.view.kind === 'deleted';
    return isMove ? from : undefined;
  }

  #add(view: ChangeView, places: readonly Place[]): void {
    const before = this.at(view.path);
    this.#files.set(pathKey(view.path), { view: joinedChange(before?.view, view), places: before ? byLine(before.places, places) : places });
  }
}
