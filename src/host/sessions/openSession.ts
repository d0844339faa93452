import type { NewSessionRequest } from '@agentclientprotocol/sdk';
import type { OpenedSession } from '../../acp/agentConnection';
import type { CancellationToken } from '../../base/cancellation';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { wantsSignIn } from '../../thread/errorCause';
import type { Session } from '../../thread/session';
import type { RunningAgent } from '../agents/agentService';
import { StartFailure } from '../agents/startFailure';
import type { ReplayGate } from './replayGate';
import { hasHistory } from './sessionHistory';
import type { SessionRecord } from './sessionIndex';
import type { SessionRouter } from './sessionRouter';

export interface OpenRequest {
  readonly agent: RunningAgent;
  readonly session: Session;
  readonly params: NewSessionRequest;
  /** What is known of the session at the agent, if it had one. */
  readonly earlier: Pick<SessionRecord, 'agent' | 'remoteId' | 'remoteSince' | 'forkOf' | 'isArchived'> | undefined;
  readonly router: SessionRouter;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `new`: the agent knows nothing of what was said. `resumed`, `loaded`, `forked`: it does. */
export interface OpenOutcome extends OpenedSession {
  readonly how: 'new' | 'resumed' | 'loaded' | 'forked';
}

const minuteMs = 60_000;

/**
 * Joins a thread to a session of an agent: by `session/resume` where the thread is here and the agent offers it, by
 * `session/load` else, and as a new session where neither can be or both fail (items 56, 57, 61, 62). What an agent
 * replays of a thread that is here is held back, so that nothing is there twice.
 */
export async function openSession(request: OpenRequest, token: CancellationToken): Promise<OpenOutcome> {
  const { agent, session, params, earlier, router, log } = request;
  const { name } = agent.configuration;
  const remoteId = earlier?.agent === name ? earlier.remoteId : undefined;
  const isHere = hasHistory(session);
  const forkOf = earlier?.agent === name && remoteId === undefined && agent.features.fork ? earlier.forkOf : undefined;
  if (forkOf !== undefined) {
    try {
      return await fork(request, token, forkOf);
    } catch (error) {
      if (token.isCancellationRequested || wantsSignIn(error)) throw error;
      log.warn(`${name} could not fork session ${forkOf}: ${String(error)}`);
    }
  }
  if (remoteId !== undefined) {
    const ways = [
      ...(agent.features.resume && (isHere || !agent.features.loadSession) ? [resume] : []),
      ...(agent.features.loadSession && mayLoad(request) ? [load] : []),
    ];
    // An archived session cannot be opened. One that is not archived any more is no reason to give up.
    if (earlier?.isArchived && agent.features.archive)
      await agent.connection
        .unarchiveSession(remoteId)
        .catch((error: unknown) => log.warn(`${name} could not unarchive session ${remoteId}: ${String(error)}`));
    refuseLate(request, token);
    for (const way of ways) {
      try {
        return await way(request, token, remoteId, isHere);
      } catch (error) {
        // A new session would not be signed in either, and the old one would be lost (item 43).
        if (token.isCancellationRequested || wantsSignIn(error)) throw error;
        log.warn(`${name} could not go on with session ${remoteId}: ${String(error)}`);
      }
    }
  }
  const opened = await agent.connection.newSession(params, token);
  refuseLate(request, token, opened.sessionId);
  session.attach({ sessionId: opened.sessionId, link: agent.connection }, opened, true);
  router.register(agent.routeKey, opened.sessionId, session);
  return { ...opened, how: 'new' };
}

/** One agent keeps its sessions by the minute, and loses one that is loaded within its first. */
function mayLoad({ agent, earlier, clock }: OpenRequest): boolean {
  return (
    !agent.quirks.loadsOnlyAfterMinute ||
    earlier?.remoteSince === undefined ||
    Math.floor(clock.now() / minuteMs) > Math.floor(earlier.remoteSince / minuteMs)
  );
}

/**
 * What is answered after the start was called off joins nothing: the session may have another one by now.
 * @param unused of a session that begins with this answer
 */
function refuseLate({ agent, router }: OpenRequest, token: CancellationToken, unused?: string): void {
  if (!token.isCancellationRequested) return;
  if (unused !== undefined) router.unregister(agent.routeKey, unused);
  throw StartFailure.cancelled();
}

async function fork(request: OpenRequest, token: CancellationToken, forkOf: string): Promise<OpenOutcome> {
  const { agent, session, params, router } = request;
  const opened = await agent.connection.forkSession({ ...params, sessionId: forkOf }, token);
  refuseLate(request, token, opened.sessionId);
  session.attach({ sessionId: opened.sessionId, link: agent.connection }, opened);
  router.register(agent.routeKey, opened.sessionId, session);
  return { ...opened, how: 'forked' };
}

async function resume(
  request: OpenRequest,
  token: CancellationToken,
  sessionId: string,
  isHere: boolean,
): Promise<OpenOutcome> {
  const { agent, session, params, router } = request;
  router.expect(agent.routeKey, sessionId, isHere ? await replayGate(request, sessionId) : undefined);
  const opened = await agent.connection.resumeSession({ sessionId, ...params }, token);
  refuseLate(request, token);
  session.attach({ sessionId, link: agent.connection }, opened);
  router.register(agent.routeKey, sessionId, session);
  return { ...opened, how: 'resumed' };
}

async function load(
  request: OpenRequest,
  token: CancellationToken,
  sessionId: string,
  isHere: boolean,
): Promise<OpenOutcome> {
  const { agent, session, params, router } = request;
  const { routeKey, connection } = agent;
  const replay = isHere ? await replayGate(request, sessionId) : undefined;
  const isNewest = router.expect(routeKey, sessionId, replay);
  replay?.holdAll();
  // Known at once: history comes before the answer, and is drawn as it comes.
  router.register(routeKey, sessionId, session);
  try {
    const opened = await connection.loadSession({ sessionId, ...params }, token);
    await replay?.whenQuiet();
    refuseLate(request, token);
    session.attach({ sessionId, link: connection }, opened);
    return { ...opened, how: 'loaded' };
  } catch (error) {
    if (isNewest()) router.unregister(routeKey, sessionId);
    throw error;
  } finally {
    replay?.admitNews();
  }
}

/** Loaded only for a conversation that is gone on with. */
async function replayGate({ agent, session, router, clock }: OpenRequest, sessionId: string): Promise<ReplayGate> {
  const { ReplayGate } = await import('./replayGate');
  return new ReplayGate({
    session,
    clock,
    admit: (update, receivedAt) => router.deliver(agent.routeKey, sessionId, update, receivedAt),
  });
}
