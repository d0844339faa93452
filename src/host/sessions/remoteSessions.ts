import * as l10n from '@vscode/l10n';
import type { SessionInfo } from '../../acp/decodeSessions';
import type { Logger } from '../../base/log';
import { wantsSignIn } from '../../thread/errorCause';
import type { RunningAgent } from '../agents/agentService';

/** Pages that are asked of an agent at once; "Show more" asks for as many again. */
const pagesAtOnce = 2;

/** A session that an agent lists. */
export interface RemoteSession extends SessionInfo {
  readonly agent: string;
}

/** Names a session of an agent, also in the list. */
export function remoteKey({ agent, sessionId }: { readonly agent: string; readonly sessionId: string }): string {
  return `${agent}\u0000${sessionId}`;
}

/** What running agents list. In memory only (item 68). */
export class RemoteSessions {
  #listed: readonly RemoteSession[] = [];
  /** Where the next page begins, by agent. */
  readonly #cursors = new Map<string, string>();
  #trouble: string | undefined;

  constructor(
    private readonly agentNamed: (name: string) => RunningAgent | undefined,
    private readonly log: Logger,
  ) {}

  get list(): readonly RemoteSession[] {
    return this.#listed;
  }

  get hasMore(): boolean {
    return this.#cursors.size > 0;
  }

  /** Why an agent could not list its sessions. */
  get problem(): string | undefined {
    return this.#trouble;
  }

  find(key: string): RemoteSession | undefined {
    return this.#listed.find((item) => remoteKey(item) === key);
  }

  clear(): void {
    this.#listed = [];
    this.#cursors.clear();
    this.#trouble = undefined;
  }

  /** The agent has changed, or deleted, one of them. */
  replace(key: string, fields: Partial<SessionInfo> | undefined): void {
    this.#listed = this.#listed.flatMap((item) => (remoteKey(item) !== key ? [item] : fields ? [{ ...item, ...fields }] : []));
  }

  /** Asks agents for their first pages. @param cwd only sessions of that folder */
  async load(agents: readonly string[], cwd: string): Promise<void> {
    await Promise.all(agents.map((agent) => this.#loadFrom(agent, cwd)));
  }

  /** Asks for the pages that follow. */
  async more(cwd: string): Promise<void> {
    await this.load([...this.#cursors.keys()], cwd);
  }

  async #loadFrom(name: string, cwd: string): Promise<void> {
    const agent = this.agentNamed(name);
    if (!agent) return;
    let cursor = this.#cursors.get(name);
    try {
      for (let page = 0; page < pagesAtOnce; page++) {
        const { sessions, nextCursor } = await agent.connection.listSessions(cwd, cursor, agent.features.archive);
        // What is listed twice is as the agent says last, its folders too (item 69).
        const listed = new Map([...this.#listed, ...sessions.map((item) => ({ ...item, agent: name }))].map((item) => [remoteKey(item), item]));
        this.#listed = [...listed.values()];
        cursor = nextCursor;
        if (cursor === undefined) break;
        this.#cursors.set(name, cursor);
      }
      if (cursor === undefined) this.#cursors.delete(name);
    } catch (error) {
      this.#cursors.delete(name);
      this.log.warn(`${name}: session/list failed: ${String(error)}`);
      this.#trouble = wantsSignIn(error) ? l10n.t('Sign in to see the sessions of {0}.', name) : l10n.t('{0} could not list its sessions: {1}', name, error instanceof Error ? error.message : String(error));
    }
  }
}
