import { withoutControls, withoutControlsIn } from '../base/controlSequences';
import type { OptionView } from '../protocol/optionView';
import type { ChangeView } from '../protocol/changeView';
import type { WaitingElsewhereView } from '../protocol/questionView';
import type { SessionsView } from '../protocol/sessionsView';
import type { CommandView, ConnectionView, PanelView, QueuedPromptView } from '../protocol/viewModel';
import { isFinished } from '../thread/plans';
import { type Thread, waitsForUser } from '../thread/thread';
import { summarise } from './changeSummary';
import { beginningOf } from './longLists';
import { optionViews } from './optionViews';
import { planTally } from '../protocol/planTally';
import { pendingQuestions } from './pendingQuestions';
import { usageView } from './projectUsage';
import { sessionTitle } from './sessionTitle';

/** What the panel shows besides the entries, as the host knows it. */
export interface PanelInput {
  readonly agent: string;
  readonly agentTitle: string | undefined;
  readonly agentIcon?: string | undefined;
  readonly connection: ConnectionView;
  readonly signIn: PanelView['signIn'];
  readonly thread: Thread;
  /** Choices that the user has marked, by `OptionView.key`. */
  readonly favorites?: PanelView['favorites'];
  /** The session's folder. */
  readonly cwd: string;
  readonly canForceStop: boolean;
  /** The agent takes messages into the running turn. */
  readonly canSteer: boolean;
  /** A prompt is sent at once. */
  readonly takesPrompt: boolean;
  /** Since when the agent says nothing although a turn runs. */
  readonly silentSince: number | undefined;
  /** How many lines of its output could not be read since its last message. */
  readonly unread?: number;
  /** What the session is called, as in the list; without it, the agent's title. */
  readonly title: string | undefined;
  readonly imported?: PanelView['imported'] | undefined;
  readonly changes: readonly ChangeView[];
  readonly unclaimed?: PanelView['unclaimed'] | undefined;
  readonly checkpoints?: PanelView['checkpoints'] | undefined;
  readonly fileStates: PanelView['fileStates'];
  readonly notes: PanelView['notes'];
  readonly keepsIn?: PanelView['keepsIn'];
  readonly unsaved?: PanelView['unsaved'];
  readonly kept?: PanelView['kept'];
  readonly turnChanges?: PanelView['turnChanges'];
  readonly queue: readonly QueuedPromptView[];
  readonly queuePaused?: boolean;
  readonly waitingElsewhere: readonly WaitingElsewhereView[];
  readonly follows: boolean;
  readonly sessions: SessionsView | undefined;
  readonly agentIcons?: PanelView['agentIcons'] | undefined;
  readonly gallery?: PanelView['gallery'] | undefined;
  readonly galleryIcons?: PanelView['galleryIcons'] | undefined;
  readonly starters?: PanelView['starters'] | undefined;
  readonly setup: PanelView['setup'];
  readonly promptCapabilities: PanelView['promptCapabilities'];
  readonly attachments: PanelView['attachments'];
  readonly currentFile?: PanelView['currentFile'] | undefined;
  readonly sendWith: PanelView['sendWith'];
  readonly suggestions: readonly string[] | undefined;
  readonly history: readonly string[];
}

const noPlan: Pick<PanelView, 'plan' | 'planTally'> = { plan: [] };

/** Projects the panel. Lists of the thread that did not change keep their view, so that comparing them is cheap. */
export class PanelProjector {
  #commandsOf: readonly unknown[] | undefined;
  #commands: readonly CommandView[] = [];
  #optionsOf: readonly unknown[] | undefined;
  #options: readonly OptionView[] = [];
  #planOf: readonly unknown[] | undefined;
  #plan: Pick<PanelView, 'plan' | 'planTally'> = { plan: [] };

