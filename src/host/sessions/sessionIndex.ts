import type * as vscode from 'vscode';
import { asObject, numberOf, stringOf } from '../../acp/json';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';

/** What is known of a session without reading its transcript. `id` is ours, `remoteId` the agent's. Times are epoch milliseconds. */
export interface SessionRecord {
  readonly id: string;
  /** Key of `parley.agents`. */
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From the agent, or the first words of the person. */
  readonly title?: string;
  /** What the person calls it; goes before `title`. */
  readonly ownTitle?: string;
  readonly remoteId?: string;
  /** When the agent opened `remoteId`. */
  readonly remoteSince?: number;
}

const prefix = 'parley.session.';

/**
 * The sessions of this workspace, newest first: those that have a transcript here. It also holds sessions of agents
 * that cannot list their own. One key for each, so that two windows of the same folder add to each other's.
 */
export class SessionIndex extends Disposable {
  private readonly changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly state: vscode.Memento) {
    super();
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

  /** Adds or replaces. */
  put(record: SessionRecord): void {
    void this.state.update(prefix + record.id, record);
    this.changeEmitter.fire();
  }

  /** Changes some fields of a session that is there; nothing for one that is not. */
  patch(id: string, fields: { readonly [K in keyof Omit<SessionRecord, 'id'>]?: SessionRecord[K] | undefined }): void {
    const record = this.get(id);
    if (record) this.put({ ...record, ...fields } as SessionRecord);
  }

  remove(id: string): void {
    void this.state.update(prefix + id, undefined);
    this.changeEmitter.fire();
  }
}

/** Stored values may be of another version, or damaged. */
function decodeRecord(id: string, raw: unknown): SessionRecord | undefined {
  const value = asObject(raw);
  const agent = stringOf(value['agent']);
  const cwd = stringOf(value['cwd']);
  if (agent === undefined || cwd === undefined) return undefined;
  const text = (key: 'title' | 'ownTitle' | 'remoteId') => {
    const found = stringOf(value[key]);
    return found === undefined ? {} : { [key]: found };
  };
  const remoteSince = numberOf(value['remoteSince']);
  return {
    id,
    agent,
    cwd,
    createdAt: numberOf(value['createdAt']) ?? 0,
    updatedAt: numberOf(value['updatedAt']) ?? 0,
    ...text('title'),
    ...text('ownTitle'),
    ...text('remoteId'),
    ...(remoteSince === undefined ? {} : { remoteSince }),
  };
}
