import path from 'node:path';
import * as vscode from 'vscode';
import { Later } from '../../base/later';
import { testConnection } from '../agents/check/connectionReport';
import { expandedEntry, registryAddress } from '../agents/agentSettings';
import { catalogue } from '../agents/catalogue';
import { AgentForms, type AgentFormsOptions } from '../gallery/agentForms';
import { Gallery } from '../gallery/gallery';
import type { GallerySessions } from '../gallery/gallerySessions';
import { RegistrySource } from '../gallery/registrySource';
import type { Agents } from './agents';
import type { Basis } from './basis';
import { readIcons } from './createGallery';
import type { Sessions } from './sessions';

/** What else the gallery does in the window. */
export interface GalleryWays {
  /** Brings the panel to the front with the focus in it. */
  readonly show: () => Promise<void>;
  /** As the command does. */
  readonly signIn: () => Promise<void>;
}

/** Builds the gallery of agents when it is first opened. */
export function openGallery(
  basis: Basis,
  agents: Agents,
  { service: sessions, opening }: Sessions,
  { show, signIn }: GalleryWays,
): Gallery {
  const { own, context, clock, log } = basis;
  const { configured, processes, programs, secrets } = agents;
  const gallerySessions: GallerySessions = {
    // The rows say nothing of threads, which change with each word of an agent.
    onDidChange: (listener) => sessions.onDidChange(({ part }) => part !== 'thread' && listener()),
    current: () => sessions.active.agent,
    stateOf: (name) => {
      const open = sessions.open.filter(({ agent }) => agent === name);
      const failed = open.map(({ connection }) => connection.view).find(({ state }) => state === 'failed');
      return {
        wantsSignIn: open.some((item) => item.signIn.view !== undefined),
        ...(failed?.state === 'failed'
          ? { failure: [failed.title, failed.detail].filter(Boolean).join('. ').slice(0, 400) }
          : {}),
      };
    },
    // The session is there before VS Code has brought the panel to the front: what is sent meanwhile is for this agent.
    use: (name) => sessions.selectAgent(name, sessions.views.sideBar, show),
    signIn: async (name) => {
      await sessions.selectAgent(name, sessions.views.sideBar, show);
      if (!sessions.active.signIn.view) await signIn();
    },
    isRunning: (name) => processes.running(name) !== undefined,
    stop: (name) => processes.stop(name),
  };
  const check = own(new Later(async () => (await import('./createCheck')).createCheck(basis, agents, opening.folders)));
  const test: AgentFormsOptions['test'] = async (configuration, token) =>
    testConnection(await check.get(), configuration, token);
  const forms = (changed: () => void) =>
    new AgentForms({ agents: configured.all, secrets: secrets.variables, expand: expandedEntry, test, changed });
  const registry = new RegistrySource({
    address: registryAddress,
    file: path.join(context.globalStorageUri.fsPath, 'registry', 'index.json'),
    now: () => clock.now(),
    log,
  });
  return new Gallery({
    origins: { agents: configured.all, catalogue, builtInIcons: () => readIcons(context), registry },
    programs,
    sessions: gallerySessions,
    state: context.globalState,
    isTrusted: () => vscode.workspace.isTrusted,
    forms,
    log,
  });
}