  project(input: PanelInput): PanelView {
    const { thread } = input;
    const usage = usageView(thread);
    const title = input.title ?? thread.title;
    return {
      agent: input.agent,
      ...(input.agentTitle === undefined ? {} : { agentTitle: input.agentTitle }),
      ...(input.agentIcon === undefined ? {} : { agentIcon: input.agentIcon }),
      connection: withoutControlsIn(input.connection),
      ...(input.signIn ? { signIn: input.signIn } : {}),
      ...(thread.asks[0] ? { ownQuestion: thread.asks[0].title } : {}),
      ...(title === undefined ? {} : { title: sessionTitle(title) }),
      ...(input.imported ? { imported: input.imported } : {}),
      turn: turnView(thread, input),
      options: this.#optionViews(thread),
      ...(input.favorites ? { favorites: input.favorites } : {}),
      ...(thread.options.problem === undefined ? {} : { optionProblem: withoutControls(thread.options.problem) }),
      commands: this.#commandViews(thread),
      ...this.#planView(thread),
      ...(usage ? { usage } : {}),
      ...(thread.suggestion === undefined || thread.turn ? {} : { suggestion: withoutControls(thread.suggestion) }),
      notices: withoutControlsIn(thread.notices),
      ...summarise(input.changes),
      ...(input.unclaimed ? { unclaimed: input.unclaimed } : {}),
      ...(input.checkpoints ? { checkpoints: input.checkpoints } : {}),
      fileStates: input.fileStates,
      ...(input.notes ? { notes: input.notes } : {}),
      ...(input.keepsIn ? { keepsIn: input.keepsIn } : {}),
      ...(input.unsaved ? { unsaved: input.unsaved } : {}),
      ...(input.kept ? { kept: input.kept } : {}),
      ...(input.turnChanges?.length ? { turnChanges: input.turnChanges } : {}),
      queue: input.queue,
      ...(input.queuePaused ? { queuePaused: true } : {}),
      waitingElsewhere: input.waitingElsewhere,
      ...(input.follows ? { follows: true } : {}),
      ...(input.sessions ? { sessions: input.sessions } : {}),
      ...(input.sessions && input.agentIcons ? { agentIcons: input.agentIcons } : {}),
      ...(input.gallery ? { gallery: input.gallery } : {}),
      ...(input.gallery && input.galleryIcons ? { galleryIcons: input.galleryIcons } : {}),
      ...(input.starters ? { starters: input.starters } : {}),
      ...(input.setup ? { setup: input.setup } : {}),
      pendingQuestions: pendingQuestions(thread, input.cwd),
      ...(input.promptCapabilities ? { promptCapabilities: input.promptCapabilities } : {}),
      attachments: input.attachments,
      sendWith: input.sendWith,
      ...(input.currentFile ? { currentFile: input.currentFile } : {}),
      ...(input.suggestions ? { suggestions: input.suggestions } : {}),
      history: input.history,
    };
  }

  #optionViews({ options }: Thread): readonly OptionView[] {
    if (this.#optionsOf !== options.shown) {
      this.#optionsOf = options.shown;
      this.#options = optionViews(options.shown);
    }
    return this.#options;
  }

  #planView({ plan, turn }: Thread): Pick<PanelView, 'plan' | 'planTally'> {
    // What is done is shown until its turn ends.
    if (!turn && isFinished(plan)) return noPlan;
    if (this.#planOf !== plan) {
      this.#planOf = plan;
      const { shown, more } = beginningOf('plan', plan);
      this.#plan = {
        plan: shown.map(({ content, priority, status }) => ({ content: withoutControls(content), priority, status })),
        ...(more.plan ? { planTally: planTally(plan) } : {}),
      };
    }
    return this.#plan;
  }

  #commandViews(thread: Thread): readonly CommandView[] {
    if (this.#commandsOf !== thread.commands) {
      this.#commandsOf = thread.commands;
      this.#commands = thread.commands.map(({ name, description, input }) => ({
        name,
        description: withoutControls(description),
        ...(input?.hint ? { hint: withoutControls(input.hint) } : {}),
      }));
    }
    return this.#commands;
  }
}

function turnView(
  thread: Thread,
  { canForceStop, canSteer, takesPrompt, silentSince, unread = 0 }: PanelInput,
): PanelView['turn'] {
  const { turn } = thread;
  if (!turn) return { running: false, stopping: false, canForceStop: false };
  const activity = activityOf(thread);
  // While a tool runs or a question waits, silence is nothing to wonder about.
  const isSilent = silentSince !== undefined && thread.open.length === 0 && !waitsForUser(thread) && !turn.stopping;
  return {
    running: true,
    startedAt: turn.startedAt + (turn.waited?.ms ?? 0),
    stopping: turn.stopping,
    ...(waitsForUser(thread) && !turn.stopping ? { waits: true } : {}),
    canForceStop: canForceStop && turn.stopping,
    ...(canSteer && !turn.stopping ? { canSteer } : {}),
    ...(takesPrompt ? { takesPrompt } : {}),
    ...(isSilent ? { silentSince, ...(unread > 0 ? { unread } : {}) } : {}),
    ...(activity !== undefined && !turn.stopping ? { activity } : {}),
  };
}

/** What the agent does now: the title of the tool that it began last. */
export function activityOf(thread: Thread): string | undefined {
  const open = thread.open.at(-1);
  const call = open === undefined ? undefined : thread.entries.at(open);
  return call?.kind === 'toolCall' ? withoutControls(call.title.slice(0, 1_000)) : undefined;
}
