import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import { sessionActs } from '../../protocol/sessionsView';
import type { AgentPrograms } from '../agents/agentPrograms';
import type { ServerPicker } from '../mcp/serverPicker';
import type { HunkReference } from '../review/hunkLenses';
import type { OpenReview } from '../review/openReview';
import type { RewindCommands } from '../review/rewindCommands';
import type { OptionTarget } from '../sessions/optionPickers';
import type { SessionFolders } from '../sessions/sessionFolders';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import type { StoredData } from '../storage/eraseData';
import type { ApiKeys } from '../signIn/apiKeys';
import type { ChatPanels } from './chatPanels';
import type { WorktreeCommands } from '../takeOver/worktreeCommands';
import type { Commands } from './commands';
import type { PermissionAnswers } from './permissionAnswers';
import type { PermissionCommands } from './permissionCommands';
import type { SessionEditors } from './sessionEditors';
import type { SessionFiles } from './sessionFiles';

/** Commands of `package.json` by id, one table for each subject. */
export type CommandTable = Readonly<Record<string, (...args: never[]) => unknown>>;

/** The search in VS Code's settings editor and keybindings editor. */
const ofParley = '@ext:parley.parley';

interface SessionTargets {
  readonly sessions: SessionService;
  readonly sessionList: Later<SessionList>;
  readonly panels: ChatPanels;
  readonly editors: Later<SessionEditors>;
}

/** Sessions, and where they are shown. */
export function sessionTable(commands: Commands, targets: SessionTargets): CommandTable {
  const { sessions, sessionList, panels, editors } = targets;
  return {
    'parley.openChat': (id?: string) => commands.openChat(id),
    'parley.newSession': (agent?: unknown) => commands.newSession(nameIn(agent)),
    'parley.openInEditor': async () => {
      const { active } = sessions;
      (await editors.get()).open(active);
    },
    'parley.openInNewWindow': async () => {
      const { active } = sessions;
      await (await editors.get()).openInNewWindow(active);
    },
    'parley.newSessionInEditor': async () => (await editors.get()).openNew(),
    'parley.showSessions': () => commands.showSessions(),
    'parley.renameSession': async () => (await sessionCommands()).renameSession(targets),
    'parley.reopenSession': async () => (await sessionCommands()).reopenSession(targets),
    ...Object.fromEntries(
      sessionActs.map((act) => [
        `parley.session.${act}`,
        (context: unknown) => sessionList.opened?.act(act, sessionKeys(context)),
      ]),
    ),
    'parley.stop': () => sessions.active.stop(),
    'parley.goToPrompt': () => commands.goToPrompt(),
    'parley.find': () => panels.reveal('find'),
    'parley.followAgent': () => commands.toggleFollow(),
    'parley.stopFollowing': () => commands.toggleFollow(),
  };
}

/** The options of the shown session. */
export function optionTable(target: OptionTarget): CommandTable {
  return {
    'parley.selectMode': async () => (await optionPickers()).pickOption(target, 'mode'),
    'parley.nextMode': async () => (await optionPickers()).nextMode(target),
    'parley.selectModel': async () => (await optionPickers()).pickOption(target, 'model'),
    'parley.sessionOptions': async () => (await optionPickers()).pickSessionOptions(target),
  };
}

/** Commands that open sessions. */
export function setupTable(
  commands: Commands,
  sessions: SessionService,
  servers: Later<ServerPicker>,
  folders: SessionFolders,
  worktrees: Later<WorktreeCommands>,
): CommandTable {
  return {
    'parley.showMcpServers': async () => (await sessionCommands()).showServers(sessions, servers, commands),
    'parley.worktrees': async () => (await worktrees.get()).list(),
    'parley.sessionFolders': async () => (await sessionCommands()).pickFolders(sessions, folders, commands),
  };
}

/** Agents, their programs, and signing in to them. */
export function agentTable(
  commands: Commands,
  sessions: SessionService,
  apiKeys: ApiKeys,
  programs: () => Promise<Pick<AgentPrograms, 'update'>>,
): CommandTable {
  return {
    'parley.selectAgent': () => commands.selectAgent(),
    'parley.showAgents': (key?: unknown) => commands.showAgents(nameIn(key)),
    'parley.signIn': () => commands.signIn(),
    'parley.signOut': async () => (await import('../sessions/signOut')).signOut(sessions, apiKeys),
    'parley.restartAgent': () => sessions.restart(),
    'parley.checkAgent': (name?: unknown) => commands.checkAgent(nameIn(name)),
    'parley.updateAgents': async () => (await programs()).update(),
  };
}

