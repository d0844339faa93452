import type * as vscode from 'vscode';
import { type IDisposable, toDisposable } from '../../base/lifecycle';
import { type AgentConfiguration, type AgentSettings, readAgents } from './agentSettings';
import { defaultAgentName, lastAgentKey } from './defaultAgent';

/** The agents that can be used as the settings are now, and the one that new workspaces begin with. */
export class ConfiguredAgents {
  /** @param lasting outlives the window and is the same in all windows */
  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly lasting: vscode.Memento,
  ) {}

  /** Agents of other extensions, for this window. */
  readonly #registered = new Map<string, AgentConfiguration>();

  readonly all = (): readonly AgentConfiguration[] => {
    const { agents } = this.#read();
    const others = [...this.#registered.values()].filter(({ name }) => !agents.some((agent) => agent.name === name));
    return [...agents, ...others];
  };

  /** Adds an agent of another extension until it is disposed. One of the settings with its name comes before it. */
  register(agent: AgentConfiguration): IDisposable {
    this.#registered.set(agent.name, agent);
    return toDisposable(() => this.#registered.get(agent.name) === agent && this.#registered.delete(agent.name));
  }

  /** Unusable entries of `parley.agents`, and why. */
  get problems(): AgentSettings['problems'] {
    return this.#read().problems;
  }

  named(name: string): AgentConfiguration | undefined {
    return this.all().find((agent) => agent.name === name);
  }

  /** Why the entry with this name is unusable; undefined if it is not. */
  readonly problemOf = (name: string): string | undefined =>
    this.problems.find((problem) => problem.name === name)?.text;

  /** The agent that a workspace begins with; "" if there is none. */
  get initial(): string {
    const last = this.lasting.get<string>(lastAgentKey);
    return defaultAgentName(last !== undefined && this.named(last) ? last : undefined);
  }

  /** The user has selected an agent: new workspaces begin with it. */
  async select(name: string): Promise<void> {
    await this.lasting.update(lastAgentKey, name);
  }

  #read(): AgentSettings {
    return readAgents(this.extensionUri);
  }
}
