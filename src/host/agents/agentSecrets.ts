import type * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { secretValues } from '../platform/secretlessLog';

/** Placeholder in an entry of `parley.agents` for a variable whose value is in VS Code's secret storage. */
export const secretMark = '${secret}';

/** Secret variables of agents, stored only in VS Code's secret storage. */
export class AgentSecrets {
  readonly #usedValues = new Set<string>();

  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>) {}

  /** Values that an agent may have learnt since the window opened; logs must not contain them. */
  get used(): Iterable<string> {
    return this.#usedValues;
  }

  /** The secrets of an agent, by the name of the variable. */
  async of(agent: string): Promise<Readonly<Record<string, string>>> {
    try {
      const stored = asObject(JSON.parse((await this.secrets.get(keyOf(agent))) ?? '{}'));
      return Object.fromEntries(
        Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      );
    } catch {
      return {};
    }
  }

  /** Records values that an agent gets. */
  use(values: readonly string[]): void {
    for (const value of values) this.#usedValues.add(value);
  }

  /** Replaces all secrets of an agent. */
  async set(agent: string, values: Readonly<Record<string, string>>): Promise<void> {
    if (Object.keys(values).length === 0) await this.secrets.delete(keyOf(agent));
    else await this.secrets.store(keyOf(agent), JSON.stringify(values));
  }

  /** The variables of an agent with its secrets. @returns the name of a missing one, if there is one */
  async complete(
    agent: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly env: Readonly<Record<string, string>> } | { readonly missing: string }> {
    // A key may be in the settings, too.
    this.use(secretValues(env).filter((value) => value !== secretMark));
    const wanted = Object.entries(env).filter(([, value]) => value === secretMark);
    if (wanted.length === 0) return { env };
    const secrets = await this.of(agent);
    const missing = wanted.find(([name]) => !Object.hasOwn(secrets, name));
    if (missing) return { missing: missing[0] };
    this.use(wanted.map(([name]) => secrets[name]!));
    return { env: { ...env, ...Object.fromEntries(wanted.map(([name]) => [name, secrets[name]!])) } };
  }
}

function keyOf(agent: string): string {
  return `parley.agentSecrets.${agent}`;
}
