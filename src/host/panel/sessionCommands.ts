import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { galleryItem, pickAgent } from '../agents/pickAgent';
import { markedWindow } from '../platform/markedWindow';
import type { Later } from '../../base/later';
import { answerText } from '../../thread/threadTurns';
import type { ServerPicker } from '../mcp/serverPicker';
import { pickSessionFolders } from '../sessions/folderPicker';
import type { SessionFolders } from '../sessions/sessionFolders';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanels } from './chatPanels';
import type { Commands, CommandServices } from './commands';

/** Commands about the active session whose code is loaded when one of them is first used. */

/** Puts an answer onto the clipboard: the one of the entry, else the last. */
export async function copyAnswer(sessions: SessionService, entryId: string | undefined): Promise<void> {
  const text = answerText(sessions.active.session.thread, entryId);
  if (text === '') void markedWindow.showInformationMessage(l10n.t('There is no answer to copy yet.'));
  else await vscode.env.clipboard.writeText(text);
}

/** Asks for another title. */
export async function renameSession({
  sessions,
  sessionList,
}: {
  readonly sessions: SessionService;
  readonly sessionList: Later<SessionList>;
}): Promise<void> {
  if (!(await (await sessionList.get()).act('rename', [sessions.active.id])))
    void markedWindow.showInformationMessage(l10n.t('Send a message before you rename the session.'));
}

/** Shows the session that the user left last. */
export async function reopenSession({
  sessions,
  panels,
}: {
  readonly sessions: SessionService;
  readonly panels: ChatPanels;
}): Promise<void> {
  await panels.revealSideBar();
  if (!(await sessions.reopenLast()))
    void markedWindow.showInformationMessage(l10n.t('There is no closed session to reopen.'));
}

/** Lets the user choose the MCP servers that agents get. */
export async function showServers(
  sessions: SessionService,
  servers: Later<ServerPicker>,
  commands: Commands,
): Promise<void> {
  if (await (await servers.get()).show())
    await offerNewSession(sessions, commands, l10n.t('The change applies to the next session.'));
}

/** Lets the user choose the folders that agents may work in. */
export async function pickFolders(
  sessions: SessionService,
  folders: SessionFolders,
  commands: Commands,
): Promise<void> {
  if (await pickSessionFolders(folders, sessions.active.cwd))
    await offerNewSession(sessions, commands, l10n.t('The new folders apply to the next session.'));
}

/** Lets the user choose another agent for the view that is active now, or go to the gallery. */
export async function selectAgent({ sessions, gallery, panels }: CommandServices, commands: Commands): Promise<void> {
  const view = sessions.views.active;
  const name = await pickAgent(await (await gallery.get()).choices(), view.session.agent);
  if (name === undefined) return;
  if (name === galleryItem) return commands.showAgents();
  sessions.views.use(view);
  await sessions.selectAgent(name, view, () => panels.reveal());
}

/** An open session keeps its MCP servers and folders. */
async function offerNewSession(sessions: SessionService, commands: Commands, words: string): Promise<void> {
  if (!sessions.active.runningAgent) return;
  const action = l10n.t('New Session');
  if ((await markedWindow.showInformationMessage(words, action)) === action) await commands.newSession();
}
