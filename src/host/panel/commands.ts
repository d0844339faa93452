import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import { sessionActs } from '../../protocol/sessionsView';
import { waitsForUser } from '../../thread/thread';
import type { Attachments } from '../attachments/messageAttachments';
import type { AgentConfiguration } from '../agents/agentSettings';
import { markedWindow } from '../platform/markedWindow';
import type { FollowAgent } from './followAgent';
import type { CheckPicker } from '../agents/check/checkPicker';
import type { AgentPrograms } from '../agents/agentPrograms';
import type { RewindCommands } from '../review/rewindCommands';
import type { ServerPicker } from '../mcp/serverPicker';
import type { HunkReference } from '../review/hunkLenses';
import type { HunkReview } from '../review/hunkReview';
import type { PermissionCommands } from './permissionCommands';
import type { PermissionAnswers } from './permissionAnswers';
import type { Gallery } from '../gallery/gallery';
import type { SessionFolders } from '../sessions/sessionFolders';
import type { LiveSession } from '../sessions/liveSession';
import type { OptionMemory } from '../sessions/optionMemory';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import type { ApiKeys } from '../signIn/apiKeys';
import { signIn, signInContext } from '../sessions/signInCommands';
import type { SessionFiles } from './sessionFiles';
import type { ChatPanels } from './chatPanels';
import type { SessionEditors } from './sessionEditors';
import { signOut } from '../sessions/signOut';

export interface CommandTargets {
  readonly sessions: SessionService;
  readonly sessionList: Later<SessionList>;
  readonly panel: ChatPanels;
  readonly editors: Later<SessionEditors>;
  readonly gallery: Later<Gallery>;
  readonly agents: () => readonly AgentConfiguration[];
  readonly programs: () => Promise<Pick<AgentPrograms, 'update'>>;
  readonly check: Later<CheckPicker>;
  readonly apiKeys: ApiKeys;
  readonly log: vscode.LogOutputChannel;
  readonly attachments: () => Promise<Attachments>;
  readonly serverPicker: () => Promise<ServerPicker>;
  readonly folders: SessionFolders;
  readonly permissions: () => Promise<PermissionCommands>;
  readonly answers: PermissionAnswers;
  readonly hunks: () => Promise<HunkReview>;
  readonly follow: Later<FollowAgent>;
  readonly memory: OptionMemory;
  readonly rewinds: () => Promise<RewindCommands>;
  readonly keepFile: (uri: vscode.Uri | undefined) => Promise<void>;
  readonly undoFile: (uri: vscode.Uri | undefined) => Promise<void>;
  readonly files: () => Promise<SessionFiles>;
}

/** What VS Code's editors of settings and keys search for. */
const ofParley = '@ext:parley.parley';

