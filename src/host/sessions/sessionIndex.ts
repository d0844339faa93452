import type * as vscode from 'vscode';
import { asObject, numberOf, stringOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';

/** What the user has said of a session in the list. */
export interface SessionMarks {
  /** Goes before any other title. */
  readonly ownTitle?: string;
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
}

/**
 * What is known of a session without reading its transcript. `id` is ours, `remoteId` the agent's. Times are epoch
 * milliseconds.
 */
export interface SessionRecord extends SessionMarks {
  readonly id: string;
  /** Key of `parley.agents`. */
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** A folder outside of the workspace, links resolved, in which the user lets the agent work. */
  readonly agreedFolder?: string;
  /** From the agent, or the first words of the user. */
  readonly title?: string;
  readonly remoteId?: string;
  /** When the agent opened `remoteId`. */
  readonly remoteSince?: number;
  /** The agent's id of the session that this one is to be a fork of, as long as the agent has not made it. */
  readonly forkOf?: string;
  /** Tokens and cost, if its agent reports them, as they were stored; see `decodeTotals`. */
  readonly usage?: unknown;
}

/** Names a session of an agent, also in the list. */
export function remoteKey({ agent, sessionId }: { readonly agent: string; readonly sessionId: string }): string {
  return `${agent}\u0000${sessionId}`;
}

/** Where `SessionDeletion` keeps what the user has deleted and is not deleted yet. */
export const deletedKey = 'parley.deletedSessions';

const prefix = 'parley.session.';
/** Marks of sessions that only their agent has; followed by agent and id. */
const marksPrefix = 'parley.sessionMarks.';

/**
 * The sessions of this workspace, newest first: those that have a transcript here. It also holds sessions of agents
 * that cannot list their own. One key for each, so that two windows of the same folder add to each other's.
 */
export class SessionIndex extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<string>());
  /** What is known of a session is another; its id, or `remoteKey` of one that only its agent has. */
  readonly onDidChange = this.#changeEmitter.event;

  /** Sessions that the user has deleted and that are not deleted yet. */
  readonly #hidden: Set<string>;

  constructor(private readonly state: vscode.Memento) {
    super();
    const deleted = state.get<unknown>(deletedKey);
    this.#hidden = new Set(
      (Array.isArray(deleted) ? (deleted as unknown[]) : []).flatMap((raw) => stringOf(asObject(raw)['key']) ?? []),
    );
  }

  /** Whether a session has still to be deleted. */
  get hasHidden(): boolean {
    return this.#hidden.size > 0;
  }

  get(id: string): SessionRecord | undefined {
    return decodeRecord(id, this.state.get(prefix + id));
  }

  list(): readonly SessionRecord[] {
    const ids = this.state.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    return ids.flatMap((id) => this.get(id) ?? []).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** The session of an agent that we know under an id of ours. */
  findRemote(agent: string, remoteId: string): SessionRecord | undefined {
    return this.list().find((record) => record.agent === agent && record.remoteId === remoteId);
  }

  isHidden(id: string): boolean {
    return this.#hidden.has(id);
  }

  hide(id: string, hidden: boolean): void {
    if (hidden) this.#hidden.add(id);
    else this.#hidden.delete(id);
    this.#changeEmitter.fire(id);
  }

  /** What the user has said of a session that only its agent has. */
  marksOf(agent: string, remoteId: string): SessionMarks {
    return decodeMarks(asObject(this.state.get(marksKey(agent, remoteId))));
  }

  /** Changes some marks of a session that only its agent has; `undefined` takes one away. */
  mark(agent: string, remoteId: string, fields: SessionMarkFields): void {
    const marks = withoutAbsent({ ...this.marksOf(agent, remoteId), ...fields });
    void this.state.update(marksKey(agent, remoteId), Object.keys(marks).length === 0 ? undefined : marks);
    this.#changeEmitter.fire(remoteKey({ agent, sessionId: remoteId }));
  }

  /** Adds or replaces. */
  put(record: SessionRecord): void {
    void this.state.update(prefix + record.id, record);
    this.#changeEmitter.fire(record.id);
  }

  /** Changes some fields of a session that is there; nothing for one that is not. */
  patch(id: string, fields: { readonly [K in keyof Omit<SessionRecord, 'id'>]?: SessionRecord[K] | undefined }): void {
    const record = this.get(id);
    if (record) this.put(withoutAbsent({ ...record, ...fields }) as SessionRecord);
  }

  remove(id: string): void {
    void this.state.update(prefix + id, undefined);
    this.#changeEmitter.fire(id);
  }
}

/** Marks to change; `undefined` takes one away. */
export type SessionMarkFields = { readonly [Key in keyof SessionMarks]?: SessionMarks[Key] | undefined };

function decodeMarks(value: JsonObject): SessionMarks {
  const ownTitle = stringOf(value['ownTitle']);
  return {
    ...(ownTitle === undefined ? {} : { ownTitle }),
    ...(value['isPinned'] === true ? { isPinned: true } : {}),
    ...(value['isArchived'] === true ? { isArchived: true } : {}),
  };
}

function marksKey(agent: string, remoteId: string): string {
  return `${marksPrefix}${JSON.stringify([agent, remoteId])}`;
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Stored values may be of another version, or damaged. */
function decodeRecord(id: string, raw: unknown): SessionRecord | undefined {
  const value = asObject(raw);
  const agent = stringOf(value['agent']);
  const cwd = stringOf(value['cwd']);
  if (agent === undefined || cwd === undefined) return undefined;
  const text = (key: 'title' | 'remoteId' | 'forkOf' | 'agreedFolder') => {
    const found = stringOf(value[key]);
    return found === undefined ? {} : { [key]: found };
  };
  const remoteSince = numberOf(value['remoteSince']);
  const { usage } = value;
  return {
    id,
    agent,
    cwd,
    createdAt: numberOf(value['createdAt']) ?? 0,
    updatedAt: numberOf(value['updatedAt']) ?? 0,
    ...text('title'),
    ...decodeMarks(value),
    ...text('remoteId'),
    ...text('forkOf'),
    ...text('agreedFolder'),
    ...(remoteSince === undefined ? {} : { remoteSince }),
    ...(usage === undefined ? {} : { usage }),
  };
}
