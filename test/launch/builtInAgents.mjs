import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * The agents that Parley offers by itself.
 * @returns {{ id: string, name: string, package: string, version: string, locked: boolean }[]}
 */
export function builtInAgents() {
  return JSON.parse(readFileSync(join(root, 'src/host/agents/catalogue.json'), 'utf8'));
}
