import path from 'node:path';
import * as vscode from 'vscode';
import { changesOf, Later } from '../../base/later';
import { builtInIcons } from '../agents/catalogue';
import { Starters } from '../gallery/starters';
import type { SessionList } from '../sessions/sessionList';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';

/** The icons of the built-in agents, by name. */
export async function readIcons({ extensionPath }: vscode.ExtensionContext): Promise<Readonly<Record<string, string>>> {
  return builtInIcons(path.join(extensionPath, 'media/agents'));
}

/** The gallery of agents, and its beginning in an empty panel. */
export function createGallery(
  basis: Basis,
  agents: Agents,
  sessions: Sessions,
  list: Later<SessionList>,
  ways: GalleryWays,
) {
  const { own, context } = basis;
  const { views } = sessions.service;
  const gallery = own(
    new Later(async () => (await import('./openGallery')).openGallery(basis, agents, sessions, ways)),
  );
  own(
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('parley.agents') && gallery.opened?.settingsChanged(),
    ),
  );
  // Both replace the conversation.
  own(changesOf(list)(() => list.opened?.view && gallery.opened?.close()));
  own(views.onDidSwitch(({ view }) => view === views.sideBar && gallery.opened?.close()));
  const folder = path.join(context.globalStorageUri.fsPath, 'agents');
  const starters = own(new Starters({ folder, agents: agents.configured.all, readIcons: () => readIcons(context) }));
  own(changesOf(gallery)(() => void starters.refresh()));
  own(views.onDidSwitch(() => void starters.refresh()));
  void starters.refresh();
  return { gallery, starters };
}
