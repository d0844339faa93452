import * as l10n from '@vscode/l10n';
import { visibleText } from '../../../base/visibleText';

/** The steps of a check, in this order. */
export const checkSteps = ['folder', 'found', 'version', 'starts', 'speaks', 'signedIn', 'session', 'answers'] as const;
export type CheckStepId = (typeof checkSteps)[number];

const stepLabels: Readonly<Record<CheckStepId, () => string>> = {
  folder: () => l10n.t('Folder'),
  found: () => l10n.t('Program'),
  version: () => l10n.t('Version'),
  starts: () => l10n.t('Starts'),
  speaks: () => l10n.t('Speaks ACP'),
  signedIn: () => l10n.t('Signed in'),
  session: () => l10n.t('Opens a session'),
  answers: () => l10n.t('Answers'),
};

/** The name of a step, for the user. */
export function stepLabel(id: CheckStepId): string {
  return stepLabels[id]();
}

/** The actions that a check can offer. */
export type CheckOffer =
  | 'install'
  | 'signIn'
  | 'editSettings'
  | 'manageTrust'
  | 'openFolder'
  | 'useScratchFolder'
  | 'sendPrompt';

export interface CheckStep {
  readonly id: CheckStepId;
  /** `skipped`: an earlier step failed, or the step was not requested. */
  readonly state: 'pending' | 'running' | 'passed' | 'failed' | 'skipped';
  /** The result of the step. Hostile, without secrets. */
  readonly text?: string;
  /** Advice for the user. */
  readonly help?: string;
}

export interface CheckView {
  readonly agent: string;
  readonly steps: readonly CheckStep[];
  /** The last lines of the agent's error output, if a step failed. */
  readonly stderr?: string;
  /** The offered actions, the most helpful first. */
  readonly offers: readonly CheckOffer[];
  readonly isRunning: boolean;
  readonly isCancelled: boolean;
}

/** The problem of a failed step. */
export interface StepProblem {
  readonly text: string;
  readonly help?: string;
  readonly offers?: readonly CheckOffer[];
  readonly stderr?: string;
}

/** The progress of a check. It removes the secrets from every text. */
export class CheckProgress {
  #steps: readonly CheckStep[] = checkSteps.map((id) => ({ id, state: 'pending' }));
  #stderr: string | undefined;
  #offers: readonly CheckOffer[] = [];
  #isRunning = true;
  #isCancelled = false;

  /** @param conceal removes secrets from a text @param changed is called with each new state */
  constructor(
    private readonly agent: string,
    private readonly conceal: (text: string) => string,
    private readonly changed: (view: CheckView) => void,
  ) {}

  get view(): CheckView {
    const stderr = this.#stderr;
    return {
      agent: this.agent,
      steps: this.#steps,
      ...(stderr === undefined ? {} : { stderr }),
      offers: this.#offers,
      isRunning: this.#isRunning,
      isCancelled: this.#isCancelled,
    };
  }

  run(id: CheckStepId, text?: string): void {
    this.#set(id, 'running', text);
  }

  pass(id: CheckStepId, text?: string): void {
    this.#set(id, 'passed', text);
  }

  skip(id: CheckStepId, text?: string): void {
    this.#set(id, 'skipped', text);
  }

  fail(id: CheckStepId, { text, help, offers, stderr }: StepProblem): void {
    if (stderr?.trim()) this.#stderr = this.#shown(stderr).trim();
    this.#offers = offers ?? [];
    this.#set(id, 'failed', text, help);
  }

  /** The check itself failed at the running step. */
  break(text: string): void {
    const running = this.#steps.find(({ state }) => state === 'running');
    if (running) this.fail(running.id, { text, help: l10n.t('Run “Parley: Show Log” for details.') });
  }

  /** Ends the check. Remaining steps are skipped. */
  end(how: { readonly isCancelled?: boolean; readonly offers?: readonly CheckOffer[] } = {}): void {
    this.#isRunning = false;
    this.#isCancelled = how.isCancelled === true;
    if (how.offers) this.#offers = how.offers;
    this.#steps = this.#steps.map((step) =>
      step.state === 'pending' || step.state === 'running' ? { id: step.id, state: 'skipped' } : step,
    );
    this.changed(this.view);
  }

  #set(id: CheckStepId, state: CheckStep['state'], text?: string, help?: string): void {
    this.#steps = this.#steps.map((step) =>
      step.id === id
        ? {
            id,
            state,
            ...(text === undefined ? {} : { text: this.#shown(text) }),
            ...(help === undefined ? {} : { help: this.#shown(help) }),
          }
        : step,
    );
    this.changed(this.view);
  }

  #shown(text: string): string {
    return visibleText(this.conceal(text)).slice(-8_000);
  }
}
