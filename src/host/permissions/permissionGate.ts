import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import { usualPath } from '../../base/fileNames';
import type { IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { Judged, PathFacts } from '../../permission/assess';
import { fieldText } from '../../permission/commandLine';
import { hasDots } from '../../permission/paths';
import type { RuleDecision } from '../../permission/rules';
import { isSameSubject, type PermissionSubject, subjectText } from '../../permission/subject';
import type { SuggestedRule } from '../../permission/suggestRules';
import { guardMatcher } from '../../changes/guardedFiles';
import { type Checked, maxChanges } from '../../thread/pendingPermissions';
import { nameOf, pendingPermissions } from '../../thread/permissionRequests';
import type { Session } from '../../thread/session';
import { subagentOfCall } from '../../thread/subagents';
import type { PendingPermission } from '../../thread/thread';
import {
  asOpened,
  checkPath,
  ignoresCase,
  isShare,
  protectedPlaces,
  relativeTo,
  withoutDots,
} from '../files/pathPolicy';
import type { ScopeLookup } from '../platform/sessionScope';
import { folderReader } from './folderContents';
import type { PermissionHistory, PermissionRecord } from './permissionHistory';
import type { RuleSettings } from './ruleSettings';

/** How long an unresponsive disk may delay a request, in ms. */
const maxLookMs = 1_000;
/** Fields of one input that are recorded. */
const maxFields = 100;

export interface PermissionGateOptions {
  readonly scopes: ScopeLookup;
  /** Globs of the protected files in a folder. */
  readonly guards: (folder: string) => readonly string[] | Promise<readonly string[]>;
  readonly rules: Pick<RuleSettings, 'active' | 'mayAllow'>;
  readonly history: Pick<PermissionHistory, 'add'>;
  readonly titleOf: (session: Session) => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The original request. Later changes of the call by the agent count as changes. */
interface Asked {
  /** The agent's id of the session. */
  readonly sessionId: string | undefined;
  readonly subject: PermissionSubject;
}

interface Looked {
  readonly judged?: Judged;
  readonly decision?: RuleDecision;
}

/**
 * Stands between an agent's request and the user: assesses it before it is shown, and lets the user's rules answer it.
 */
export class PermissionGate {
  /** Current assessments by session: requests are shown in their order. */
  readonly #underWay = new WeakMap<Session, Promise<unknown>>();

  constructor(private readonly options: PermissionGateOptions) {}

  /** Answers the agent's request; see `Session.requestPermission`. @param asked the request when it came */
  async request(
    session: Session,
    params: PermissionParams,
    token: CancellationToken,
    { sessionId, subject }: Asked = { sessionId: session.sessionId, subject: session.subjectOf(params) },
  ): Promise<RequestPermissionResponse> {
    const isUnwanted = () => session.isStopping || token.isCancellationRequested;
    const before = this.#underWay.get(session) ?? Promise.resolve();
    const looked = before.then((): Looked | Promise<Looked> => (isUnwanted() ? {} : this.#look(session, subject)));
    this.#underWay.set(session, looked);
    const { judged, decision } = await looked;
    // The agent's process has ended meanwhile, so it can neither take the answer nor withdraw the request.
    if (sessionId !== undefined && session.sessionId !== sessionId) return { outcome: { outcome: 'cancelled' } };
    if (decision && !isUnwanted() && isSameSubject(subject, session.subjectOf(params))) {
      this.#record(
        session,
        params,
        { subject, changes: 0 },
        {
          answer: decision.choice.name,
          allowed: decision.choice.kind === 'allow_once',
          by: 'rule',
          rules: decision.rules,
        },
      );
      return session.answerPermission(params, decision.choice, decision.rules);
    }
    let answered: { readonly permission: PendingPermission; readonly rules: readonly string[] | undefined } | undefined;
    const response = await session.requestPermission(params, token, {
      first: { subject, ...(judged ? { assessment: judged.assessment } : {}) },
      check: (changed) => this.#checkAgain(session, changed),
      answered: (permission, rules) => (answered = { permission, rules }),
    });
    const { outcome } = response;
    const choice =
      outcome.outcome === 'selected' ? params.options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
    const rules = answered?.rules;
    const isEndless = (answered?.permission.changes ?? 0) > maxChanges;
    const by = rules
      ? 'rule'
      : choice
        ? 'person'
        : isEndless
          ? 'changes'
          : token.isCancellationRequested
            ? 'agent'
            : session.isStopping
              ? 'stop'
              : 'end';
    this.#record(session, params, answered?.permission ?? { subject, changes: 0 }, {
      answer: choice?.name ?? '',
      allowed: choice?.kind.startsWith('allow') === true,
      by,
      ...(rules ? { rules } : {}),
    });
    return response;
  }

  /**
   * Rules that would have answered a pending request; undefined if it is no longer pending.
   * @param name see `nameOf`.
   */
  async suggest(session: Session, name: string): Promise<readonly SuggestedRule[] | undefined> {
    const permission = pendingPermissions(session.thread).find((item) => nameOf(item) === name);
    const judged = permission && (await this.#judge(session, permission.subject));
    return judged && (await import('../../permission/suggestRules')).suggestRules(judged);
  }

  /** Assesses a request, and applies the rules. Never rejects: the next request of the session waits for it. */
  async #look(session: Session, subject: PermissionSubject): Promise<Looked> {
    try {
      const judged = await this.#judge(session, subject);
      const decision = judged && (await this.#decide(session, judged));
      return { ...(judged ? { judged } : {}), ...(decision ? { decision } : {}) };
    } catch (error) {
      this.options.log.error(`A permission request is shown without its risks: ${String(error)}`);
      return {};
    }
  }

  /** For a pending request: a rule may still reject it, but none allows it. */
  async #checkAgain(session: Session, subject: PermissionSubject): Promise<Checked> {
    const { judged, decision } = await this.#look(session, subject);
    return {
      ...(judged ? { assessment: judged.assessment } : {}),
      ...(decision?.choice.kind === 'reject_once' ? { rejection: decision } : {}),
    };
  }

  async #decide(session: Session, judged: Judged): Promise<RuleDecision | undefined> {
    const { active: rules, mayAllow } = this.options.rules;
    const agent = this.options.scopes(session.id)?.agent;
    if (rules.length === 0 || agent === undefined) return undefined;
    return (await import('../../permission/rules')).decide(rules, judged, agent, judged.subject.options, mayAllow);
  }

  #record(
    session: Session,
    { toolCall }: PermissionParams,
    { subject, changes }: Pick<PendingPermission, 'subject' | 'changes'>,
    answer: Pick<PermissionRecord, 'answer' | 'allowed' | 'by' | 'rules'>,
  ): void {
    const { scopes, clock, history, titleOf } = this.options;
    const { kind, cwd, paths, contradictions, command, commandHint, further } = subject;
    const subagent = toolCall && subagentOfCall(session.thread, toolCall);
    history.add({
      at: clock.now(),
      agent: scopes(session.id)?.agent ?? '',
      ...(subagent === undefined ? {} : { subagent }),
      session: titleOf(session),
      sessionId: session.id,
      what: subjectText(subject),
      kind,
      ...(command || commandHint === undefined ? {} : { fromTitle: true }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(paths.length > 0 ? { paths } : {}),
      ...(contradictions.length > 0 ? { before: contradictions.map(({ earlier }) => earlier) } : {}),
      ...(command && further.length > 0 ? { further: further.slice(0, maxFields).map(fieldText) } : {}),
      ...(changes > 0 ? { changes } : {}),
      ...answer,
    });
  }

  /** @returns undefined if the assessment took too long; see `PendingPermission.isUnassessed`. */
  async #judge(session: Session, subject: PermissionSubject): Promise<Judged | undefined> {
    const { scopes, clock, log } = this.options;
    const scope = scopes(session.id);
    if (!scope) return undefined;
    const isGuarded = guardMatcher(await this.options.guards(scope.cwd));
    const realRoots = Promise.all(scope.roots.map(async (root) => (await checkPath(root, scope.roots)).real));
    const look = async (path: string) => lookAt(path, scope.roots, await realRoots, isGuarded);
    let timer: IDisposable | undefined;
    try {
      const { assess } = await import('../../permission/assess');
      const late = new Promise<undefined>((resolve) => (timer = clock.setTimeout(() => resolve(undefined), maxLookMs)));
      const rules = this.options.rules.active.filter(({ enabled }) => enabled);
      const reader = realRoots.then((real) => folderReader(scope.roots, real, isGuarded, clock));
      const contents = async (path: string) => (await reader)(await withoutDots(path));
      const folder = await Promise.race([checkPath(scope.cwd, scope.roots), late]);
      const realCwd = folder?.real;
      const place = {
        cwd: scope.cwd,
        ...(realCwd === undefined ? {} : { realCwd }),
        home: homedir(),
        dialect: process.platform === 'win32' ? 'unknown' : 'bash',
        ignoresCase: ignoresCase(),
        look,
        hasRestraints: rules.some(({ answer, paths }) => answer !== 'allowOnce' && paths !== undefined),
      } as const;
      const judged = await Promise.race([assess(subject, rules.length > 0 ? { ...place, contents } : place), late]);
      // The effect of a command depends on its folder, which the agent may have named.
      return judged && !folder?.inside
        ? { ...judged, mustAsk: judged.mustAsk ?? 'the session works outside of its folders' }
        : judged;
    } catch (error) {
      log.error(`A question of the agent is shown without what it comes to: ${String(error)}`);
      return undefined;
    } finally {
      timer?.dispose();
    }
  }
}

async function lookAt(
  written: string,
  roots: readonly string[],
  realRoots: readonly string[],
  isGuarded: (path: string) => boolean,
): Promise<PathFacts> {
  const path = asOpened(await withoutDots(usualPath(written)));
  const checked = await checkPath(path, roots);
  const { inside, isProtected } = checked;
  // A command on a folder may affect everything in it.
  const isAround = protectedPlaces.isAbove(path) || protectedPlaces.isAbove(checked.real);
  const real = relativeTo(checked.real, realRoots);
  // If `..` were followed, show the resulting folder.
  const relative = hasDots(written) ? real : relativeTo(path, roots);
  // Do not access a share: that alone would send the user's credentials to its server.
  const exists =
    (inside || !isShare(path)) &&
    (await stat(path).then(
      () => true,
      () => false,
    ));
  return { inside, exists, guarded: isProtected || isAround || isGuarded(relative) || isGuarded(real), relative, real };
}