/** Every command of the extension, in one table, and the context keys that their menus ask for. */
export class Commands extends Disposable {
  constructor(private readonly targets: CommandTargets) {
    super();
    const { sessions, log, hunks, answers } = targets;
    const table: Readonly<Record<string, (...args: never[]) => unknown>> = {
      'parley.openChat': (id?: string) => this.openChat(id),
      'parley.newSession': (agent?: unknown) => this.newSession(typeof agent === 'string' ? agent : undefined),
      'parley.openInEditor': () => this.#inEditor((editors, session) => void editors.open(session)),
      'parley.openInNewWindow': () => this.#inEditor((editors, session) => editors.openInNewWindow(session)),
      'parley.newSessionInEditor': async () => (await targets.editors.get()).openNew(),
      'parley.showSessions': () => this.showSessions(),
      'parley.renameSession': async () => (await sessionCommands()).renameSession(targets),
      'parley.reopenSession': async () => (await sessionCommands()).reopenSession(targets),
      ...Object.fromEntries(
        sessionActs.map((act) => [
          `parley.session.${act}`,
          (context: unknown) => targets.sessionList.opened?.act(act, sessionKeys(context)),
        ]),
      ),
      'parley.goToPrompt': () => this.goToPrompt(),
      'parley.find': () => targets.panel.reveal('find'),
      'parley.selectAgent': () => this.selectAgent(),
      'parley.showAgents': (key?: unknown) => this.showAgents(typeof key === 'string' ? key : undefined),
      'parley.selectMode': async () => (await import('../sessions/optionPickers')).pickOption(targets, 'mode'),
      'parley.nextMode': async () => (await import('../sessions/optionPickers')).nextMode(targets),
      'parley.selectModel': async () => (await import('../sessions/optionPickers')).pickOption(targets, 'model'),
      'parley.sessionOptions': async () => (await import('../sessions/optionPickers')).pickSessionOptions(targets),
      'parley.showMcpServers': async () => (await sessionCommands()).showServers(targets, this),
      'parley.sessionFolders': async () => (await sessionCommands()).pickFolders(targets, this),
      'parley.followAgent': () => this.toggleFollow(),
      'parley.stopFollowing': () => this.toggleFollow(),
      'parley.stop': () => sessions.active.stop(),
      'parley.copyAnswer': async (context?: { readonly entryId?: unknown }) =>
        (await sessionCommands()).copyAnswer(targets, entryOf(context)),
      'parley.copyTurn': async (context?: { readonly entryId?: unknown }) =>
        (await targets.files()).copyTurn(entryOf(context)),
      'parley.copyPromptLink': async (context?: { readonly entryId?: unknown }) =>
        (await targets.files()).copyPromptLink(entryOf(context)),
      'parley.exportSession': async () => (await targets.files()).exportSession(),
      'parley.importSession': async () => (await targets.files()).importSession(),
      'parley.copySelection': (context?: { readonly parleySelection?: unknown }) =>
        typeof context?.parleySelection === 'string'
          ? vscode.env.clipboard.writeText(context.parleySelection)
          : undefined,
      'parley.allow': () => answers.allow(),
      'parley.allowAlways': () => answers.allowAlways(),
      'parley.reject': () => answers.reject(),
      'parley.goToPermission': () => answers.goTo(),
      'parley.allowProposed': (document?: vscode.Uri) => answers.answerDiff(document, 'allow_once'),
      'parley.rejectProposed': (document?: vscode.Uri) => answers.answerDiff(document, 'reject_once'),
      'parley.signIn': () => this.signIn(),
      'parley.signOut': async () => signOut(sessions, targets.apiKeys),
      'parley.restartAgent': () => sessions.restart(),
      'parley.checkAgent': (name?: unknown) => this.checkAgent(typeof name === 'string' ? name : undefined),
      'parley.updateAgents': async () => (await targets.programs()).update(),
      'parley.showLog': () => log.show(true),
      'parley.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', ofParley),
      'parley.openKeyboardShortcuts': () =>
        vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', ofParley),
      'parley.addContext': async () => (await targets.attachments()).addContext('menu'),
      'parley.addSelection': async () => (await targets.attachments()).addSelection(),
      'parley.addFile': async (uri?: vscode.Uri, chosen?: unknown) =>
        (await targets.attachments()).addUris(Array.isArray(chosen) ? chosen : uri ? [uri] : []),
      'parley.addTerminalSelection': async () => (await targets.attachments()).addTerminalSelection(),
      'parley.permissionRules': async () => (await targets.permissions()).showRules(),
      'parley.addPermissionRule': async (requestId?: unknown) =>
        (await targets.permissions()).addRule(typeof requestId === 'string' ? requestId : undefined),
      'parley.showPermissionHistory': async () => (await targets.permissions()).showHistory(),
      'parley.exportPermissionHistory': async () => (await targets.permissions()).exportHistory(),
      'parley.keepFile': (uri?: vscode.Uri) => targets.keepFile(uri),
      'parley.undoFile': (uri?: vscode.Uri) => targets.undoFile(uri),
      'parley.keepChange': async (hunk?: HunkReference) => (await hunks()).keep(hunk),
      'parley.undoChange': async (hunk?: HunkReference) => (await hunks()).undo(hunk),
      'parley.restoreChange': async () => (await hunks()).restore(),
      'parley.restoreCheckpoint': async () => (await targets.rewinds()).pick(),
      'parley.redoRestore': async () => (await targets.rewinds()).redo(),
      'parley.showSessionChanges': async () => (await targets.rewinds()).files.showSessionChanges(),
      'parley.nextChange': async () => (await hunks()).go(1),
      'parley.previousChange': async () => (await hunks()).go(-1),
      'parley.peekBefore': async (hunk?: HunkReference) => (await hunks()).peekBefore(hunk),
      'parley.keepMine': async (hunk?: HunkReference) => (await hunks()).keep(hunk),
      'parley.keepAgents': async (hunk?: HunkReference) => (await hunks()).resolve('agents', hunk),
      'parley.undoBoth': async (hunk?: HunkReference) => (await hunks()).resolve('before', hunk),
      'parley.showBoth': async (hunk?: HunkReference) => (await hunks()).showBoth(hunk),
    };
    for (const [id, run] of Object.entries(table)) {
      this.register(
        vscode.commands.registerCommand(id, (...args: never[]) => {
          // VS Code gives actions in the title of a view an empty context, and keys and the palette none: the user
          // works in the side bar then.
          if (args.length === 1 && (args[0] ?? undefined) === undefined) sessions.views.use(sessions.views.sideBar);
          return run(...args);
        }),
      );
    }
    const known = new Map<string, boolean>();
    const update = () => {
      const { canSignIn, canSignOut } = signInContext(sessions);
      const keys = {
        'parley.isRunning': sessions.active.session.isRunning,
        'parley.canSignIn': canSignIn,
        'parley.canSignOut': canSignOut,
        'parley.waiting': answers.isWaiting,
      };
      for (const [key, value] of Object.entries(keys)) {
        if (known.get(key) === value) continue;
        known.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    };
    this.register(sessions.onDidChange(update));
    this.register(sessions.views.onDidSwitch(update));
    update();
  }

