import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VersionMismatch } from '../../src/acp/agentConnection';
import { CancellationSource } from '../../src/base/cancellation';
import { startLink, temporaryFolder, text } from './harness';
import { waitUntil } from './waitUntil';

describe('what initialize says', () => {
  test('22 nothing is sent before initialize is answered', async () => {
    const link = startLink({ agent: { initializeDelay: 300 } });
    const initialized = link.connection.initialize();
    await waitUntil('initialize is sent', () => link.sent('initialize').length === 1);
    await initialized;
    const session = await link.connection.newSession({ cwd: link.folder, mcpServers: [] });
    const answered = link.wire().findIndex((entry) => entry.dir === '<');
    expect(
      link
        .wire()
        .slice(0, answered)
        .filter((entry) => entry.dir === '>'),
    ).toHaveLength(1);
    expect(session.sessionId).toBe('fake-1');
  });

  test('23, 24, 25 version 1 as an integer, clientCapabilities, and who we are', async () => {
    const link = startLink();
    await link.connection.initialize();
    const { params } = link.sent('initialize')[0]!;
    expect(params.protocolVersion).toBe(1);
    expect(params.capabilities).toBeUndefined();
    expect(params.clientCapabilities).toMatchObject({
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
    });
    expect(params.clientInfo).toEqual({ name: 'parley', title: 'Parley', version: '0.0.0' });
  });

  test.each([
    ['fs.readTextFile', 'fs/read_text_file {"path":"/a"}'],
    ['fs.writeTextFile', 'fs/write_text_file {"path":"/a","content":""}'],
    ['terminal', 'terminal/create {"command":"ls"}'],
    ['terminal', 'terminal/output {"terminalId":"t"}'],
    ['terminal', 'terminal/wait_for_exit {"terminalId":"t"}'],
    ['terminal', 'terminal/kill {"terminalId":"t"}'],
    ['terminal', 'terminal/release {"terminalId":"t"}'],
  ] as const)('26 without %s, %s is answered with -32601', async (feature, request) => {
    const link = startLink({ features: { [feature]: false } });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text(`@@REQUEST ${request}`));
    expect(link.text()).toMatch(/error -32601/);
    const { clientCapabilities } = link.sent('initialize')[0]!['params'];
    expect(
      {
        'fs.readTextFile': clientCapabilities.fs.readTextFile,
        'fs.writeTextFile': clientCapabilities.fs.writeTextFile,
        terminal: clientCapabilities.terminal,
      }[feature],
    ).toBe(false);
  });

  test('26 every capability that is advertised is served', async () => {
    const link = startLink({
      handlers: {
        readTextFile: async () => ({ content: 'x' }),
        writeTextFile: async () => {},
        createTerminal: async () => ({ terminalId: 't' }),
        terminalOutput: async () => ({ output: '', truncated: false }),
        waitForTerminalExit: async () => ({ exitCode: 0 }),
        killTerminal: async () => {},
        releaseTerminal: async () => {},
      },
    });
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text('@@READ /a', '@@WRITE /a eA==', '@@TERMINAL ls', '@@REQUEST terminal/kill {"terminalId":"t"}'),
    );
    expect(link.text()).not.toMatch(/error/);
  });
});

describe('what initialize is answered with', () => {
  test.each([2, 0, 99, '1', null, 1.5])(
    '27 version %j is refused with both versions in the message',
    async (protocolVersion) => {
      const link = startLink({ agent: { initializePatch: { protocolVersion } } });
      const failure = await link.connection.initialize().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(VersionMismatch);
      expect((failure as Error).message).toContain(JSON.stringify(protocolVersion));
      expect((failure as Error).message).toMatch(/version 1\b/);
    },
  );

  test.each([
    { code: -32022, message: 'Unsupported protocol version', data: { requested: 1, supported: [2] } },
    { code: -32602, message: 'Invalid params' },
    { code: -32603, message: 'Internal error', data: { details: 'no config' } },
  ])('28 the error $code is handed on, and the process can be ended', async (initializeError) => {
    const link = startLink({ agent: { initializeError } });
    await expect(link.connection.initialize()).rejects.toMatchObject(initializeError);
    await link.process.stop();
    expect(link.process.exit).toBeDefined();
  });

  test.each([
    ['absent', { protocolVersion: 1 }],
    ['null', { protocolVersion: 1, agentCapabilities: null, agentInfo: null, authMethods: null }],
    ['of the wrong type', { protocolVersion: 1, agentCapabilities: 'all', agentInfo: [], authMethods: {} }],
    [
      'nested rubbish',
      {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: 'true',
          promptCapabilities: 3,
          sessionCapabilities: { close: true, resume: 1 },
        },
        agentInfo: { name: 7 },
        authMethods: [null, 3, { id: 4 }],
      },
    ],
  ])('29 capabilities that are %s count as unsupported', async (_, initializeResult) => {
    const link = startLink({ agent: { initializeResult } });
    expect(await link.connection.initialize()).toEqual({
      info: undefined,
      prompt: { image: false, audio: false, embeddedContext: false },
      loadSession: false,
      resume: false,
      close: false,
      list: false,
      delete: false,
      fork: false,
      archive: false,
      setTitle: false,
      logout: false,
      mcp: { stdio: true, http: false, sse: false },
      additionalDirectories: false,
      steering: false,
      authMethods: [],
    });
    await link.connection.newSession({ cwd: link.folder, mcpServers: [] });
  });

  test('30 every combination of agent capabilities is understood', async () => {
    const flags = ['image', 'audio', 'embeddedContext', 'loadSession', 'resume', 'close'] as const;
    // Rows of an orthogonal array: each pair of flags meets in all four combinations.
    const rows = [
      [0, 0, 0, 0, 0, 0],
      [0, 1, 1, 1, 0, 1],
      [1, 0, 1, 1, 1, 0],
      [1, 1, 0, 0, 1, 1],
      [0, 0, 1, 0, 1, 1],
      [1, 1, 1, 1, 1, 1],
      [1, 0, 0, 1, 0, 1],
      [0, 1, 0, 1, 1, 0],
    ];
    await Promise.all(
      rows.map(async (row) => {
        const on = Object.fromEntries(flags.map((flag, index) => [flag, row[index] === 1]));
        const link = startLink({
          agent: {
            initializePatch: {
              agentCapabilities: {
                loadSession: on['loadSession'],
                promptCapabilities: { image: on['image'], audio: on['audio'], embeddedContext: on['embeddedContext'] },
                sessionCapabilities: {
                  ...(on['resume'] ? { resume: {} } : {}),
                  ...(on['close'] ? { close: {} } : { close: null }),
                },
              },
            },
          },
        });
        const { prompt, loadSession, resume, close } = await link.connection.initialize();
        expect({ ...prompt, loadSession, resume, close }).toEqual(on);
      }),
    );
  });

  test('34 _meta and unknown fields are ignored', async () => {
    const link = startLink({
      agent: {
        initializePatch: {
          _meta: { steering: { supported: true } },
          future: [1],
          agentCapabilities: { _meta: { x: 1 }, warp: true },
        },
      },
    });
    await link.open();
  });

  test('35 the agent tells its name, title and version', async () => {
    const link = startLink();
    expect((await link.connection.initialize()).info).toEqual({
      name: 'fake-agent',
      title: 'Fake Agent',
      version: '9.9.9',
    });
  });
});

