/** One way to sign in, in the agent's own words. */
export interface SignInMethodView {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** The kind of sign-in: the agent's own, a command in a terminal, or a box for a key. */
  readonly kind: 'agent' | 'terminal' | 'apiKey';
}

/** The user's current step. `confirm` and later steps name the method by `SignInMethodView.id`. */
export type SignInStep =
  | { readonly type: 'choose' }
  /** Shows the command before it runs. `variables` are those from the agent, as `NAME=value`. */
  | {
      readonly type: 'confirm';
      readonly methodId: string;
      readonly command: string;
      readonly folder: string;
      readonly variables: readonly string[];
    }
  /** The agent is signing in. */
  | { readonly type: 'trying'; readonly methodId: string; readonly since: number }
  /** The command runs in a terminal of VS Code. */
  | { readonly type: 'terminal'; readonly methodId: string; readonly since: number };

/** The sign-in card: the agent requires a sign-in, or the user wants one. Never contains a key. */
export interface SignInView {
  /** Identifies one sign-in; an answer to an earlier one has no effect. */
  readonly requestId: string;
  readonly methods: readonly SignInMethodView[];
  readonly step: SignInStep;
  /** The agent's reason, if its error message has one. */
  readonly reason?: string;
  /** The last problem, in words. */
  readonly problem?: string;
  /** The agent requires it: the user's message waits until then. */
  readonly needed: boolean;
}

/** The user's actions on the card besides choosing a method. */
export type SignInAct =
  /** Runs the shown command. */
  | 'run'
  /** Returns to the methods and cancels the current attempt. */
  | 'back'
  /** The user says that they have signed in; the command may still run. */
  | 'done'
  | 'showTerminal'
  /** Closes the card without signing in. */
  | 'dismiss';

export const signInActs: readonly SignInAct[] = ['run', 'back', 'done', 'showTerminal', 'dismiss'];
