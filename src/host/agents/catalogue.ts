import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import builtIn from './catalogue.json';

/** A built-in agent. */
export interface BuiltInAgent {
  /** The name of its folder in the store and of its lockfile `media/agents/<id>.lock.json`. */
  readonly id: string;
  /** Its name for users. */
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
   * Parley ships its lockfile. Else npm makes one from the exact version at the installation, which is stored with it.
   */
  readonly locked: boolean;
}

export const catalogue: readonly BuiltInAgent[] = builtIn;

/** One line for the gallery. */
export function aboutBuiltIn({ maker }: BuiltInAgent): string {
  return maker === undefined ? l10n.t('Open-source coding agent for many models') : l10n.t('{0}’s coding agent', maker);
}

/** The icons of the built-in agents by name: SVG, base64. @param folder `media/agents` of the extension */
export async function builtInIcons(folder: string): Promise<Readonly<Record<string, string>>> {
  const icons = await Promise.all(
    catalogue.map(
      async ({ id, name }) => [name, await readFile(path.join(folder, `${id}.svg`), 'base64').catch(() => '')] as const,
    ),
  );
  return Object.fromEntries(icons.filter(([, icon]) => icon !== ''));
}