/** Commands for the shown session's messages, and for the attachments of the next one. */
export function conversationTable(
  sessions: SessionService,
  panels: ChatPanels,
  files: Later<SessionFiles>,
): CommandTable {
  const attachments = () => panels.active.attachments.get();
  return {
    'parley.copyAnswer': async (context?: EntryContext) =>
      (await sessionCommands()).copyAnswer(sessions, entryOf(context)),
    'parley.copyTurn': async (context?: EntryContext) => (await files.get()).copyTurn(entryOf(context)),
    'parley.copyPromptLink': async (context?: EntryContext) => (await files.get()).copyPromptLink(entryOf(context)),
    'parley.exportSession': async () => (await files.get()).exportSession(),
    'parley.importSession': async () => (await files.get()).importSession(),
    'parley.copySelection': (context?: { readonly parleySelection?: unknown }) =>
      typeof context?.parleySelection === 'string'
        ? vscode.env.clipboard.writeText(context.parleySelection)
        : undefined,
    'parley.addContext': async () => (await attachments()).addContext('menu'),
    'parley.addSelection': async () => (await attachments()).addSelection(),
    'parley.addFile': async (uri?: vscode.Uri, chosen?: unknown) =>
      (await attachments()).addUris(Array.isArray(chosen) ? chosen : uri ? [uri] : []),
    'parley.addTerminalSelection': async () => (await attachments()).addTerminalSelection(),
  };
}

/** Permission requests, and the rules that answer them. */
export function permissionTable(answers: PermissionAnswers, permissions: Later<PermissionCommands>): CommandTable {
  return {
    'parley.allow': () => answers.allow(),
    'parley.allowAlways': () => answers.allowAlways(),
    'parley.reject': () => answers.reject(),
    'parley.goToPermission': () => answers.goTo(),
    'parley.allowProposed': (document?: vscode.Uri) => answers.answerDiff(document, 'allow_once'),
    'parley.rejectProposed': (document?: vscode.Uri) => answers.answerDiff(document, 'reject_once'),
    'parley.permissionRules': async () => (await permissions.get()).showRules(),
    'parley.addPermissionRule': async (requestId?: unknown) => (await permissions.get()).addRule(nameIn(requestId)),
    'parley.showPermissionHistory': async () => (await permissions.get()).showHistory(),
    'parley.exportPermissionHistory': async () => (await permissions.get()).exportHistory(),
  };
}

interface ReviewTargets {
  readonly open: Later<OpenReview>;
  readonly rewinds: () => Promise<RewindCommands>;
  readonly keepFile: (uri: vscode.Uri | undefined) => Promise<void>;
  readonly undoFile: (uri: vscode.Uri | undefined) => Promise<void>;
}

/** Changes in editors, and checkpoints. */
export function reviewTable({ open, rewinds, keepFile, undoFile }: ReviewTargets): CommandTable {
  const hunks = async () => (await open.get()).hunks;
  return {
    'parley.keepFile': (uri?: vscode.Uri) => keepFile(uri),
    'parley.undoFile': (uri?: vscode.Uri) => undoFile(uri),
    'parley.keepChange': async (hunk?: HunkReference) => (await hunks()).keep(hunk),
    'parley.undoChange': async (hunk?: HunkReference) => (await hunks()).undo(hunk),
    'parley.restoreChange': async () => (await hunks()).restore(),
    'parley.restoreCheckpoint': async () => (await rewinds()).pick(),
    'parley.redoRestore': async () => (await rewinds()).redo(),
    'parley.showSessionChanges': async () => (await rewinds()).files.showSessionChanges(),
    'parley.nextChange': async () => (await hunks()).go(1),
    'parley.previousChange': async () => (await hunks()).go(-1),
    'parley.peekBefore': async (hunk?: HunkReference) => (await hunks()).peekBefore(hunk),
    'parley.keepMine': async (hunk?: HunkReference) => (await hunks()).keep(hunk),
    'parley.keepAgents': async (hunk?: HunkReference) => (await hunks()).resolve('agents', hunk),
    'parley.undoBoth': async (hunk?: HunkReference) => (await hunks()).resolve('before', hunk),
    'parley.showBoth': async (hunk?: HunkReference) => (await hunks()).showBoth(hunk),
  };
}

/** Pages of VS Code about Parley, and its data. */
export function editorTable(log: vscode.LogOutputChannel, data: StoredData): CommandTable {
  return {
    'parley.eraseAllData': async () => (await import('../storage/eraseData')).askToErase(data),
    'parley.showLog': () => log.show(true),
    'parley.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', ofParley),
    'parley.openKeyboardShortcuts': () =>
      vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', ofParley),
  };
}

const sessionCommands = () => import('./sessionCommands');
const optionPickers = () => import('../sessions/optionPickers');

/** A name from a keybinding or another extension, which may be any value. */
function nameIn(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : undefined;
}

/** The panel's data about the entry whose menu was opened. */
interface EntryContext {
  readonly entryId?: unknown;
}

function entryOf(context: EntryContext | undefined): string | undefined {
  return nameIn(context?.entryId);
}

/** The list's data about the sessions whose menu was opened. */
function sessionKeys(context: unknown): readonly string[] {
  const keys = (context as { readonly sessionKeys?: unknown } | undefined)?.sessionKeys;
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
}
