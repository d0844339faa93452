import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AgentCheck, type CheckPlace } from '../agents/check/agentCheck';
import type { AgentConfiguration } from '../agents/agentSettings';
import { CheckPicker } from '../agents/check/checkPicker';
import { openSetting } from '../platform/settingsEditor';
import type { SessionFolders } from '../sessions/sessionFolders';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';

/** Builds what checks agents, when it is first needed. */
export function createCheck(
  { own, context, clock, watchdog }: Basis,
  { secrets, secretless, programs }: Agents,
  folders: Pick<SessionFolders, 'rootsOf' | 'mayStartIn'>,
): AgentCheck {
  const placeOf = (configuration: AgentConfiguration): CheckPlace => {
    const { name, cwd: configured } = configuration;
    if (!vscode.workspace.isTrusted)
      return {
        problem: {
          text: l10n.t('This workspace is in Restricted Mode, so agents can’t start.'),
          help: l10n.t('Trust the workspace, then check again.'),
          offers: ['manageTrust'],
        },
      };
    if (!configured && vscode.workspace.workspaceFolders?.every(({ uri }) => uri.scheme !== 'file'))
      return {
        problem: {
          text: l10n.t('This workspace has no folder on disk.'),
          help: l10n.t('Open a folder on this machine, or on the machine that VS Code is connected to.'),
          offers: ['openFolder'],
        },
      };
    const { cwd } = folders.rootsOf(configured);
    if (!configured && !folders.mayStartIn(cwd))
      return {
        problem: {
          text: l10n.t('{0} needs an open folder to work in.', name),
          help: l10n.t('Open a folder, or use Parley’s own empty scratch folder.'),
          offers: ['openFolder', 'useScratchFolder'],
        },
      };
    return { folder: cwd };
  };
  return own(
    new AgentCheck({
      programs,
      placeOf,
      keyFor: secrets.keyFor,
      secrets: secrets.used,
      process: { clientVersion: String(context.extension.packageJSON.version), clock, log: secretless, watchdog },
    }),
  );
}

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
