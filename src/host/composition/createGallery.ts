import path from 'node:path';
import * as vscode from 'vscode';
import { registryAddress } from '../agents/agentSettings';
import { catalogue } from '../agents/catalogue';
import { GalleryDoor } from '../gallery/galleryDoor';
import type { GallerySessions } from '../gallery/gallery';
import { Starters } from '../gallery/starters';
import type { Basis } from './basis';
import type { Sessions } from './sessions';

/** The gallery of agents. @param show brings the panel to the front with the focus in it @param signIn as the command does */
export function createGallery({ own, context, clock, log }: Basis, { service: sessions, agentService, agents, programs, list }: Sessions, show: () => Promise<void>, signIn: () => Promise<void>) {
  const storage = context.globalStorageUri.fsPath;
  const gallerySessions: GallerySessions = {
    onDidChange: (listener) => sessions.onDidChange(listener),
    current: () => sessions.active.agent,
    stateOf: (name) => {
      const open = sessions.open.filter(({ agent }) => agent === name);
      const failed = open.map(({ connection }) => connection.view).find(({ state }) => state === 'failed');
      return { wantsSignIn: open.some((item) => item.signIn.view !== undefined), ...(failed?.state === 'failed' ? { failure: [failed.title, failed.detail].filter(Boolean).join('. ').slice(0, 400) } : {}) };
    },
    use: async (name) => {
      await show();
      await sessions.selectAgent(name);
    },
    signIn: async (name) => {
      await show();
      await sessions.selectAgent(name);
      if (!sessions.active.signIn.view) await signIn();
    },
    stop: (name) => agentService.stop(name),
  };
  const door = own(
    new GalleryDoor(async () => {
      const [{ Gallery }, { RegistrySource }] = await Promise.all([import('../gallery/gallery'), import('../gallery/registrySource')]);
      const registry = new RegistrySource({ address: registryAddress, file: path.join(storage, 'registry', 'index.json'), now: () => clock.now(), log });
      return new Gallery({ registry, agents, catalogue, programs, sessions: gallerySessions, state: context.globalState, isTrusted: () => vscode.workspace.isTrusted, log });
    }),
  );
  own(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley.agents') && door.settingsChanged()));
  // Both stand in place of the conversation.
  own(list.onDidChange(() => list.view && door.close()));
  own(sessions.onDidSwitch(() => door.close()));
  return { door, starters: (changed: () => void) => new Starters(path.join(storage, 'agents'), agents, changed) };
}
