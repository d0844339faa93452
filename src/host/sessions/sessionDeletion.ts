import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { asObject, stringOf } from '../../base/decode';
import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { deletedKey, type SessionIndex } from './sessionIndex';
import { titleOf } from './sessionItems';
import type { SessionService } from './sessionService';

/** How long deleted sessions can be had back. */
export const undoMs = 15_000;

/** A session of the list that is deleted. */
export interface DeletedSession {
  readonly key: string;
  readonly agent: string;
  readonly title: string;
  /** Of one that only its agent has. */
  readonly remoteId?: string;
}

export interface SessionDeletionOptions {
  readonly sessions: Pick<SessionService, 'delete' | 'find' | 'runningAgentNamed'>;
  readonly index: SessionIndex;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Deletes sessions for good: when the time for Undo is over, when the window closes, or at the next start. Here first,
 * then at the agent: what an agent refuses costs only its own copy.
 */
export class SessionDeletion extends Disposable {
  #undoable: readonly DeletedSession[] = [];
  /** On disk, so that no end of the window keeps what the user has deleted. */
  #marked: readonly DeletedSession[];
  #timer: IDisposable | undefined;
  #trouble: string | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #deleteEmitter = this.register(new Emitter<string>());
  readonly onDidChange = this.#changeEmitter.event;
  /** A session that only its agent had is deleted; its key. */
  readonly onDidDeleteAtAgent = this.#deleteEmitter.event;

  constructor(private readonly options: SessionDeletionOptions) {
    super();
    const saved = options.state.get<unknown>(deletedKey);
    this.#marked = (Array.isArray(saved) ? (saved as unknown[]) : []).flatMap((raw) => decodeMark(raw) ?? []);
  }

  /** Those that can still be had back. */
  get list(): readonly DeletedSession[] {
    return this.#undoable;
  }

  /** What could not be deleted last. */
  get problem(): string | undefined {
    return this.#trouble;
  }

  /** The user has read it. */
  dismiss(): void {
    this.#trouble = undefined;
  }

  /** Sessions that are deleted in quick succession share one Undo, and each deletion restarts its time. */
  add(
    keys: readonly string[],
    remote: (key: string) => { readonly agent: string; readonly sessionId: string; readonly title: string } | undefined,
  ): void {
    const { index, sessions, clock } = this.options;
    const added = keys.map((key): DeletedSession => {
      const there = remote(key);
      if (there) return { key, agent: there.agent, title: there.title, remoteId: there.sessionId };
      const record = index.get(key);
      return { key, agent: record?.agent ?? '', title: record ? titleOf(record, sessions.find(key)) : '' };
    });
    for (const { key } of added) index.hide(key, true);
    this.#undoable = byKey([...this.#undoable, ...added]);
    this.#mark([...this.#marked, ...added]);
    this.#timer?.dispose();
    this.#timer = clock.setTimeout(() => void this.#carryOut(this.#take()), undoMs);
    this.#changeEmitter.fire();
  }

  /** Brings back what was deleted last. */
  undo(): void {
    for (const session of this.#take()) this.#drop(session);
    this.#changeEmitter.fire();
  }

  /** Carries out what an earlier window left. */
  async resume(): Promise<void> {
    await this.#carryOut(this.#left.filter(({ remoteId }) => remoteId === undefined));
  }

  /**
   * Carries out what an earlier window left at agents that run now.
   * @param isListed whether its agent has it; undefined where that is not known
   */
  async resumeAtAgents(isListed: (session: DeletedSession) => boolean | undefined): Promise<void> {
    const left = this.#left.filter(
      ({ agent, remoteId }) => remoteId !== undefined && this.options.sessions.runningAgentNamed(agent),
    );
    for (const session of left) if (isListed(session) === false) this.#drop(session);
    await this.#carryOut(left.filter((session) => isListed(session) === true));
  }

  /** The window closes. What this does not finish is done at the next start. */
  async close(): Promise<void> {
    await this.#carryOut(this.#take());
  }

  override dispose(): void {
    this.#timer?.dispose();
    super.dispose();
  }

  get #left(): readonly DeletedSession[] {
    return this.#marked.filter((session) => !this.#undoable.includes(session));
  }

  #take(): readonly DeletedSession[] {
    const taken = this.#undoable;
    this.#undoable = [];
    this.#timer?.dispose();
    this.#timer = undefined;
    return taken;
  }

  async #carryOut(sessions: readonly DeletedSession[]): Promise<void> {
    // All are begun at once: the window may be closing.
    await Promise.all(
      sessions.map((session) =>
        session.remoteId === undefined ? this.#delete(session) : this.#deleteRemote(session, session.remoteId),
      ),
    );
    if (sessions.length > 0) this.#changeEmitter.fire();
  }

  async #delete(deleted: DeletedSession): Promise<void> {
    const { sessions, index } = this.options;
    const remoteId = index.get(deleted.key)?.remoteId;
    const agent = sessions.runningAgentNamed(deleted.agent);
    try {
      await sessions.delete(deleted.key, deleted);
      this.#drop(deleted);
    } catch (error) {
      this.#fail(
        l10n.t(
          '“{0}” was not deleted completely: {1} Parley tries again at the next start.',
          deleted.title,
          reasonOf(error),
        ),
      );
    }
    if (!agent?.features.delete || remoteId === undefined) return;
    try {
      await agent.connection.deleteSession(remoteId);
    } catch (error) {
      this.#fail(
        l10n.t(
          '“{0}” was deleted here. {1} did not delete its copy: {2}',
          deleted.title,
          deleted.agent,
          reasonOf(error),
        ),
      );
    }
  }

  async #deleteRemote(deleted: DeletedSession, remoteId: string): Promise<void> {
    const agent = this.options.sessions.runningAgentNamed(deleted.agent);
    try {
      if (!agent) this.#fail(l10n.t('“{0}” was not deleted because {1} is not running.', deleted.title, deleted.agent));
      await agent?.connection.deleteSession(remoteId);
      if (agent) this.#deleteEmitter.fire(deleted.key);
    } catch (error) {
      this.#fail(l10n.t('{0} could not delete the session: {1}', deleted.agent, reasonOf(error)));
    }
    this.#drop(deleted);
  }

  /** It is deleted, or it is not going to be. */
  #drop({ key }: DeletedSession): void {
    this.#mark(this.#marked.filter((session) => session.key !== key));
    this.options.index.hide(key, false);
  }

  #mark(marked: readonly DeletedSession[]): void {
    this.#marked = byKey(marked);
    void this.options.state.update(deletedKey, this.#marked.length === 0 ? undefined : this.#marked);
  }

  #fail(problem: string): void {
    this.#trouble = problem;
    this.options.log.warn(problem);
    this.#changeEmitter.fire();
  }
}

function byKey(sessions: readonly DeletedSession[]): readonly DeletedSession[] {
  return [...new Map(sessions.map((session) => [session.key, session])).values()];
}

function decodeMark(raw: unknown): DeletedSession | undefined {
  const value = asObject(raw);
  const [key, remoteId] = [stringOf(value['key']), stringOf(value['remoteId'])];
  return key === undefined
    ? undefined
    : {
        key,
        agent: stringOf(value['agent']) ?? '',
        title: stringOf(value['title']) ?? '',
        ...(remoteId === undefined ? {} : { remoteId }),
      };
}

function reasonOf(error: unknown): string {
  return messageOf(error);
}
