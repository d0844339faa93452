import { describe, expect, it, vi } from 'vitest';
import type { AgentFeatures } from '../../../../src/acp/capabilities';
import type { OpenedSession } from '../../../../src/acp/agentConnection';
import type { Update } from '../../../../src/acp/decodeUpdate';
import { CancellationSource } from '../../../../src/base/cancellation';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { openSession, type OpenRequest } from '../../../../src/host/sessions/openSession';
import { threadToMarkdown } from '../../../../src/thread/markdown';
import { reduce } from '../../../../src/thread/reducer';
import { Session } from '../../../../src/thread/session';
import { emptyThread } from '../../../../src/thread/thread';
import { FakeClock } from '../../../fakes/fakeClock';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionRouter } from '../../../fakes/sessionRouter';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const say = (text: string): Update => ({ type: 'chunk', role: 'agent', content: { type: 'text', text } });
const said = { type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text: 'here' } } as const;

/** A session that is opened on an agent whose answers the test gives. */
function scene(features: Partial<AgentFeatures>, earlier: OpenRequest['earlier'], isHere: boolean) {
  const answers: Deferred<OpenedSession>[] = [];
  const call = () => {
    const answer = new Deferred<OpenedSession>();
    answers.push(answer);
    return answer.promise;
  };
  const connection = connectionWith({ newSession: call, resumeSession: call, loadSession: call, forkSession: call });
  const agent = runningAgent(connection, { features });
  const clock = new FakeClock();
  const router = sessionRouter();
  const session = new Session('ours', clock, silentLogger, isHere ? reduce(emptyThread, said) : emptyThread);
  const begin = () => {
    const cancel = new CancellationSource();
    return {
      cancel,
      opened: openSession(
        {
          agent,
          session,
          params: { cwd: '/w', mcpServers: [] },
          earlier,
          router,
          clock,
          log: silentLogger,
        },
        cancel.token,
      ),
    };
  };
  const hear = (sessionId: string, text: string) => router.handlersFor('A#1').sessionUpdate(sessionId, say(text), 0);
  return { answers, clock, session, begin, hear, thread: () => threadToMarkdown(session.thread) };
}

const known = { agent: 'A', remoteId: 'earlier', remoteSince: 0 };

describe('the answer to a start that was called off', () => {
  it.each<[string, object, OpenRequest['earlier'], string | undefined]>([
    ['session/new', {}, undefined, undefined],
    ['session/fork', { fork: true }, { agent: 'A', forkOf: 'source' }, undefined],
    ['session/resume', { resume: true }, known, 'earlier'],
    ['session/load', { loadSession: true }, known, 'earlier'],
  ])('joins nothing: %s', async (_, features, earlier, sessionId) => {
    for (const answer of ['late', 'error'] as const) {
      const { answers, session, begin, hear, thread } = scene(features, earlier, false);
      const first = begin();
      first.cancel.cancel();
      const second = begin();
      answers[1]!.resolve({ sessionId: sessionId ?? 'second' } as OpenedSession);
      await second.opened;
      if (answer === 'late') answers[0]!.resolve({ sessionId: sessionId ?? 'first' } as OpenedSession);
      else answers[0]!.reject(new Error('cancelled'));
      await expect(first.opened).rejects.toThrow(answer === 'late' ? 'Start cancelled' : 'cancelled');
      expect(session.sessionId).toBe(sessionId ?? 'second');
      if (sessionId === undefined) hear('first', 'not for you ');
      hear(sessionId ?? 'second', 'for you');
      expect(thread()).toBe('## Agent\nfor you');
    }
  });

  it('ends neither the load that follows it, nor lets what that replays be shown twice', async () => {
    const { answers, clock, session, begin, hear, thread } = scene({ loadSession: true }, known, true);
    const first = begin();
    first.cancel.cancel();
    const second = begin();
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]!.reject(new Error('cancelled'));
    await expect(first.opened).rejects.toThrow('cancelled');
    hear('earlier', 'here');
    answers[1]!.resolve({ sessionId: 'earlier' } as OpenedSession);
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(session.sessionId).toBe('earlier');
    }, 20_000);
    await second.opened;
    hear('earlier', ' and new');
    expect(thread()).toBe('## Agent\nhere and new');
  });
});
