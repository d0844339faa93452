import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import type { IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { Judged, PathFacts } from '../../permission/assess';
import type { PermissionRule } from '../../permission/decodeRules';
import { hasDots } from '../../permission/paths';
import type { RuleDecision } from '../../permission/rules';
import { type PermissionSubject, subjectOf } from '../../permission/subject';
import type { SuggestedRule } from '../../permission/suggestRules';
import { guardMatcher } from '../../review/guardedFiles';
import type { Session } from '../../thread/session';
import { asOpened, checkPath, isShare, relativeTo, withoutDots } from '../files/pathPolicy';
import type { ScopeLookup } from '../sessions/sessionScope';
import { folderReader } from './folderContents';
import type { PermissionHistory, PermissionRecord } from './permissionHistory';

/** A disk that does not answer must not keep a question from the person for longer than this, in ms. */
const maxLookMs = 1_000;

export interface PermissionGateOptions {
  readonly scopes: ScopeLookup;
  /** Globs of the files that are guarded in a folder. */
  readonly guards: (folder: string) => readonly string[];
  readonly rules: () => readonly PermissionRule[];
  /** False in Restricted Mode. */
  readonly isTrusted: () => boolean;
  readonly history: Pick<PermissionHistory, 'add'>;
  readonly titleOf: (session: Session) => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Stands between an agent's question and the person: finds out what it comes to before it is shown, and lets the person's rules answer it. */
export class PermissionGate {
  /** What is looked into now, by session: questions are shown in the order in which they were asked. */
  private readonly underWay = new WeakMap<Session, Promise<unknown>>();

  constructor(private readonly options: PermissionGateOptions) {}

  /** Answers the agent's question; see `Session.requestPermission`. */
  async request(session: Session, params: PermissionParams, token: CancellationToken): Promise<RequestPermissionResponse> {
    const { sessionId } = session;
    const before = this.underWay.get(session) ?? Promise.resolve();
    const looked = before.then(() => (session.isStopping || token.isCancellationRequested ? undefined : this.judge(session, this.subjectOf(session, params))));
    this.underWay.set(session, looked);
    const judged = await looked;
    // The agent was lost meanwhile: nobody waits for the answer, and nobody would take the question away again.
    if (sessionId !== undefined && session.sessionId !== sessionId) return { outcome: { outcome: 'cancelled' } };
    const decision = judged && !session.isStopping && !token.isCancellationRequested ? await this.decide(session, params, judged) : undefined;
    if (decision) {
      this.record(session, params, judged, { answer: decision.choice.name, allowed: decision.choice.kind === 'allow_once', by: 'rule', rules: decision.rules });
      return session.answerPermission(params, decision.choice, decision.rules);
    }
    const response = await session.requestPermission(params, token, judged?.assessment);
    const { outcome } = response;
    const choice = outcome.outcome === 'selected' ? params.options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
    const by = choice ? 'person' : token.isCancellationRequested ? 'agent' : session.isStopping ? 'stop' : 'end';
    this.record(session, params, judged, { answer: choice?.name ?? '', allowed: choice?.kind.startsWith('allow') === true, by });
    return response;
  }

  /** Rules that would have answered a question which waits; undefined when it does not wait any more. */
  async suggest(session: Session, requestId: string): Promise<readonly SuggestedRule[] | undefined> {
    const waiting = session.thread.waiting.find((item) => item.requestId === requestId);
    const call = waiting && session.thread.entries.at(waiting.index);
    const permission = call?.kind === 'toolCall' ? call.permissions.find((item) => item.requestId === requestId) : undefined;
    const judged = call?.kind === 'toolCall' && permission ? await this.judge(session, subjectOf({ ...call, kind: call.toolKind }, undefined, permission.command)) : undefined;
    return judged && (await import('../lazy/permission')).suggestRules(judged);
  }

  private async decide(session: Session, { options }: PermissionParams, judged: Judged): Promise<RuleDecision | undefined> {
    const rules = this.options.rules();
    const agent = this.options.scopes(session.id)?.agent;
    if (rules.length === 0 || agent === undefined) return undefined;
    return (await import('../lazy/permission')).decide(rules, judged, agent, options, this.options.isTrusted());
  }

  private record(session: Session, { toolCall, title, command }: PermissionParams, judged: Judged | undefined, answer: Pick<PermissionRecord, 'answer' | 'allowed' | 'by' | 'rules'>): void {
    const { scopes, clock, history, titleOf } = this.options;
    const what = judged?.subject.command?.text ?? command?.text ?? (title || toolCall?.title || (judged?.files ?? []).join(', ') || 'Permission');
    history.add({ at: clock.now(), agent: scopes(session.id)?.agent ?? '', session: titleOf(session), what, ...answer });
  }

  private subjectOf(session: Session, { toolCall, command }: PermissionParams): PermissionSubject {
    const index = toolCall && session.thread.toolCalls.get(toolCall.toolCallId);
    const entry = index === undefined ? undefined : session.thread.entries.at(index);
    const call = entry?.kind === 'toolCall' ? { ...entry, kind: entry.toolKind } : undefined;
    return subjectOf(toolCall ?? (command ? { kind: 'execute' } : {}), call, command);
  }

  /** @returns undefined when it could not be found out in time; the question is shown without it then. */
  private async judge(session: Session, subject: PermissionSubject): Promise<Judged | undefined> {
    const { scopes, clock, log } = this.options;
    const scope = scopes(session.id);
    if (!scope) return undefined;
    const isGuarded = guardMatcher(this.options.guards(scope.cwd));
    const realRoots = Promise.all(scope.roots.map(async (root) => (await checkPath(root, scope.roots)).real));
    const look = async (path: string) => lookAt(path, scope.roots, await realRoots, isGuarded);
    let timer: IDisposable | undefined;
    const late = new Promise<undefined>((resolve) => (timer = clock.setTimeout(() => resolve(undefined), maxLookMs)));
    try {
      const { assess } = await import('../lazy/permission');
      const rules = this.options.rules().filter(({ enabled }) => enabled);
      const reader = realRoots.then((real) => folderReader(scope.roots, real, isGuarded, clock));
      const contents = async (path: string) => (await reader)(await withoutDots(path));
      const place = { cwd: scope.cwd, home: homedir(), dialect: process.platform === 'win32' ? 'unknown' : 'bash', look, hasRestraints: rules.some(({ answer, paths }) => answer !== 'allowOnce' && paths !== undefined) } as const;
      return await Promise.race([assess(subject, rules.length > 0 ? { ...place, contents } : place), late]);
    } catch (error) {
      log.error(`A question of the agent is shown without what it comes to: ${String(error)}`);
      return undefined;
    } finally {
      timer?.dispose();
    }
  }
}

async function lookAt(written: string, roots: readonly string[], realRoots: readonly string[], isGuarded: (path: string) => boolean): Promise<PathFacts> {
  const path = asOpened(await withoutDots(written));
  const checked = await checkPath(path, roots);
  const { inside } = checked;
  const real = relativeTo(checked.real, realRoots);
  // Where `..` were followed, it is told by the folder to which they lead.
  const relative = hasDots(written) ? real : relativeTo(path, roots);
  // A share is not touched: that alone would send the person's credentials to its server.
  const exists = (inside || !isShare(path)) && (await stat(path).then(() => true, () => false));
  return { inside, exists, guarded: isGuarded(relative) || isGuarded(real), relative, real };
}
