import type { ConfigChoice } from '../acp/decodeOptions';
import { withoutControls, withoutControlsIn } from '../base/controlSequences';
import { sessionTitle } from '../base/oneLine';
import type { OptionChoiceView, OptionView } from '../protocol/optionView';
import { type CommandView, type ConnectionView, type PanelView, planTally } from '../protocol/viewModel';
import { isPermissiveMode } from '../thread/permissiveMode';
import { isFinished } from '../thread/plans';
import { choiceOf, currentChoice, type SessionOption } from '../thread/sessionOptions';
import { type Thread, waitsForUser } from '../thread/thread';
import { beginningOf } from './longLists';
import { pendingQuestions } from './pendingQuestions';
import { usageView } from './projectUsage';

/** The shown session, as the host knows it. */
export interface SessionInput {
  readonly agent: string;
  readonly agentTitle: string | undefined;
  readonly connection: ConnectionView;
  readonly signIn: PanelView['signIn'];
  readonly thread: Thread;
  /** The session's folder. */
  readonly cwd: string;
  readonly canForceStop: boolean;
  /** The agent takes messages into the running turn. */
  readonly canSteer: boolean;
  /** A prompt is sent at once. */
  readonly takesPrompt: boolean;
  /** The start of a silence of the agent during a turn. */
  readonly silentSince: number | undefined;
  /** The number of unreadable lines in its output since its last message. */
  readonly unread?: number;
  /** The session's name, as in the list; without it, the agent's title is shown. */
  readonly title: string | undefined;
}

/** A part of the panel's view, from its owner. The same values as before mean that nothing changed. */
export type PanelPiece = { readonly [K in keyof PanelView]?: PanelView[K] | undefined };

/** The view before the first update. */
const empty = {
  changes: [],
  fileStates: [],
  queue: [],
  waitingElsewhere: [],
  attachments: [],
  sendWith: 'enter',
  history: [],
} as const satisfies Partial<PanelView>;

const noPlan: Pick<PanelView, 'plan' | 'planTally'> = { plan: [] };

/** Projects the panel. Lists of the thread that did not change keep their view, so that comparing them is cheap. */
export class PanelProjector {
  #commandsOf: readonly unknown[] | undefined;
  #commands: readonly CommandView[] = [];
  #optionsOf: readonly unknown[] | undefined;
  #options: readonly OptionView[] = [];
  #planOf: readonly unknown[] | undefined;
  #plan: Pick<PanelView, 'plan' | 'planTally'> = { plan: [] };

  /** @param pieces further parts of the view; a later one overrides an earlier one */
  project(input: SessionInput, pieces: readonly PanelPiece[] = []): PanelView {
    const { thread } = input;
    const usage = usageView(thread);
    const title = input.title ?? thread.title;
    const session = {
      agent: input.agent,
      ...(input.agentTitle === undefined ? {} : { agentTitle: input.agentTitle }),
      connection: withoutControlsIn(input.connection),
      ...(input.signIn ? { signIn: input.signIn } : {}),
      ...(thread.asks[0] ? { ownQuestion: thread.asks[0].title } : {}),
      ...(title === undefined ? {} : { title: sessionTitle(title) }),
      turn: turnView(thread, input),
      options: this.#optionViews(thread),
      ...(thread.options.problem === undefined ? {} : { optionProblem: withoutControls(thread.options.problem) }),
      commands: this.#commandViews(thread),
      ...this.#planView(thread),
      ...(usage ? { usage } : {}),
      ...(thread.suggestion === undefined || thread.turn ? {} : { suggestion: withoutControls(thread.suggestion) }),
      notices: withoutControlsIn(thread.notices),
      pendingQuestions: pendingQuestions(thread, input.cwd),
    };
    const others = pieces.flatMap((piece) => Object.entries(piece).filter(([, value]) => value !== undefined));
    return { ...empty, ...session, ...(Object.fromEntries(others) as Partial<PanelView>) };
  }

  #optionViews({ options }: Thread): readonly OptionView[] {
    if (this.#optionsOf !== options.shown) {
      this.#optionsOf = options.shown;
      this.#options = optionViews(options.shown);
    }
    return this.#options;
  }

  #planView({ plan, turn }: Thread): Pick<PanelView, 'plan' | 'planTally'> {
    // A finished plan is shown until its turn ends.
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
  { canForceStop, canSteer, takesPrompt, silentSince, unread = 0 }: SessionInput,
): PanelView['turn'] {
  const { turn } = thread;
  if (!turn) return { running: false, stopping: false, canForceStop: false };
  const activity = activityOf(thread);
  // Silence is normal while a tool runs or a request is pending.
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

/** The agent's current work: the title of the tool call that it began last. */
export function activityOf(thread: Thread): string | undefined {
  const open = thread.open.at(-1);
  const call = open === undefined ? undefined : thread.entries.at(open);
  return call?.kind === 'toolCall' ? withoutControls(call.title.slice(0, 1_000)) : undefined;
}

/** The session's options, as the panel draws them. */
function optionViews(shown: readonly SessionOption[]): readonly OptionView[] {
  const taken = new Set<SessionOption['role']>();
  return shown.map((option) => {
    const { key, name, description } = option;
    const base = {
      key,
      name: withoutControls(name),
      ...(description === undefined ? {} : { description: withoutControls(description) }),
      pending: option.requested !== undefined,
    };
    if (option.type === 'boolean') return { ...base, type: 'boolean', value: option.requested ?? option.current };
    const role = taken.has(option.role) ? undefined : option.role;
    taken.add(role);
    const value = choiceOf(option, option.requested ?? option.current);
    const isMode = option.role === 'mode';
    return {
      ...base,
      type: 'select',
      ...(role === undefined ? {} : { role }),
      value: value.value,
      valueName: withoutControls(value.name),
      choices: option.choices.map((choice) => choiceView(choice, isMode)),
      // The permissive mode is in force until the agent confirms a stricter one.
      permissive: isMode && (isPermissive(value) || isPermissive(currentChoice(option))),
    };
  });
}

function choiceView(choice: ConfigChoice, isMode: boolean): OptionChoiceView {
  const { name, description } = choice;
  const shown = {
    ...choice,
    name: withoutControls(name),
    ...(description === undefined ? {} : { description: withoutControls(description) }),
  };
  return isMode && isPermissive(choice) ? { ...shown, permissive: true } : shown;
}

function isPermissive({ value, name, description }: ConfigChoice): boolean {
  return isPermissiveMode({ id: value, name, description });
}