  /**
   * Shows the panel in the side bar or, with the id of an open session, that session where it is, at its open question.
   */
  async openChat(id?: string): Promise<void> {
    const { sessions, panel } = this.targets;
    const session = typeof id === 'string' ? sessions.find(id) : undefined;
    if (session) await sessions.openSession(session.id);
    else sessions.views.use(sessions.views.sideBar);
    await panel.reveal(session && waitsForUser(session.session.thread) ? 'question' : 'composer');
  }

  async toggleFollow(): Promise<void> {
    (await this.targets.follow.get()).toggle();
  }

  /** @param agent named by a keybinding; by default that of the current session */
  async newSession(agent?: string): Promise<void> {
    const { active } = this.targets.sessions.views;
    if (agent !== undefined && !this.targets.agents().some(({ name }) => name === agent)) {
      void markedWindow.showErrorMessage(
        l10n.t('There is no agent named {0}. Run “Parley: Show Agents” to see your agents.', agent),
      );
      return;
    }
    // The session first: what is sent before VS Code has brought the panel to the front belongs to it.
    await this.targets.sessions.newSession(active, agent, () => this.targets.panel.reveal());
  }

  /** Opens the list of sessions in the panel, or closes it. */
  async showSessions(): Promise<void> {
    await this.targets.panel.revealSideBar();
    await (await this.targets.sessionList.get()).toggle();
  }

  /** Lists the prompts of the conversation and goes to the one that the user chooses. */
  async goToPrompt(): Promise<void> {
    const { panel, sessions, sessionList, gallery } = this.targets;
    const { goToPrompt } = await import('./goToPrompt');
    await goToPrompt(sessions.active.session.thread, panel, () => {
      sessionList.opened?.close();
      gallery.opened?.close();
    });
  }

  /** Opens the gallery of agents in the panel. @param key of an agent to set up */
  async showAgents(key?: string): Promise<void> {
    const { panel, sessionList, gallery } = this.targets;
    await panel.revealSideBar();
    sessionList.opened?.close();
    await (await gallery.get()).open(key);
  }

  /** Looks at an agent step by step. @param name of the agent; else the user chooses */
  async checkAgent(name?: string): Promise<void> {
    await (await this.targets.check.get()).open(name);
  }

  /** Shows the ways to sign in to the agent in the panel. */
  async signIn(): Promise<void> {
    await this.targets.panel.reveal();
    await signIn(this.targets.sessions);
  }

  /** Lets the user choose the agent of the session, or go to the gallery. */
  async selectAgent(): Promise<void> {
    await (await sessionCommands()).selectAgent(this.targets, this);
  }

  async #inEditor(open: (editors: SessionEditors, session: LiveSession) => unknown): Promise<void> {
    const { active } = this.targets.sessions;
    await open(await this.targets.editors.get(), active);
  }
}

/** What the list of sessions says of the rows whose menu was opened. */
function sessionKeys(context: unknown): readonly string[] {
  const keys = (context as { readonly sessionKeys?: unknown } | undefined)?.sessionKeys;
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
}

const sessionCommands = () => import('./sessionCommands');

/** What the panel says of the entry whose menu was opened. */
function entryOf(context: { readonly entryId?: unknown } | undefined): string | undefined {
  return typeof context?.entryId === 'string' ? context.entryId : undefined;
}
