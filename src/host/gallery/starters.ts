import { readdir } from 'node:fs/promises';
import type { StarterView } from '../../protocol/galleryView';
import type { AgentConfiguration } from '../agents/agentSettings';
import { aboutBuiltIn, catalogue } from '../agents/catalogue';

export interface StartersOptions {
  /** Of installed agents, absolute. */
  readonly folder: string;
  readonly agents: () => readonly AgentConfiguration[];
  /** Reads the icons of the built-in agents, by name. */
  readonly readIcons: () => Promise<Readonly<Record<string, string>>>;
  readonly changed: () => void;
}

/** The agents that an empty panel offers to a user who has none yet, and the icons of the built-in ones. */
export class Starters {
  #hasInstalled = true;
  #icons: Readonly<Record<string, string>> | undefined;

  constructor(private readonly options: StartersOptions) {}

  /** Undefined if the user has an agent, or if that is not known yet. */
  get view(): readonly StarterView[] | undefined {
    if (this.#hasInstalled) return undefined;
    const agents = this.options.agents();
    // A command, or an entry with its own version, was added by the user.
    if (agents.some(({ isDemo, source }) => !isDemo && source?.pinned !== false)) return undefined;
    return catalogue
      .filter(({ name }) => agents.some((agent) => agent.name === name))
      .map((agent) => {
        const icon = this.#icons?.[agent.name];
        return {
          key: `builtIn:${agent.id}`,
          name: agent.name,
          about: aboutBuiltIn(agent),
          ...(icon === undefined ? {} : { icon }),
        };
      });
  }

  /** By name; undefined until they are read. */
  get icons(): Readonly<Record<string, string>> | undefined {
    return this.#icons;
  }

  /** Checks whether an agent is installed. */
  async refresh(): Promise<void> {
    const [names, icons] = await Promise.all([
      readdir(this.options.folder).catch(() => []),
      this.#icons ?? this.options.readIcons(),
    ]);
    const hasInstalled = names.some((name) => !name.startsWith('.'));
    if (hasInstalled === this.#hasInstalled && icons === this.#icons) return;
    this.#icons ??= icons;
    this.#hasInstalled = hasInstalled;
    this.options.changed();
  }
}
