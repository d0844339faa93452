import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import { neverCancelled } from '../../src/base/cancellation';
import { Emitter } from '../../src/base/event';
import { silentLogger } from '../../src/base/log';
import { openSession } from '../../src/host/sessions/openSession';
import { SessionRouter } from '../../src/host/sessions/sessionRouter';
import { checkPattern } from '../../src/node/patternCheck';
import { answerForm } from '../../src/thread/formAnswer';
import { describeError } from '../../src/thread/errorWords';
import { Session } from '../../src/thread/session';
import { NotSent } from '../../src/thread/sessionLink';
import { FakeClock } from '../fakes/fakeClock';
import { text } from './harness';
import { apiKey, browser, offering, SignInDesk } from './signInDesk';
import { waitUntil } from './waitUntil';

const wrong = { code: -32000, message: 'Wrong account' };

describe('an agent that wants a sign-in', () => {
  test('36, 39, 40: is asked again with the same parameters once the user has signed in by a method that it offers', async () => {
    const desk = await SignInDesk.open(offering(browser, apiKey));
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view).toMatchObject({
      methods: [
        { ...browser, kind: 'agent' },
        { id: 'key', name: 'API key', kind: 'apiKey' },
      ],
      needed: true,
    });
    expect(desk.methods()).toEqual(['initialize', 'session/new']);
    await desk.choose('session-1-s9', 'browser');
    await desk.choosing('another');
    expect(desk.methods()).toEqual(['initialize', 'session/new']);
    await desk.choosing('browser');
    await opened;
    expect(desk.methods()).toEqual(['initialize', 'session/new', 'authenticate', 'session/new']);
    expect(desk.link.sent('authenticate')).toMatchObject([{ params: { methodId: 'browser' } }]);
    const [first, second] = desk.link.sent('session/new');
    expect(second!['params']).toEqual(first!['params']);
    expect(desk.view).toBeUndefined();
  });

  test.each([
    { code: -32000, message: 'Authentication required' },
    {
      code: -32000,
      message: 'Authentication required: run `fake login`',
      data: { authMethods: [{ id: 'elsewhere', name: 'Elsewhere' }], reason: 'no_session' },
    },
    { code: -32000, message: '' },
    { code: -32603, message: 'Internal error', data: { errorKind: 'authentication_failed' } },
    { code: -32603, message: 'Internal error', data: { details: '401 Unauthorized' } },
  ])('41: $code “$message” with $data leads to the card', async (authRequired) => {
    const desk = await SignInDesk.open({ authRequired, ...offering(browser) });
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.methods.map(({ id }) => id)).toEqual(['browser']);
    await desk.choosing('browser');
    await opened;
  });

  test.each([
    { code: -32001, message: 'Authentication required' },
    { code: -32602, message: 'Not signed in' },
    { code: -32603, message: 'Internal error: sign in first' },
    { code: 401, message: 'Unauthorized' },
    { code: 403, message: 'Forbidden' },
  ])('41: $code “$message” does not', async (authRequired) => {
    const desk = await SignInDesk.open({ authRequired, ...offering(browser) });
    await expect(desk.open()).rejects.toMatchObject({ code: authRequired.code });
    expect(desk.asked).toBe(0);
  });

  test('42: shows why a sign-in failed, keeps the choice, and repeats nothing by itself', async () => {
    const desk = await SignInDesk.open({
      authenticateErrors: [
        wrong,
        { code: -32603, message: 'Internal error', data: { details: 'The browser did not open' } },
      ],
      ...offering(browser),
    });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('browser');
    expect(desk.view).toMatchObject({
      step: { type: 'choose' },
      problem: 'Sign-in with “Sign in with a browser” failed. Wrong account',
    });
    await desk.choosing('browser');
    expect(desk.view!.problem).toContain('The browser did not open');
    expect(desk.methods()).toEqual(['initialize', 'session/new', 'authenticate', 'authenticate']);
    await desk.choosing('browser');
    await opened;
    expect(desk.methods().slice(4)).toEqual(['authenticate', 'session/new']);
  });

  test('42: that asks again after a sign-in is asked once more for each, and the card says so', async () => {
    const desk = await SignInDesk.open({ stubborn: 1, ...offering(browser) });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('browser');
    expect(await desk.problem()).toBe('Fake still asks you to sign in.');
    expect(desk.methods()).toEqual(['initialize', 'session/new', 'authenticate', 'session/new']);
    await desk.choosing('browser');
    await opened;
    expect(desk.asked).toBe(2);
  });

  test('43: in the middle of a conversation gets the same prompt after the sign-in', async () => {
    const desk = await SignInDesk.open({ authRequiredFor: ['session/prompt'], ...offering(browser) });
    const { sessionId } = await desk.agent.connection.newSession({ cwd: desk.link.folder, mcpServers: [] });
    const session = new Session('ours', new FakeClock(), silentLogger);
    session.attach({ sessionId, link: desk.link.connection }, { options: [] } as never);
    const prompt = text('keep these words');
    const turn = session.prompt(prompt, undefined, async (error) => {
      await desk.request(desk.agent, error);
      return prompt;
    });
    await desk.at('choose');
    expect(session.isRunning).toBe(true);
    await desk.choosing('browser');
    await turn;
    expect(desk.link.sent('session/prompt').map((message) => message['params'].prompt)).toEqual([prompt, prompt]);
    expect([...session.thread.entries].map((entry) => entry.kind)).toEqual(['userMessage']);
    session.dispose();
  });

  test('43, 172: hears of no cancel when the user stops instead of signing in', async () => {
    const desk = await SignInDesk.open({ authRequiredFor: ['session/prompt'], ...offering(browser) });
    const { sessionId } = await desk.agent.connection.newSession({ cwd: desk.link.folder, mcpServers: [] });
    const session = new Session('ours', new FakeClock(), silentLogger);
    session.attach({ sessionId, link: desk.link.connection }, { options: [] } as never);
    const turn = session.prompt(text('hello'), undefined, async (error) => {
      await desk.request(desk.agent, error);
      return text('hello');
    });
    await desk.at('choose');
    session.cancel();
    desk.dismiss();
    await turn;
    expect(desk.methods()).not.toContain('session/cancel');
    expect(session.isRunning).toBe(false);
    session.dispose();
  });

  test.each(['resume', 'load'] as const)(
    '43: when a session is to be gone on with by %s keeps that session',
    async (way) => {
      const capabilities = way === 'resume' ? { sessionCapabilities: { resume: {} } } : { loadSession: true };
      const desk = await SignInDesk.open({
        authRequiredFor: [`session/${way}`],
        initializePatch: { authMethods: [browser], agentCapabilities: capabilities },
      });
      const router = new SessionRouter({} as never, {} as never, silentLogger);
      const clock = new FakeClock();
      const session = new Session('ours', clock, silentLogger);
      const request = {
        session,
        params: { cwd: desk.link.folder, mcpServers: [] },
        earlier: { agent: 'Fake', remoteId: 'earlier-1' },
        router,
        clock,
        log: silentLogger,
      };
      const opened = desk.during(
        desk.agent,
        async (agent) => void (await openSession({ agent, ...request }, neverCancelled)),
      );
      await desk.at('choose');
      await desk.choosing('browser');
      await opened;
      expect(session.sessionId).toBe('earlier-1');
      expect(desk.methods()).toEqual(['initialize', `session/${way}`, 'authenticate', `session/${way}`]);
      session.dispose();
    },
  );

  test('47: has its methods of unknown types shown like its own, and none is chosen by itself', async () => {
    const desk = await SignInDesk.open(
      offering(
        { id: 'env', name: 'A variable', type: 'env_var', vars: [{ name: 'X' }] },
        { id: 'retina', name: 'An eye scan', type: 'biometric' },
        { name: 'without id' },
        7,
        { ...browser, id: 'env' },
      ),
    );
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.methods).toEqual([
      { id: 'env', name: 'A variable', kind: 'agent' },
      { id: 'retina', name: 'An eye scan', kind: 'agent' },
    ]);
    expect(desk.methods()).not.toContain('authenticate');
    await desk.choosing('retina');
    await opened;
  });

  test('49: hears of it when the user calls a sign-in off, and the choice is back', async () => {
    const desk = await SignInDesk.open({ answerNever: ['authenticate'], ...offering(browser) });
    const opened = desk.open();
    await desk.at('choose');
    const tried = desk.choosing('browser');
    await desk.at('trying');
    desk.acts('back');
    await tried;
    expect(desk.view).toMatchObject({ step: { type: 'choose' } });
    expect(desk.view).not.toHaveProperty('problem');
    await waitUntil('the cancel is sent', () => desk.link.sent('$/cancel_request').length === 1);
    const [authenticate] = desk.link.sent('authenticate');
    expect(desk.link.sent('$/cancel_request')[0]!['params']).toEqual({ requestId: authenticate!['id'] });
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
    expect(desk.view).toBeUndefined();
    expect(desk.link.sent('session/new')).toHaveLength(1);
  });

  test('50: without any method has its message shown', async () => {
    const desk = await SignInDesk.open({
      authRequired: { code: -32000, message: 'Authentication required: run `fake login` first' },
      ...offering(),
    });
    const failure = await desk.open().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AcpError);
    expect(describeError(failure, 0)).toMatchObject({
      title: 'The agent wants you to sign in',
      detail: 'Authentication required: run `fake login` first',
    });
    expect(desk.asked).toBe(0);
  });

  test('167: asks before there is any session, in the session that is being signed in', async () => {
    const session = new Session('ours', new FakeClock(), silentLogger);
    const router = new SessionRouter({} as never, {} as never, silentLogger);
    const requestedSchema = {
      type: 'object',
      properties: { code: { type: 'string', title: 'Code' } },
      required: ['code'],
    };
    const desk = await SignInDesk.open(
      {
        elicitBefore: { authenticate: { mode: 'form', message: 'Enter the code', requestedSchema } },
        ...offering(browser),
      },
      { handlers: router.handlersFor('Fake#1', () => session) },
    );
    const opened = desk.open();
    await desk.at('choose');
    void desk.choosing('browser');
    await waitUntil('the question is there', () => session.thread.waiting.length === 1);
    expect(desk.view!.step.type).toBe('trying');
    session.elicitations.submit(session.thread.waiting[0]!.requestId, (form) =>
      answerForm(form, new Map([['code', 'AB12']]), checkPattern),
    );
    await opened;
    expect(desk.link.sent().find((message) => message['result']?.action)!['result']).toEqual({
      action: 'accept',
      content: { code: 'AB12' },
    });
    session.dispose();
  });

  test('that another session signs in to lets this one go on', async () => {
    const done = new Emitter<{ routeKey: string; way: 'call' | 'terminal' }>();
    const desk = await SignInDesk.open(offering(browser), { done });
    const opened = desk.open();
    await desk.at('choose');
    done.fire({ routeKey: 'Another#1', way: 'call' });
    expect(desk.view).toBeDefined();
    await desk.agent.connection.authenticate('browser');
    done.fire({ routeKey: desk.agent.routeKey, way: 'call' });
    await opened;
    expect(desk.view).toBeUndefined();
  });

  test('that ends while it waits takes the card along', async () => {
    const desk = await SignInDesk.open(offering(browser));
    const opened = desk.open();
    await desk.at('choose');
    await Promise.all([expect(opened).rejects.toThrow(/connection/), desk.link.process.stop()]);
    expect(desk.view).toBeUndefined();
  });
});

describe('signing out', () => {
  test('48: is told where the agent offers it, and then it asks for a sign-in', async () => {
    const desk = await SignInDesk.open({
      initializePatch: { authMethods: [browser], agentCapabilities: { auth: { logout: {} } } },
    });
    expect(desk.agent.features.logout).toBe(true);
    await desk.agent.connection.authenticate('browser');
    await desk.open();
    expect(desk.methods()).not.toContain('logout');
    await desk.agent.connection.logout();
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('browser');
    await opened;
  });

  test.each([undefined, null, true, { logout: null }, { logout: true }])(
    '48: counts as not offered with auth %j',
    async (auth) => {
      const desk = await SignInDesk.open({ initializePatch: { agentCapabilities: { auth } } });
      expect(desk.agent.features.logout).toBe(false);
    },
  );
});
