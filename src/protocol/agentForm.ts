import { type Decoder, flag, listOf, objectOf, textUpTo } from '../base/decode';

/** One variable of the environment. */
export interface AgentFormVariable {
  readonly name: string;
  /** Empty for a secret whose stored value stays. */
  readonly value: string;
  readonly isSecret: boolean;
  /** The secret storage has a value for it. */
  readonly isKept: boolean;
}

/** The values of the fields in an agent's form. */
export interface AgentFormValues {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly AgentFormVariable[];
  /** "" for the session's folder. */
  readonly cwd: string;
}

/** The result of a connection test. */
export type ConnectionTestView =
  | { readonly state: 'running' }
  /** The agent's information about itself, one entry a line. */
  | { readonly state: 'done'; readonly lines: readonly { readonly label: string; readonly text: string }[] }
  | { readonly state: 'failed'; readonly problem: string; readonly stderr?: string };

/** The form for an agent of the user's own. */
export interface AgentFormView {
  /** Identifies the form; a new form with new `values` has another id. */
  readonly id: number;
  readonly title: string;
  readonly values: AgentFormValues;
  readonly problem?: string;
  readonly test?: ConnectionTestView;
}

const maxText = 10_000;
const maxItems = 200;

const text = textUpTo(maxText);

/** Decodes the form's values from the webview. */
export const agentFormValues: Decoder<AgentFormValues> = objectOf<AgentFormValues>({
  name: text,
  command: text,
  args: listOf(text, maxItems),
  env: listOf(objectOf<AgentFormVariable>({ name: text, value: text, isSecret: flag, isKept: flag }), maxItems),
  cwd: text,
});
