/** One way to sign in, in the agent's own words. */
export interface SignInMethodView {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** What choosing it leads to: something of the agent's own, a command in a terminal, or a box for a key. */
  readonly kind: 'agent' | 'terminal' | 'apiKey';
}

/** Where the user is. `confirm` and what follows it name the method by `SignInMethodView.id`. */
export type SignInStep =
  | { readonly type: 'choose' }
  /** The command is shown and nothing runs yet. `variables` are those that come from the agent, as `NAME=value`. */
  | {
      readonly type: 'confirm';
      readonly methodId: string;
      readonly command: string;
      readonly folder: string;
      readonly variables: readonly string[];
    }
  /** The agent is being asked. */
  | { readonly type: 'trying'; readonly methodId: string; readonly since: number }
  /** The command runs in a terminal of VS Code. */
  | { readonly type: 'terminal'; readonly methodId: string; readonly since: number };

/** The sign-in card: an agent wants to know who asks, or the user wants to sign in. Holds no key. */
export interface SignInView {
  /** Tells one sign-in from the next; an answer to an earlier one does nothing. */
  readonly requestId: string;
  readonly methods: readonly SignInMethodView[];
  readonly step: SignInStep;
  /** What the agent said when it asked, where that says more than that it asks. */
  readonly reason?: string;
  /** What went wrong last, in words. */
  readonly problem?: string;
  /** The agent asked, and goes on only afterwards: what the user sent waits. */
  readonly needed: boolean;
}

/** What a user does on the card besides choosing a method. */
export type SignInAct =
  /** Runs the command that is shown. */
  | 'run'
  /** Back to the methods: ends what is being tried. */
  | 'back'
  /** The user says that they have signed in; the command may still run. */
  | 'done'
  | 'showTerminal'
  /** Puts the card away without signing in. */
  | 'dismiss';

export const signInActs: readonly SignInAct[] = ['run', 'back', 'done', 'showTerminal', 'dismiss'];
