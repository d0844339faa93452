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

/** @returns undefined for anything that is not what the form sends. */
export function decodeAgentForm(raw: unknown): AgentFormValues | undefined {
  if (!isRecord(raw)) return undefined;
  const { name, command, args, env, cwd } = raw;
  if (!isText(name) || !isText(command) || !isText(cwd) || !Array.isArray(args) || !Array.isArray(env) || args.length > maxItems || env.length > maxItems) return undefined;
  if (!args.every(isText) || !env.every(isVariable)) return undefined;
  return { name, command, cwd, args, env: env.map((item) => ({ name: item.name, value: item.value, isSecret: item.isSecret, isKept: item.isKept })) };
}

function isVariable(value: unknown): value is AgentFormVariable {
  return isRecord(value) && isText(value['name']) && isText(value['value']) && typeof value['isSecret'] === 'boolean' && typeof value['isKept'] === 'boolean';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
