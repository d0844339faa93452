import { readdir } from 'node:fs/promises';
import type { StarterView } from '../../protocol/galleryView';
import type { AgentConfiguration } from '../agents/agentSettings';
import { aboutBuiltIn, catalogue } from '../agents/catalogue';

/** The agents that an empty panel offers to a user who has none yet. */
export class Starters {
  #hasInstalled = true;

  /** @param folder of installed agents, absolute */
  constructor(
    private readonly folder: string,
    private readonly agents: () => readonly AgentConfiguration[],
    private readonly changed: () => void,
  ) {}

  /** Undefined where the user has an agent, or nobody knows yet. */
  get view(): readonly StarterView[] | undefined {
    if (this.#hasInstalled) return undefined;
    const agents = this.agents();
    // A command, or an entry with a version of its own, is the user's.
    if (agents.some(({ isDemo, source }) => !isDemo && source?.pinned !== false)) return undefined;
    return catalogue.filter(({ name }) => agents.some((agent) => agent.name === name)).map((agent) => ({ key: `builtIn:${agent.id}`, name: agent.name, about: aboutBuiltIn(agent) }));
  }

  /** Looks whether an agent is installed. */
  async refresh(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const hasInstalled = names.some((name) => !name.startsWith('.'));
    if (hasInstalled === this.#hasInstalled) return;
    this.#hasInstalled = hasInstalled;
    this.changed();
  }
}
