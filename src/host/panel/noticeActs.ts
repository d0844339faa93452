import * as vscode from 'vscode';
import type { NoticeAction } from '../../protocol/entryView';
import { failureText } from '../agents/connectionMessages';
import { openAgentSettings } from '../agents/pickAgent';
import type { RewindCommands } from '../review/rewindCommands';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { Commands } from './commands';

export interface NoticeTargets {
  readonly sessions: SessionService;
  /** The session of the view. */
  readonly live: LiveSession;
  readonly commands: Commands;
  readonly rewinds: () => Promise<RewindCommands>;
}

/** Runs the action of a notice or of a failed start. */
export async function actOnNotice(
  action: NoticeAction,
  { sessions, live, commands, rewinds }: NoticeTargets,
): Promise<void> {
  switch (action) {
    case 'retry':
      return live.retry();
    case 'restart':
      return sessions.restart(live);
    case 'newSession':
      return commands.newSession();
    case 'selectAgent':
      return commands.selectAgent();
    case 'editSettings':
      return openAgentSettings();
    case 'checkAgent':
      return commands.checkAgent(live.agent);
    case 'forceStop':
      return sessions.forceStop(live);
    case 'signIn':
      return commands.signIn();
    case 'openFolder':
      await vscode.commands.executeCommand('workbench.action.files.openFolder');
      return;
    case 'openRecent':
      await vscode.commands.executeCommand('workbench.action.openRecent');
      return;
    case 'useScratchFolder':
      return sessions.useScratchFolder();
    case 'copyDetails':
      await vscode.env.clipboard.writeText(failureText(live.connection.view) ?? '');
      return;
    case 'includeConversation':
    case 'omitConversation':
      return (await live.conversation.get()).answer(action === 'includeConversation' ? 'include' : 'omit');
    case 'askAboutConversation':
      return (await live.conversation.get()).forget();
    case 'redo':
      return (await rewinds()).redoRewind();
    case 'redoFiles':
      return (await rewinds()).redo();
    case 'continueWith':
      await vscode.commands.executeCommand('parley.continueSession', live.id);
      return;
    case 'showWorktrees':
      await vscode.commands.executeCommand('parley.worktrees');
      return;
    case 'showLog':
      await vscode.commands.executeCommand('parley.showLog');
      return;
  }
}
