import * as l10n from '@vscode/l10n';
import builtIn from './catalogue.json';

/** An agent that Parley offers by itself. */
export interface BuiltInAgent {
  /** Names its folder in the store and its lockfile `media/agents/<id>.lock.json`. */
  readonly id: string;
  /** What users choose it by. */
  readonly name: string;
  /** The company whose coding agent it is. */
  readonly maker?: string;
  /** Its ids in the index of agents. */
  readonly registry: readonly string[];
  readonly package: string;
  /** Exact. */
  readonly version: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Its lockfile is shipped. Else npm makes one from the exact version when it is installed, and it is kept with it.
   */
  readonly locked: boolean;
}

export const catalogue: readonly BuiltInAgent[] = builtIn;

/** One line for the gallery. */
export function aboutBuiltIn({ maker }: BuiltInAgent): string {
  return maker === undefined ? l10n.t('Open-source coding agent for many models') : l10n.t('{0}’s coding agent', maker);
}
