import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import type { IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { Judged, PathFacts } from '../../permission/assess';
import { subjectOf } from '../../permission/subject';
import { guardMatcher } from '../../review/guardedFiles';
import type { Session } from '../../thread/session';
import { checkPath, isShare, relativeTo } from '../pathPolicy';
import type { ScopeLookup } from '../sessionScope';

/** A disk that does not answer must not keep a question from the person for longer than this, in ms. */
const maxLookMs = 1_000;

export interface PermissionGateOptions {
  readonly scopes: ScopeLookup;
  /** Globs of guarded files. */
  readonly guards: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Stands between an agent's question and the person: finds out what it comes to before it is shown. */
export class PermissionGate {
  /** What is looked into now, by session: questions are shown in the order in which they were asked. */
  private readonly underWay = new WeakMap<Session, Promise<unknown>>();

  constructor(private readonly options: PermissionGateOptions) {}

  /** Answers the agent's question; see `Session.requestPermission`. */
  async request(session: Session, params: PermissionParams, token: CancellationToken): Promise<RequestPermissionResponse> {
    const { sessionId } = session;
    const before = this.underWay.get(session) ?? Promise.resolve();
    const looked = before.then(() => (session.isStopping || token.isCancellationRequested ? undefined : this.judge(session, params)));
    this.underWay.set(session, looked);
    const judged = await looked;
    // The agent was lost meanwhile: nobody waits for the answer, and nobody would take the question away again.
    if (sessionId !== undefined && session.sessionId !== sessionId) return { outcome: { outcome: 'cancelled' } };
    return session.requestPermission(params, token, judged?.assessment);
  }

  /** @returns undefined when it could not be found out in time; the question is shown without it then. */
  private async judge(session: Session, { toolCall, command }: PermissionParams): Promise<Judged | undefined> {
    const { scopes, clock, log } = this.options;
    const scope = scopes(session.id);
    if (!scope) return undefined;
    const index = toolCall && session.thread.toolCalls.get(toolCall.toolCallId);
    const entry = index === undefined ? undefined : session.thread.entries.at(index);
    const call = entry?.kind === 'toolCall' ? { ...entry, kind: entry.toolKind } : undefined;
    const subject = subjectOf(toolCall ?? (command ? { kind: 'execute' } : {}), call, command);
    const isGuarded = guardMatcher(this.options.guards());
    const look = (path: string) => lookAt(path, scope.roots, isGuarded);
    let timer: IDisposable | undefined;
    const late = new Promise<undefined>((resolve) => (timer = clock.setTimeout(() => resolve(undefined), maxLookMs)));
    try {
      const { assess } = await import('../lazy/permission');
      return await Promise.race([assess(subject, { cwd: scope.cwd, home: homedir(), dialect: process.platform === 'win32' ? 'unknown' : 'bash', look }), late]);
    } catch (error) {
      log.error(`A question of the agent is shown without what it comes to: ${String(error)}`);
      return undefined;
    } finally {
      timer?.dispose();
    }
  }
}

async function lookAt(path: string, roots: readonly string[], isGuarded: (path: string) => boolean): Promise<PathFacts> {
  const { real, inside } = await checkPath(path, roots);
  const relative = relativeTo(path, roots);
  // A share is not touched: that alone would send the person's credentials to its server.
  const exists = (inside || !isShare(path)) && (await stat(path).then(() => true, () => false));
  return { inside, exists, guarded: isGuarded(relative) || isGuarded(relativeTo(real, roots)), relative };
}
