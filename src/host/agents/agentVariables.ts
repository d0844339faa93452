/** The source of values for variables in `parley.agents`. */
export interface AgentVariables {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The first folder of the workspace; undefined without one. */
  readonly workspaceFolder: string | undefined;
}

/**
 * An entry of `parley.agents` with its variables replaced: `${env:NAME}`, `${userHome}` and `${workspaceFolder}`, in
 * the command, the arguments, the variables and the folder. Other text with a dollar stays, since shells use it, too.
 * An unset environment variable is empty, as elsewhere in VS Code.
 */
export function expandEntry(entry: unknown, variables: AgentVariables): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  const texts = new Set(['command', 'args', 'env', 'cwd']);
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]: [string, unknown]) => [
      key,
      texts.has(key) ? expand(value, variables) : value,
    ]),
  );
}

function expand(value: unknown, variables: AgentVariables): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\$\{(?:(userHome|workspaceFolder)|env:([A-Za-z_][A-Za-z0-9_]*))\}/g,
      (whole, name: 'userHome' | 'workspaceFolder' | undefined, variable: string) =>
        name === undefined ? (variables.env[variable] ?? '') : (variables[name] ?? whole),
    );
  if (Array.isArray(value)) return value.map((item) => expand(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(item, variables)]));
}
