import { describe, expect, it } from 'vitest';
import type { Update } from '../../../../src/acp/decodeUpdate';
import { silentLogger } from '../../../../src/base/log';
import { makeAtOnce } from '../../../../src/acp/answerRoom';
import { SessionRouter } from '../../../../src/host/sessions/sessionRouter';
import { threadToMarkdown } from '../../../../src/thread/markdown';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';

const say = (text: string): Update => ({ type: 'chunk', role: 'agent', content: { type: 'text', text } });
const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('unused')) }) as never;

describe('SessionRouter', () => {
  const make = () => ({
    router: new SessionRouter(unused, unused, silentLogger),
    session: new Session('local', new FakeClock(), silentLogger),
  });

  it('063: updates that come before the session is known are applied when it is', () => {
    const { router, session } = make();
    const agent = router.handlersFor('a#1');
    agent.sessionUpdate('s', say('early '), 0);
    router.register('a#1', 's', session);
    agent.sessionUpdate('s', say('late'), 0);
    expect(threadToMarkdown(session.thread)).toBe('## Agent\nearly late');
  });

  it('054: the same id of another process is another session', () => {
    const { router, session } = make();
    router.register('a#1', 's', session);
    router.handlersFor('a#2').sessionUpdate('s', say('not for you'), 0);
    expect(session.thread.entries.length).toBe(0);
  });

  it('064: an agent that invents ids, or talks of a session that was left, fills no memory', () => {
    const { router, session } = make();
    const agent = router.handlersFor('a#1');
    for (let i = 0; i < 1_000; i++) agent.sessionUpdate(`invented${i}`, say('x'), 0);
    router.register('a#1', 'invented0', session);
    expect(session.thread.entries.length).toBe(0);
    router.unregister('a#1', 'invented999');
    agent.sessionUpdate('invented999', say('after'), 0);
    router.register('a#1', 'invented999', session);
    expect(session.thread.entries.length).toBe(0);
  });

  it('064: ids that an agent invents take nothing from the session that it opens next', () => {
    const { router, session } = make();
    const agent = router.handlersFor('a#1');
    for (let i = 0; i < 8; i++) agent.sessionUpdate(`invented${i}`, say('x'), 0);
    agent.sessionUpdate('s', say('early'), 0);
    router.register('a#1', 's', session);
    expect(threadToMarkdown(session.thread)).toBe('## Agent\nearly');
  });

  it('142: a request for an unknown session is an error', async () => {
    const { router } = make();
    await expect(
      router
        .handlersFor('a#1')
        .readTextFile(
          { sessionId: 'nope', path: '/x' },
          { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) },
          makeAtOnce,
        ),
    ).rejects.toMatchObject({ code: -32002 });
  });
});
