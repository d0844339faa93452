import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';
import { ReviewDoor } from '../review/reviewDoor';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { Basis } from './basis';
import { type Changes, confirm, report } from './changes';
import type { Sessions } from './sessions';

export type ReviewParts = ReturnType<typeof createReview>;

/** What the user sees of changes in editors, trees and lists, and what agents hear of the decisions. */
export function createReview({ own, clock, log, state }: Basis, directory: SessionDirectory, index: SessionIndex, { baselines, checkpoints, guards, keeping, review, service, store }: Changes, { service: sessions }: Sessions) {
  const door = own(new ReviewDoor({ review, service, keeping, guards, sessions, index, state, clock, log, turnOf: directory.turnOf }));
  const withChange = async (uri: vscode.Uri | undefined, act: (path: string) => Promise<void>): Promise<void> => {
    await store.whenRead;
    const path = review.pathOf(uri);
    if (path === undefined) void markedWindow.showInformationMessage(l10n.t('This editor has no agent changes to review.'));
    else await act(path);
  };
  const active = () => sessions.active;
  /** Loaded when they are asked for. */
  const checkpointCommands = async (session = active) => {
    const { CheckpointCommands } = await import('../review/checkpointCommands');
    return new CheckpointCommands({ active: session, checkpoints, recorder: service.recorder, baselines, confirm, report, log });
  };
  return {
    door,
    checkpointCommands,
    rewindCommands: async (session = active) => {
      const { RewindCommands } = await import('../review/rewindCommands');
      return new RewindCommands({ active: session, checkpoints, confirm, files: await checkpointCommands(session) });
    },
    keepFile: (uri: vscode.Uri | undefined) => withChange(uri, (path) => review.keep({ path })),
    undoFile: (uri: vscode.Uri | undefined) => withChange(uri, (path) => review.undo({ path })),
  };
}