describe('an agent that does not start', () => {
  test('31 a silent agent is waited for, and the user can cancel', async () => {
    const link = startLink({ agent: { neverInitialize: true } });
    const source = new CancellationSource();
    let settled = false;
    const initialized = link.connection.initialize(source.token).then(
      () => 'answered',
      () => 'rejected',
    );
    void initialized.then(() => (settled = true));
    await waitUntil('initialize is sent', () => link.sent('initialize').length === 1);
    expect(settled).toBe(false);
    source.cancel();
    await waitUntil('the cancel is sent', () => link.sent('$/cancel_request').length === 1);
    expect(link.sent('$/cancel_request')[0]?.['params']).toEqual({ requestId: 1 });
    await link.process.stop();
    expect(await initialized).toBe('rejected');
  });

  test('31 a call that was cancelled before it began is not sent', async () => {
    const link = startLink();
    const sessionId = await link.open();
    const source = new CancellationSource();
    source.cancel();
    await expect(link.connection.newSession({ cwd: link.folder, mcpServers: [] }, source.token)).rejects.toMatchObject({
      code: -32800,
    });
    await link.connection.setMode(sessionId, 'code');
    expect(link.sent('session/new')).toHaveLength(1);
  });

  test('32 an agent that ends before it answers tells its exit code and the end of stderr', async () => {
    const link = startLink({ agent: { dieAtInitialize: { code: 3, stderr: 'first line\nError: no licence\n' } } });
    await expect(link.connection.initialize()).rejects.toThrow(/connection/);
    expect(await link.exited).toMatchObject({ code: 3, signal: null });
    expect((await link.exited).stderr).toContain('Error: no licence');
  });

  test('32 an agent that is gone before it reads anything does not throw', async () => {
    const link = startLink({ agent: { dieAtStart: { code: 9, stderr: 'bad option\n' } } });
    await expect(link.connection.initialize()).rejects.toThrow();
    expect(await link.exited).toMatchObject({ code: 9, stderr: 'bad option' });
  });

  test('32 an agent killed by a signal tells the signal', async () => {
    const link = startLink({ agent: { dieAtInitialize: { signal: 'SIGSEGV' } } });
    await expect(link.connection.initialize()).rejects.toThrow();
    expect(await link.exited).toMatchObject({ code: null, signal: 'SIGSEGV' });
  });

  test('33 a program that does not exist is ENOENT', async () => {
    const link = startLink({ command: { command: '/nowhere/no-such-agent', args: [] } });
    await expect(link.connection.initialize()).rejects.toThrow();
    expect((await link.exited).spawnError?.code).toBe('ENOENT');
  });

  test.skipIf(process.platform === 'win32')('33 a file that may not be executed is EACCES', async () => {
    const file = join(temporaryFolder(), 'agent.sh');
    writeFileSync(file, '#!/bin/sh\nexit 0\n');
    chmodSync(file, 0o644);
    const link = startLink({ command: { command: file, args: [] } });
    await expect(link.connection.initialize()).rejects.toThrow();
    expect((await link.exited).spawnError?.code).toBe('EACCES');
  });

  test('72 the agent runs in the folder that it was given', async () => {
    const link = startLink();
    await link.open();
    expect(link.notes('start')[0]?.['cwd']).toBe(link.folder);
  });
});
