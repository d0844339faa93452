import * as vscode from 'vscode';
import { CheckPicker } from '../agents/check/checkPicker';
import { openSetting } from '../platform/settingsEditor';
import type { Agents } from './agents';
import type { Basis } from './basis';
import { createCheck } from './createCheck';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';

/** Builds the list in which an agent is checked, when it is first opened. */
export function openCheck(
  basis: Basis,
  agents: Agents,
  { service: sessions, opening }: Sessions,
  { show, signIn }: GalleryWays,
): CheckPicker {
  const { own, context, log } = basis;
  const { all, problemOf } = agents.configured;
  return own(
    new CheckPicker({
      check: createCheck(basis, agents, opening.folders),
      agents: all,
      current: () => sessions.active.agent,
      problemOf,
      act: async (act, agent) => {
        switch (act) {
          case 'editSettings':
            return openSetting('parley.agents');
          case 'manageTrust':
            return void (await vscode.commands.executeCommand('workbench.trust.manage'));
          case 'openFolder':
            return void (await vscode.commands.executeCommand('workbench.action.files.openFolder'));
          case 'useScratchFolder':
            return sessions.useScratchFolder();
          case 'showLog':
            return log.show(true);
          case 'signIn':
            if (sessions.views.sideBar.session.agent === agent) await show();
            else await sessions.selectAgent(agent, sessions.views.sideBar, show);
            if (!sessions.active.signIn.view) await signIn();
        }
      },
      surroundings: {
        version: String(context.extension.packageJSON.version),
        vscode: vscode.version,
        system: `${process.platform} ${process.arch}`,
      },
    }),
  );
}
