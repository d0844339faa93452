import type * as vscode from 'vscode';
import { entryNamed } from '../agents/agentEntries';
import type { AgentConfiguration } from '../agents/agentSettings';

/** Names of agents with a pinned version. */
const pinnedKey = 'parley.gallery.pinned';
/** Entries of earlier versions, by name and version, for going back. */
const earlierKey = 'parley.gallery.earlierEntries';

type Entries = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Data about versions of agents besides their files: pinned names, and earlier entries. */
export class KeptVersions {
  /** @param state outlives the window */
  constructor(private readonly state: vscode.Memento) {}

  isPinned(name: string): boolean {
    return this.#pinned().includes(name);
  }

  async setPinned(name: string, isPinned: boolean): Promise<void> {
    const others = this.#pinned().filter((other) => other !== name);
    await this.state.update(pinnedKey, isPinned ? [...others, name] : others);
  }

  /** The entry of `parley.agents` that an agent had in a version. */
  entryOf(name: string, version: string): object | undefined {
    return this.#entries()[name]?.[version];
  }

  /** Stores the entry of the replaced version, to which the user may go back. */
  async keep(name: string, { source }: AgentConfiguration): Promise<void> {
    const entry = entryNamed(name);
    if (!source || !entry) return;
    // Two versions are stored, so two entries are enough. A version such as "7" is not the last key of an object.
    const others = Object.entries(this.#entries()[name] ?? {}).filter(([version]) => version !== source.version);
    const kept = Object.fromEntries([...others.slice(-1), [source.version, entry]]);
    await this.state.update(earlierKey, { ...this.#entries(), [name]: kept });
  }

  /** Forgets a removed agent. */
  async forget(name: string): Promise<void> {
    await this.setPinned(name, false);
    await this.state.update(
      earlierKey,
      Object.fromEntries(Object.entries(this.#entries()).filter(([other]) => other !== name)),
    );
  }

  #pinned(): readonly string[] {
    return this.state.get<readonly string[]>(pinnedKey, []);
  }

  #entries(): Entries {
    return this.state.get<Entries>(earlierKey, {});
  }
}
