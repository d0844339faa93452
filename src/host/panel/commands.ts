import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import { waitsForUser } from '../../thread/thread';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { CheckPicker } from '../agents/check/checkPicker';
import type { Gallery } from '../gallery/gallery';
import { markedWindow } from '../platform/markedWindow';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import { signIn } from '../sessions/signInCommands';
import type { ChatPanels } from './chatPanels';
import type { CommandTable } from './commandTables';
import type { FollowAgent } from './followAgent';

export interface CommandServices {
  readonly sessions: SessionService;
  readonly panels: ChatPanels;
  readonly sessionList: Later<SessionList>;
  readonly gallery: Later<Gallery>;
  readonly follow: Later<FollowAgent>;
  readonly check: Later<CheckPicker>;
  readonly agents: () => readonly AgentConfiguration[];
}

/** Commands that buttons of the panel also run; `commandTables.ts` has the ids of all. */
export class Commands extends Disposable {
  constructor(private readonly services: CommandServices) {
    super();
  }

  /** Gives VS Code commands by their ids. */
  add(table: CommandTable): void {
    const { views } = this.services.sessions;
    for (const [id, run] of Object.entries(table)) {
      this.register(
        vscode.commands.registerCommand(id, (...args: never[]) => {
          // VS Code gives actions in the title of a view an empty context, and keys and the palette none: the user
          // works in the side bar then.
          if (args.length === 1 && (args[0] ?? undefined) === undefined) views.use(views.sideBar);
          return run(...args);
        }),
      );
    }
  }

  /**
   * Shows the panel in the side bar or, with the id of an open session, that session where it is, at its open question.
   */
  async openChat(id?: string): Promise<void> {
    const { sessions, panels } = this.services;
    const session = typeof id === 'string' ? sessions.find(id) : undefined;
    if (session) await sessions.openSession(session.id);
    else sessions.views.use(sessions.views.sideBar);
    await panels.reveal(session && waitsForUser(session.session.thread) ? 'question' : 'composer');
  }

  async toggleFollow(): Promise<void> {
    (await this.services.follow.get()).toggle();
  }

  /** @param agent named by a keybinding; by default that of the current session */
  async newSession(agent?: string): Promise<void> {
    const { active } = this.services.sessions.views;
    if (agent !== undefined && !this.services.agents().some(({ name }) => name === agent)) {
      void markedWindow.showErrorMessage(
        l10n.t('There is no agent named {0}. Run “Parley: Show Agents” to see your agents.', agent),
      );
      return;
    }
    // The session comes first, so that a message sent before VS Code has revealed the panel belongs to it.
    await this.services.sessions.newSession(active, agent, () => this.services.panels.reveal());
  }

  /** Opens the list of sessions in the panel, or closes it. */
  async showSessions(): Promise<void> {
    await this.services.panels.revealSideBar();
    await (await this.services.sessionList.get()).toggle();
  }

  /** Lists the prompts of the conversation and goes to the one that the user chooses. */
  async goToPrompt(): Promise<void> {
    const { panels, sessions, sessionList, gallery } = this.services;
    const { goToPrompt } = await import('./goToPrompt');
    await goToPrompt(sessions.active.session.thread, panels, () => {
      sessionList.opened?.close();
      gallery.opened?.close();
    });
  }

  /** Opens the gallery of agents in the panel. @param key of an agent to set up */
  async showAgents(key?: string): Promise<void> {
    const { panels, sessionList, gallery } = this.services;
    await panels.revealSideBar();
    sessionList.opened?.close();
    await (await gallery.get()).open(key);
  }

  /** Checks an agent step by step. @param name of the agent; else the user chooses */
  async checkAgent(name?: string): Promise<void> {
    await (await this.services.check.get()).open(name);
  }

  /** Shows the ways to sign in to the agent in the panel. */
  async signIn(): Promise<void> {
    await this.services.panels.reveal();
    await signIn(this.services.sessions);
  }

  /** Lets the user choose the agent of the session, or go to the gallery. */
  async selectAgent(): Promise<void> {
    await (await sessionCommands()).selectAgent(this.services, this);
  }
}

const sessionCommands = () => import('./sessionCommands');
