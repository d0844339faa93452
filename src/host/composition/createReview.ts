import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Later } from '../../base/later';
import { newProblemsMode } from '../agents/agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { PanelReview } from '../review/panelReview';
import type { Basis } from './basis';
import { type Changes, confirm, report } from './changes';
import type { Editor } from './createEditorServer';
import type { Sessions } from './sessions';

export type ReviewParts = ReturnType<typeof createReview>;

/** What the user sees of changes in editors, trees and lists, and what agents hear of the decisions. */
export function createReview(
  { own, clock, log, storage }: Basis,
  { baselines, checkpoints, review, service, store }: Changes,
  { service: sessions }: Sessions,
  { useOf }: Pick<Editor, 'useOf'>,
) {
  const panelReview = own(new PanelReview({ review, service, sessions, state: storage.state, clock, log }));
  const problems = own(
    new Later(async () => {
      const { ProblemWatch } = await import('../review/problemWatch');
      const isAskedBy = (id: string) => useOf(id) !== undefined;
      return new ProblemWatch({ sessions, review, clock, mode: newProblemsMode, isAskedBy });
    }),
  );
  own(
    sessions.onDidSendPrompt(({ session }) => {
      if (newProblemsMode() !== 'off' || useOf(session.id) || problems.opened)
        void problems.get().then((watch) => watch.begin(session));
    }),
  );
  const withChange = async (uri: vscode.Uri | undefined, act: (path: string) => Promise<void>): Promise<void> => {
    await store.whenRead;
    const path = review.pathOf(uri);
    if (path === undefined)
      void markedWindow.showInformationMessage(l10n.t('This editor has no agent changes to review.'));
    else await act(path);
  };
  // One for all commands: in it, a Redo waits for the restore before it.
  const restores = own(
    new Later(async () => {
      const { FileRestore } = await import('../changes/fileRestore');
      return new FileRestore(service.recorder, checkpoints, log);
    }),
  );
  return {
    panelReview,
    problems,
    /** Loaded when they are asked for. */
    rewindCommands: async (live = sessions.active) => {
      const [{ RewindCommands }, restore] = await Promise.all([import('../review/rewindCommands'), restores.get()]);
      return new RewindCommands({
        live,
        checkpoints,
        restore,
        baselines,
        confirm,
        report,
        submit: (draft) => sessions.submit(draft, live),
      });
    },
    keepFile: (uri: vscode.Uri | undefined) => withChange(uri, (path) => review.keep({ path })),
    undoFile: (uri: vscode.Uri | undefined) => withChange(uri, (path) => review.undo({ path })),
  };
}
