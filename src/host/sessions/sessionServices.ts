import type * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { AgentService } from '../agents/agentService';
import type { ConfiguredAgents } from '../agents/configuredAgents';
import type { BackgroundWork } from '../terminals/backgroundWork';
import type { TurnObserver } from '../changes/disk/turnFollower';
import type { SignInServices } from '../signIn/signIn';
import type { OptionMemory } from './optionMemory';
import type { PromptBuilder } from './promptBuilder';
import type { SessionFolders } from './sessionFolders';
import type { SessionIndex } from './sessionIndex';
import type { SessionRouter } from './sessionRouter';
import type { SessionSetup } from './sessionSetup';
import type { TranscriptStore } from './transcriptStore';
import type { Worktrees } from '../worktrees/worktrees';

/** The agents, and the ways between them and sessions. */
export interface SessionAgents {
  readonly configured: Pick<ConfiguredAgents, 'named' | 'problemOf' | 'initial' | 'select'>;
  readonly processes: Pick<
    AgentService,
    'running' | 'start' | 'stop' | 'stopAll' | 'takeRemark' | 'printed' | 'unread' | 'onDidProgress' | 'onDidEnd'
  >;
  readonly router: SessionRouter;
  readonly signIn: SignInServices;
}

/** What a session at an agent is opened with. */
export interface SessionOpening {
  readonly folders: Pick<SessionFolders, 'rootsOf' | 'mayStartIn' | 'useScratch'>;
  /** MCP servers and further folders. */
  readonly setup: Pick<SessionSetup, 'prepare'>;
  readonly worktrees: Pick<Worktrees, 'at' | 'reach' | 'placeOf' | 'make'>;
  /** What the user chose in the session before. */
  readonly options: Pick<OptionMemory, 'apply'>;
}

/** What outlives the window. */
export interface SessionStorage {
  readonly index: SessionIndex;
  readonly transcripts: Pick<TranscriptStore, 'begin' | 'append' | 'read' | 'copy' | 'delete' | 'onDidLose'>;
  readonly state: vscode.Memento;
}

/** What agents do on this machine for sessions. */
export interface SessionWork {
  /** Follows what agents write to disk while a turn runs. */
  readonly turns: Omit<TurnObserver, 'command'>;
  /** A command that the agent started in the session still runs. */
  runsCommand(id: string): boolean;
  /** What is known to be at work beside the turns. */
  readonly background: Pick<BackgroundWork, 'of'>;
}

/** What all sessions of a window share. */
export interface SessionServices {
  readonly agents: SessionAgents;
  readonly opening: SessionOpening;
  readonly storage: SessionStorage;
  readonly prompts: Pick<PromptBuilder, 'shown' | 'build' | 'lastOf' | 'draftOf'>;
  readonly work: SessionWork;
  readonly clock: Clock;
  readonly log: Logger;
}
