import path from 'node:path';
import * as vscode from 'vscode';
import { Later } from '../../base/later';
import { Starters } from '../gallery/starters';
import type { Basis } from './basis';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';
import { builtInIcons } from '../agents/builtInIcons';

/** The icons of the built-in agents, by name. */
export async function readIcons({ extensionPath }: vscode.ExtensionContext): Promise<Readonly<Record<string, string>>> {
  return builtInIcons(path.join(extensionPath, 'media/agents'));
}

/** The way into the gallery of agents, and its beginning in an empty panel. */
export function createGallery(basis: Basis, sessions: Sessions, ways: GalleryWays) {
  const { own, context } = basis;
  const gallery = own(new Later(async () => (await import('./openGallery')).openGallery(basis, sessions, ways)));
  own(
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('parley.agents') && gallery.opened?.settingsChanged(),
    ),
  );
  // Both replace the conversation.
  sessions.list.onDidOpen((list) => own(list.onDidChange(() => list.view && gallery.opened?.close())));
  const { views } = sessions.service;
  own(views.onDidSwitch(({ view }) => view === views.sideBar && gallery.opened?.close()));
  const folder = path.join(context.globalStorageUri.fsPath, 'agents');
  return {
    gallery,
    starters: (changed: () => void) =>
      new Starters({ folder, agents: sessions.agents, readIcons: () => readIcons(context), changed }),
  };
}
