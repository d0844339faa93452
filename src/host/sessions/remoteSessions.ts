import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';
import type { SessionInfo } from '../../acp/decodeSessions';
import type { Logger } from '../../base/log';
import { wantsSignIn } from '../../thread/errorCause';
import type { RunningAgent } from '../agents/agentService';
import { systemClock } from '../platform/clock';
import { remoteKey } from './sessionIndex';

/** Pages that are asked of an agent at once; "Show more" asks for as many again. */
const pagesAtOnce = 2;

/** A session that an agent lists. */
export interface RemoteSession extends SessionInfo {
  readonly agent: string;
}

/** What one opening of the list asks of agents. What comes for an earlier one is too late. */
interface Round {
  /** Only sessions of this folder. */
  readonly cwd: string;
  /** Agents that are being asked. */
  readonly asked: Set<string>;
  /** What was changed or deleted at an agent, in order: a page that was asked for before does not know it. */
  readonly changes: { readonly key: string; readonly fields: Partial<SessionInfo> | undefined }[];
}

/** What running agents list. In memory only (item 68). */
export class RemoteSessions {
  #listed: readonly RemoteSession[] = [];
  /** Where the next page begins, by agent. */
  readonly #cursors = new Map<string, string>();
  #trouble: string | undefined;
  #round: Round | undefined;

  /** @param changed a page has come, or is being asked for */
  constructor(
    private readonly agentNamed: (name: string) => RunningAgent | undefined,
    private readonly log: Logger,
    private readonly changed: () => void,
  ) {}

  get list(): readonly RemoteSession[] {
    return this.#listed;
  }

  get hasMore(): boolean {
    return this.#cursors.size > 0;
  }

  get isLoading(): boolean {
    return this.#round !== undefined && this.#round.asked.size > 0;
  }

  /** Why an agent could not list its sessions. */
  get problem(): string | undefined {
    return this.#trouble;
  }

  find(key: string): RemoteSession | undefined {
    return this.#listed.find((item) => remoteKey(item) === key);
  }

  /** The agent has changed, or deleted, one of them. */
  replace(key: string, fields: Partial<SessionInfo> | undefined): void {
    this.#round?.changes.push({ key, fields });
    this.#listed = changedBy(this.#listed, [{ key, fields }]);
  }

  /** Begins anew with the first pages of agents. @param cwd only sessions of that folder */
  async load(agents: readonly string[], cwd: string): Promise<void> {
    this.#listed = [];
    this.#cursors.clear();
    this.#trouble = undefined;
    const round = (this.#round = { cwd, asked: new Set<string>(), changes: [] });
    await this.#ask(agents, round);
  }

  /** Asks for the pages that follow. */
  async more(): Promise<void> {
    if (this.#round) await this.#ask([...this.#cursors.keys()], this.#round);
  }

  async #ask(agents: readonly string[], round: Round): Promise<void> {
    const asked = agents.filter((agent) => !round.asked.has(agent)).map((agent) => this.#loadFrom(agent, round));
    this.changed();
    await Promise.all(asked);
  }

  async #loadFrom(name: string, round: Round): Promise<void> {
    const agent = this.agentNamed(name);
    if (!agent) return;
    round.asked.add(name);
    let cursor = this.#cursors.get(name);
    try {
      for (let page = 0; page < pagesAtOnce; page++) {
        const { length } = round.changes;
        const { sessions, nextCursor } = await agent.connection.listSessions(round.cwd, cursor, agent.features.archive);
        if (round !== this.#round) return;
        const came = changedBy(
          sessions.map((item) => ({ ...withRealTime(item), agent: name })),
          round.changes.slice(length),
        );
        // What is listed twice is as the agent says last, its folders too (item 69).
        this.#listed = [...new Map([...this.#listed, ...came].map((item) => [remoteKey(item), item])).values()];
        cursor = nextCursor;
        if (cursor === undefined) break;
        this.#cursors.set(name, cursor);
      }
      if (cursor === undefined) this.#cursors.delete(name);
    } catch (error) {
      if (round !== this.#round) return;
      this.#cursors.delete(name);
      this.log.warn(`${name}: session/list failed: ${String(error)}`);
      this.#trouble = wantsSignIn(error)
        ? l10n.t('Sign in to see the sessions of {0}.', name)
        : l10n.t('{0} could not list its sessions: {1}', name, messageOf(error));
    } finally {
      round.asked.delete(name);
      if (round === this.#round) this.changed();
    }
  }
}

/** Some agents give a time that is none: that of 1970, or one to come. Clocks may differ a little. */
function withRealTime({ updatedAt, ...info }: SessionInfo): SessionInfo {
  const isReal = updatedAt !== undefined && updatedAt >= FIRST_TIME && updatedAt < systemClock.now() + DAY_MS;
  return isReal ? { ...info, updatedAt } : info;
}

/** No agent was written before 2020. Epoch ms. */
const FIRST_TIME = Date.UTC(2020, 0);
const DAY_MS = 86_400_000;

function changedBy(list: readonly RemoteSession[], changes: Round['changes']): readonly RemoteSession[] {
  return changes.reduce(
    (items, { key, fields }) =>
      items.flatMap((item) => (remoteKey(item) !== key ? [item] : fields ? [{ ...item, ...fields }] : [])),
    list,
  );
}
