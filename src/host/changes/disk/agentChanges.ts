import type { ContentInHand } from '../../storage/contentInHand';
import type { TurnMark } from '../stored/beforeImages';

/** Gets what agents changed, and tells what the review knows of files. `ReviewService` implements it. */
export interface AgentChanges {
  /** An agent changed a file: lines, bytes, permissions, or how its text is stored; see `ReviewService.record`. */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void;
  /** An agent changed a file, and its lines are the same. */
  recordWhole(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void;
  /** Somebody else than an agent changed a file on disk. */
  recordEdit(path: string, text: string | undefined): void;
  /** What stands in a file with pending changes, as far as is known; undefined for any other file. */
  textNow(path: string): { readonly text: string | undefined } | undefined;
  /** What a file held before its pending changes. */
  baselines(path: string): readonly string[];
  /** Whether Parley is writing the file. */
  isWriting(path: string): boolean;
  /** Reads files with pending changes again; see `ReviewedFiles.lookAgain`. */
  lookAgain(): Promise<void>;
}

/** Gets the changes for which nothing speaks. `UnclaimedChanges` implements it. */
export interface DoubtfulChanges {
  add(sessionId: string, path: string, before: ContentInHand | undefined, after: ContentInHand, mark: TurnMark): void;
  /** They are the agent's after all. */
  include(targets: readonly { readonly sessionId: string; readonly path: string }[]): Promise<unknown>;
}
