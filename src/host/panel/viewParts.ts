import type { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import type { Attachments } from '../attachments/messageAttachments';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { UnclaimedChanges } from '../changes/unclaimedChanges';
import type { CurrentFile } from '../attachments/currentFile';
import type { FileIndexes } from '../files/fileIndex';
import type { Gallery } from '../gallery/gallery';
import type { PanelReview } from '../review/panelReview';
import type { ProblemWatch } from '../review/problemWatch';
import type { Review } from '../review/review';
import type { RewindCommands } from '../review/rewindCommands';
import type { ChatView } from '../sessions/chatViews';
import type { DismissedWindows } from '../sessions/dismissedWindows';
import type { LiveSession } from '../sessions/liveSession';
import type { OptionMemory } from '../sessions/optionMemory';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import type { TerminalService } from '../terminals/terminalService';
import type { CompareAgents } from '../takeOver/compareAgents';
import type { ChosenAgents } from '../takeOver/chosenAgents';
import type { Worktrees } from '../worktrees/worktrees';
import type { ChatPanels } from './chatPanels';
import type { Commands } from './commands';
import type { PanelSource } from './panelSource';
import type { PermissionAnswers } from './permissionAnswers';
import type { PermissionCommands } from './permissionCommands';
import type { ThreadPanel } from './threadPanel';
import type { WorktreeCommands } from '../takeOver/worktreeCommands';

/** The parts of one view. */
export interface ViewParts {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly source: Pick<PanelSource, 'saveUi' | 'forgetSent'>;
  readonly attachments: Later<Attachments>;
  readonly draftAttachments: DraftAttachments;
}

/** Agent changes, and feedback about them. */
export interface ChangeServices {
  readonly review: Review;
  readonly panelReview: PanelReview;
  readonly problems: Later<ProblemWatch>;
  readonly unclaimed: UnclaimedChanges;
  /** Read-only documents. */
  readonly baselines: BaselineDocuments;
  readonly rewinds: (live: LiveSession) => Promise<RewindCommands>;
}

/** Requests of agents, and their answers. */
export interface RequestServices {
  readonly panels: Pick<ChatPanels, 'reveal' | 'openSubagent'>;
  readonly answers: PermissionAnswers;
  readonly permissions: Later<PermissionCommands>;
}

/** Where sessions work, and what is done with their worktrees. */
export interface WorktreeParts {
  readonly known: Worktrees;
  readonly chosen: ChosenAgents;
  readonly commands: Later<WorktreeCommands>;
  readonly compare: Later<CompareAgents>;
}

/** Sessions, the lists of sessions and agents, and the setup of new sessions. */
export interface SessionServices {
  readonly sessions: SessionService;
  readonly sessionList: Later<SessionList>;
  readonly gallery: Later<Gallery>;
  readonly options: Pick<OptionMemory, 'choose' | 'setFavorite'>;
  readonly worktrees: WorktreeParts;
  /** Retries failed saves. */
  readonly trouble: { retry(): void };
  readonly dismissed: Pick<DismissedWindows, 'dismiss'>;
}

export interface WorkspaceFileServices {
  readonly index: Later<FileIndexes>;
  readonly current: CurrentFile;
}

/** Services for the acts of all views, by subject. */
export interface PanelServices {
  readonly chat: SessionServices;
  readonly requests: RequestServices;
  readonly changes: ChangeServices;
  readonly terminals: Later<TerminalService>;
  readonly files: WorkspaceFileServices;
  readonly commands: Commands;
  readonly log: Logger;
}
