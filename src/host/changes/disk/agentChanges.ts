import type { ContentInHand } from '../../storage/contentInHand';
import type { TurnMark } from '../stored/beforeImages';

/** Receives changes of agents and answers questions about files in the review. `ReviewService` implements it. */
export interface AgentChanges {
  /** An agent changed a file: lines, bytes, permissions, or how its text is stored; see `ReviewService.record`. */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void;
  /** Someone other than an agent changed a file on disk. */
  recordEdit(path: string, text: string | undefined): void;
  /** The last known text of a file with pending changes; undefined for any other file. */
  textNow(path: string): { readonly text: string | undefined } | undefined;
  /** The texts of a file from before its pending changes. */
  baselines(path: string): readonly string[];
  /** True while Parley writes the file. */
  isWriting(path: string): boolean;
  /** Reads files with pending changes again; see `ReviewedFiles.lookAgain`. */
  lookAgain(): Promise<void>;
}

/** Receives changes that no evidence attributes to an agent. `UnclaimedChanges` implements it. */
export interface DoubtfulChanges {
  add(sessionId: string, path: string, before: ContentInHand | undefined, after: ContentInHand, mark: TurnMark): void;
  /** Later evidence attributes them to the agent. */
  include(targets: readonly { readonly sessionId: string; readonly path: string }[]): Promise<unknown>;
}
