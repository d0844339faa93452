import { type Decoder, flag, listOf, objectOf, textUpTo } from '../base/decode';

/** One variable of the environment. */
export interface AgentFormVariable {
  readonly name: string;
  /** Empty for a secret that is kept as it is. */
  readonly value: string;
  readonly isSecret: boolean;
  /** The secret storage has a value for it. */
  readonly isKept: boolean;
}

/** What the form of an agent has in its fields. */
export interface AgentFormValues {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly AgentFormVariable[];
  /** "" for the folder of the session. */
  readonly cwd: string;
}

/** What a connection that was tried came to. */
export type ConnectionTestView =
  | { readonly state: 'running' }
  /** What the agent said of itself, line by line. */
  | { readonly state: 'done'; readonly lines: readonly { readonly label: string; readonly text: string }[] }
  | { readonly state: 'failed'; readonly problem: string; readonly stderr?: string };

/** The form for an agent of the user's own. */
export interface AgentFormView {
  /** Another form has another number; its fields begin with `values`. */
  readonly id: number;
  readonly title: string;
  readonly values: AgentFormValues;
  readonly problem?: string;
  readonly test?: ConnectionTestView;
}

const maxText = 10_000;
const maxItems = 200;

const text = textUpTo(maxText);

/** What the form sends. */
export const agentFormValues: Decoder<AgentFormValues> = objectOf<AgentFormValues>({
  name: text,
  command: text,
  args: listOf(text, maxItems),
  env: listOf(objectOf<AgentFormVariable>({ name: text, value: text, isSecret: flag, isKept: flag }), maxItems),
  cwd: text,
});
