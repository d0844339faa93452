import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NotSent } from '../../src/thread/sessionLink';
import type { Options } from '../fakes/agent/options.mjs';
import { temporaryFolder } from './harness';
import { browser, offering, SignInDesk } from './signInDesk';

describe('a method in a terminal', () => {
  const terminal = (fields: object = {}) => ({
    id: 'login',
    name: 'Log in',
    type: 'terminal',
    args: ['--login'],
    env: { FAKE_LOGIN: 'from the agent' },
    ...fields,
  });
  const account = () => join(temporaryFolder(), 'account');

  /** The user signs in by a command that never ends, and has come as far as its terminal. */
  async function inTerminal(agent: Options = {}) {
    const desk = await SignInDesk.open({
      accountFile: account(),
      ...agent,
      ...offering(terminal({ args: ['-e', 'setInterval(() => {}, 1000)'] })),
    });
    Object.assign(desk.configuration, { args: [] });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('login');
    desk.acts('run');
    await desk.at('terminal');
    return { desk, opened };
  }

  test('44, 45: runs the configured command with more arguments and variables once the user has seen it, then a new process', async () => {
    const desk = await SignInDesk.open({
      accountFile: account(),
      ...offering(terminal({ _meta: { 'terminal-auth': { command: 'elsewhere' } } })),
    });
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.methods).toEqual([{ id: 'login', name: 'Log in', kind: 'terminal' }]);
    await desk.choosing('login');
    expect(desk.view!.step).toMatchObject({
      type: 'confirm',
      methodId: 'login',
      variables: ['FAKE_LOGIN=from the agent'],
      command: expect.stringMatching(/fakeAgent\.mjs --base --login$/),
    });
    expect(desk.ran).toEqual([]);
    desk.acts('run');
    await opened;
    const logins = desk.links[0]!.notes('login');
    expect(logins).toMatchObject([
      { argv: ['--base', '--login'], env: { FAKE_BASE: 'configured', FAKE_LOGIN: 'from the agent' } },
    ]);
    expect(desk.links).toHaveLength(2);
    expect(desk.methods()).toEqual(['initialize', 'session/new', 'initialize', 'session/new']);
    expect(desk.links[0]!.process.exit).toBeDefined();
  });

  test('45: runs only what the user has agreed to in VS Code’s own dialog too, whatever the panel says', async () => {
    const desk = await SignInDesk.open({ accountFile: account(), ...offering(terminal()) });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('login');
    desk.agrees = false;
    desk.acts('run');
    await new Promise((resolve) => setImmediate(resolve));
    expect([desk.ran, desk.view!.step.type]).toEqual([[], 'confirm']);
    desk.agrees = true;
    desk.acts('run');
    await opened;
    expect(desk.ran).toHaveLength(1);
  });

  test('45: that ends with another exit code is a failure, and the agent is left alone', async () => {
    const file = account();
    const desk = await SignInDesk.open({
      accountFile: file,
      ...offering(terminal({ args: ['--login', '--exit', '3'] })),
    });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('login');
    desk.acts('run');
    expect(await desk.problem()).toBe('The command ended with exit code 3. You are not signed in.');
    expect(desk.view!.step).toEqual({ type: 'choose' });
    expect(desk.links).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
  });

  test('45: that is closed is a failure; that is called off is ended', async () => {
    const { desk, opened } = await inTerminal();
    desk.closeTerminal();
    expect(await desk.problem()).toContain('You are not signed in.');
    await desk.choosing('login');
    desk.acts('run');
    await desk.at('terminal');
    desk.acts('back');
    expect(desk.view).toMatchObject({ step: { type: 'choose' } });
    expect(desk.methods()).toEqual(['initialize', 'session/new']);
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
  });

  test('45: that does not end is over when the user says so', async () => {
    const { desk, opened } = await inTerminal({ stubborn: 0 });
    desk.acts('done');
    // Nobody has signed in, so the new process asks again.
    expect(await desk.problem()).toBe('Fake still asks you to sign in.');
    expect(desk.links).toHaveLength(2);
    desk.closeTerminal();
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
  });

  test('46: of the older kind runs the command that it spells out after the user agreed', async () => {
    const file = account();
    const script = `require('fs').writeFileSync(${JSON.stringify(file)}, process.env.FAKE_LOGIN)`;
    const older = {
      id: 'older',
      name: 'Log in',
      _meta: {
        'terminal-auth': {
          command: process.execPath,
          args: ['-e', script],
          env: { FAKE_LOGIN: 'spelled out' },
          label: 'Fake Login',
        },
      },
    };
    const desk = await SignInDesk.open({ accountFile: file, ...offering(older) });
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('older');
    await desk.at('confirm');
    desk.acts('back');
    expect(desk.ran).toEqual([]);
    await desk.choosing('older');
    desk.acts('run');
    await opened;
    expect(desk.ran).toMatchObject([
      { command: process.execPath, args: ['-e', script], variables: ['FAKE_LOGIN=spelled out'] },
    ]);
    expect(desk.methods()).not.toContain('authenticate');
    expect(desk.links).toHaveLength(2);
  });

  test('26, 44: is not offered where the agent was not told of terminals', async () => {
    const older = { id: 'older', name: 'Older', _meta: { 'terminal-auth': { command: 'x' } } };
    const desk = await SignInDesk.open(offering(terminal(), older, browser), {
      features: { 'auth.terminal': false, '_meta.terminal-auth': false },
    });
    const { clientCapabilities } = desk.link.sent('initialize')[0]!['params'];
    expect([clientCapabilities.auth, clientCapabilities._meta?.['terminal-auth']]).toEqual([undefined, undefined]);
    const opened = desk.open();
    await desk.at('choose');
    expect(desk.view!.methods.map(({ id }) => id)).toEqual(['browser']);
    await desk.choosing('browser');
    await opened;
  });
});
