import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ErrorCodes } from '../../src/acp/errors';
import { CancellationSource, neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { TerminalService } from '../../src/host/terminals/terminalService';
import { loadPtyBackend, pipeBackend, type PtyProcess } from '../../src/node/pty';
import { waitUntil } from './waitUntil';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-terminals-')));
const clock = {
  now: () => Date.now(),
  setTimeout(callback: () => void, delayMs: number) {
    const timer = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};
const sessionId = 's1';
const node = process.execPath;

beforeAll(() => {
  process.env['ELECTRON_RUN_AS_NODE'] = '1';
  process.env['VSCODE_PID'] = '1';
});
afterAll(() => {
  delete process.env['ELECTRON_RUN_AS_NODE'];
  delete process.env['VSCODE_PID'];
  rmSync(folder, { recursive: true, force: true });
});

// Protocol rules hold with and without a pseudo-terminal.
describe.each([
  { name: 'node-pty', backend: () => loadPtyBackend(), isPty: true },
  { name: 'pipes', backend: async () => pipeBackend, isPty: false },
])('terminal/* on $name', ({ backend, isPty }) => {
  let service: TerminalService;
  beforeEach(() => {
    service = new TerminalService({
      scopes: (id) => (id === sessionId ? { sessionId, agent: 'Test', cwd: folder, roots: [folder] } : undefined),
      clock,
      log: silentLogger,
      environment: () => process.env,
      backend,
    });
  });
  afterEach(() => service.dispose());

  const create = async (command: string, args?: readonly string[] | null, more: object = {}) =>
    (
      await service.createTerminal(
        { sessionId, command, ...(args === undefined ? {} : { args: args as string[] | null }), ...more } as Parameters<
          TerminalService['createTerminal']
        >[0],
        neverCancelled,
      )
    ).terminalId;
  const wait = (terminalId: string) => service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled);
  const output = (terminalId: string) => service.terminalOutput({ sessionId, terminalId });
  const run = async (command: string, args?: readonly string[] | null, more: object = {}) => {
    const terminalId = await create(command, args, more);
    const exit = await wait(terminalId);
    return { terminalId, exit, ...(await output(terminalId)) };
  };
  const script = (code: string) => [node, ['-e', code]] as const;
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  it('144: create answers before the command ends, with ids of their own', async () => {
    const ids = await Promise.all([create('sleep', ['20']), create('sleep', ['20']), create('sleep', ['20'])]);
    expect(new Set(ids).size).toBe(3);
    expect((await output(ids[0]!)).exitStatus).toBeUndefined();
  });

  it('145: arguments arrive literally', async () => {
    const args = ['a b', '$HOME', '*', '', `it's "quoted"`, '\\', '日本'];
    const { output: text } = await run(node, ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...args]);
    expect(JSON.parse(text)).toEqual(args);
  });

  it("145: the environment is overlaid, the default folder is the session's", async () => {
    const { output: text } = await run(node, ['-p', 'process.env.FOO + process.cwd()'], {
      env: [{ name: 'FOO', value: 'a=b ' }],
    });
    expect(text).toBe(`a=b ${folder}\n`);
    expect((await run('pwd', [], { cwd: '/' })).output).toBe('/\n');
  });

  it("145: nothing of VS Code's own environment reaches the command; colours are offered and pagers kept away", async () => {
    const { output: text } = await run(...script('console.log(JSON.stringify(process.env))'));
    const env = JSON.parse(text) as Record<string, string>;
    expect(Object.keys(env).filter((name) => /^(ELECTRON_|VSCODE_|NODE_OPTIONS)/.test(name))).toEqual([]);
    expect(env).toMatchObject({ TERM: 'xterm-256color', COLORTERM: 'truecolor', PAGER: 'cat', GIT_PAGER: 'cat' });
    expect((await run('sh', ['-c', 'echo $TERM'], { env: [{ name: 'TERM', value: 'dumb' }] })).output).toBe('dumb\n');
  });

  it.each([
    ['echo a && echo b', 'a\nb\n'],
    ['echo $((1+2)) | cat', '3\n'],
    ['cd / ; pwd', '/\n'],
    ['pwd', `${folder}\n`],
  ])('146: a whole line without arguments runs in a shell: %s', async (line, expected) => {
    expect(await run(line)).toMatchObject({ output: expected, exit: { exitCode: 0, signal: null } });
  });

  it('147: the status is absent while it runs and present after; truncated is always there', async () => {
    const terminalId = await create(
      ...script('console.log("ready"); process.stdin.resume(); setTimeout(() => {}, 60000)'),
    );
    await waitUntil('output', async () => (await output(terminalId)).output.includes('ready'));
    expect(await output(terminalId)).toEqual({ output: 'ready\n', truncated: false });
    await service.killTerminal({ sessionId, terminalId });
    expect((await output(terminalId)).exitStatus).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  it.each([
    [10, 'tail on a character boundary'],
    [3, 'less than one emoji'],
    [0, 'nothing at all'],
  ])('148: the newest %i bytes are kept: %s', async (outputByteLimit) => {
    const { output: text, truncated } = await run('printf', ['%s', 'abc😀😀😀é'], { outputByteLimit });
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(outputByteLimit);
    expect('abc😀😀😀é'.endsWith(text)).toBe(true);
    expect(text).toBe({ 10: '😀😀é', 3: 'é', 0: '' }[outputByteLimit]);
  });

  it('149: every waiter gets the exit, also one who comes after it', async () => {
    const terminalId = await create('sh', ['-c', 'sleep 0.2; exit 7']);
    const expected = { exitCode: 7, signal: null };
    expect(await Promise.all([wait(terminalId), wait(terminalId), wait(terminalId)])).toEqual([
      expected,
      expected,
      expected,
    ]);
    expect(await wait(terminalId)).toEqual(expected);
  });

  it('149: a signal is named', async () => {
    expect((await run('sh', ['-c', 'kill -9 $$'])).exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('150: kill ends the whole tree, also what left the process group, and the terminal stays', async () => {
    // One grandchild in a session of its own, one that ignores SIGTERM.
    const code = `
      const { spawn } = require('node:child_process');
      const own = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      const deaf = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); console.log("pids", process.argv[1], process.pid); setInterval(() => {}, 1000)', String(own.pid)], { stdio: 'inherit' });
      setInterval(() => {}, 1000);`;
    const terminalId = await create(...script(code));
    await waitUntil('both children', async () => /pids \d+ \d+\n/.test((await output(terminalId)).output));
    const pids = /pids (\d+) (\d+)/
      .exec((await output(terminalId)).output)!
      .slice(1)
      .map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    const waiting = wait(terminalId);
    await service.killTerminal({ sessionId, terminalId });
    expect(await waiting).toMatchObject({ exitCode: null });
    await waitUntil('the tree to be gone', () => !pids.some(isAlive));
    expect((await output(terminalId)).output).toContain('pids');
    await service.killTerminal({ sessionId, terminalId });
  });

  it('150: the user can stop a command as long as it runs, and the agent hears of its end', async () => {
    const terminalId = await create('sleep', ['600']);
    expect(service.view(sessionId, terminalId)).toMatchObject({ running: true, canCancel: true });
    const waiting = wait(terminalId);
    expect([
      service.stop(sessionId, terminalId),
      service.stop(sessionId, 'other'),
      service.stop('other', terminalId),
    ]).toEqual([true, false, false]);
    expect(await waiting).toMatchObject({ signal: expect.stringMatching(/^SIG(TERM|KILL|HUP)$/) as string });
    await waitUntil('its end on the card', () => service.view(sessionId, terminalId)?.running === false);
  });

  it('151: release ends the command, settles waiters and makes the id unknown', async () => {
    const terminalId = await create('sleep', ['600']);
    const waiting = wait(terminalId);
    await service.releaseTerminal({ sessionId, terminalId });
    expect(await waiting).toMatchObject({ signal: expect.stringMatching(/^SIG(TERM|KILL|HUP)$/) as string });
    for (const call of [
      () => output(terminalId),
      () => wait(terminalId),
      () => service.killTerminal({ sessionId, terminalId }),
      () => service.releaseTerminal({ sessionId, terminalId }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: ErrorCodes.resourceNotFound });
    }
  });

  it('152: a released terminal keeps showing its output', async () => {
    const { terminalId } = await run('echo', ['still here']);
    await service.releaseTerminal({ sessionId, terminalId });
    await waitUntil(
      'the last look',
      () => service.views(sessionId)[0]?.running === false && service.views(sessionId)[0]!.rows.length > 0,
    );
    expect(service.views(sessionId)).toMatchObject([
      { terminalId, command: "echo 'still here'", rows: [[{ text: 'still here' }]], exitCode: 0 },
    ]);
  });

  it.each([
    ['definitely-not-a-command', []],
    ['/no/such/file', ['x']],
    ['definitely-not-a-command --flag', undefined],
    ['', []],
  ])('153: a command that does not exist ends with 127: %s', async (command, args) => {
    const { exit, output: text } = await run(command, args);
    expect(exit).toEqual({ exitCode: 127, signal: null });
    expect(text).toContain('not found');
  });

  it('154: a closed session ends its terminals', async () => {
    const terminalId = await create(...script('console.log(process.pid); setInterval(() => {}, 1000)'));
    await waitUntil('its pid', async () => (await output(terminalId)).output.includes('\n'));
    const pid = Number((await output(terminalId)).output);
    service.disposeSession(sessionId);
    await waitUntil('its end', () => !isAlive(pid));
    expect(service.views(sessionId)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    "154: what was released is not signalled again, when its pid may be another's",
    async () => {
      // Above the greatest pid that there is: nothing is signalled for real.
      const pid = 2 ** 30;
      const idle: PtyProcess = {
        pid,
        onData: () => ({ dispose: () => undefined }),
        onExit: () => ({ dispose: () => undefined }),
        write: () => undefined,
        resize: () => undefined,
      };
      const kill = vi.spyOn(process, 'kill');
      onTestFinished(() => kill.mockRestore());
      const own = new TerminalService({
        scopes: () => ({ sessionId, agent: 'Test', cwd: folder, roots: [folder] }),
        clock,
        log: silentLogger,
        environment: () => process.env,
        backend: async () => ({ isPty, spawn: () => idle }),
      });
      const { terminalId } = await own.createTerminal({ sessionId, command: 'sleep', args: ['600'] }, neverCancelled);
      await own.releaseTerminal({ sessionId, terminalId });
      own.endSession(sessionId);
      own.dispose();
      expect(kill.mock.calls.filter(([to]) => to === -pid)).toHaveLength(1);
    },
  );

  it('155: characters split between writes are whole, and lines end with a line feed only', async () => {
    const { output: text } = await run(
      ...script(`
      const bytes = Buffer.from('é日😀\\n'.repeat(50));
      (async () => { for (const byte of bytes) { process.stdout.write(Buffer.from([byte])); await new Promise(setImmediate); } })();`),
    );
    expect(text).toBe('é日😀\n'.repeat(50));
  });

  it('155: the agent reads no escape sequences, and a progress bar as it ended', async () => {
    const { output: text } = await run('printf', ['\\033[31mred\\033[0m\\n10%%\\r 50%%\\r100%%\\ndone\\n']);
    expect(text).toBe('red\n100%\ndone\n');
  });

  it('155: the end of long output is there when the exit is known, even in a busy host', async () => {
    const busy = setInterval(() => {
      const until = Date.now() + 300;
      while (Date.now() < until);
    }, 310);
    try {
      const { output: text } = await run('sh', ['-c', 'seq 1 30000; printf END']);
      expect(text.endsWith('29999\n30000\nEND')).toBe(true);
      expect(text.length).toBe(168_897);
    } finally {
      clearInterval(busy);
    }
  });

  it('156: null is absent', async () => {
    expect(await run('echo hi', null, { env: null, cwd: null, outputByteLimit: null })).toMatchObject({
      output: 'hi\n',
      truncated: false,
    });
  });

  it('157: a program that waits for input can be ended, and 40 MB do not stay in memory', async () => {
    const terminalId = await create('cat', []);
    await service.killTerminal({ sessionId, terminalId });
    await wait(terminalId);
    const before = process.memoryUsage().heapUsed;
    const { output: text, truncated } = await run(
      'sh',
      ['-c', 'head -c 40000000 /dev/zero | tr "\\0" x | fold -w 99; echo; echo END'],
      { outputByteLimit: 100_000 },
    );
    expect({ truncated, end: text.slice(-4), size: Buffer.byteLength(text) }).toEqual({
      truncated: true,
      end: 'END\n',
      size: 100_000,
    });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
  });

  it('a flood is shown at most ten times a second, and of it no more than a card holds', async () => {
    const looks: number[] = [];
    service.onDidPatch(({ patch }) => patch.op === 'terminal/rows' && looks.push(performance.now()));
    const { terminalId } = await run('sh', ['-c', `yes '${'flood '.repeat(12)}' | head -c 20000000; echo; echo END`], {
      outputByteLimit: 1_000,
    });
    await waitUntil('the last look', () => service.view(sessionId, terminalId)?.running === false);
    // The first look loads the emulator, and the end is looked at without waiting.
    expect(looks.length).toBeLessThanOrEqual((looks.at(-1)! - looks[0]!) / 100 + 4);
    const { rows } = service.view(sessionId, terminalId)!;
    expect(rows.at(-1)).toEqual([{ text: 'END' }]);
    expect(rows.length).toBeLessThanOrEqual(530);
  });

  it('158: a relative folder is refused, and so is one that is not there', async () => {
    await expect(create('pwd', [], { cwd: 'src' })).rejects.toMatchObject({ code: ErrorCodes.invalidParams });
    await expect(create('pwd', [], { cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: ErrorCodes.invalidParams,
    });
  });

  it('142: an unknown session is an error', async () => {
    await expect(create('pwd', [], { sessionId: 'other' })).rejects.toMatchObject({
      code: ErrorCodes.resourceNotFound,
    });
    const { terminalId } = await run('pwd', []);
    await expect(service.terminalOutput({ sessionId: 'other', terminalId })).rejects.toMatchObject({
      code: ErrorCodes.resourceNotFound,
    });
  });

  it('177: a cancelled wait ends with -32800 and the command goes on', async () => {
    const terminalId = await create('sleep', ['600']);
    const source = new CancellationSource();
    const waiting = service.waitForTerminalExit({ sessionId, terminalId }, source.token);
    source.cancel();
    await expect(waiting).rejects.toMatchObject({ code: ErrorCodes.requestCancelled });
    expect((await output(terminalId)).exitStatus).toBeUndefined();
  });

  it('a command in the background does not keep the terminal from ending', async () => {
    const started = Date.now();
    const { exit } = await run('sh', ['-c', 'sleep 600 & echo started']);
    expect(exit.exitCode).toBe(0);
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  it('the card shows colours while the command runs', async () => {
    const terminalId = await create('sh', ['-c', "printf '\\033[1;32mok\\033[0m plain\\n'; sleep 600"]);
    await waitUntil('a first look', () => service.views(sessionId)[0]!.rows.length > 0);
    expect(service.views(sessionId)).toMatchObject([
      { terminalId, running: true, canOpen: true, rows: [[{ text: 'ok', classes: 'b fg-2' }, { text: ' plain' }]] },
    ]);
    expect(service.views(sessionId)[0]!.remark).toEqual(isPty ? undefined : expect.any(String));
    expect(service.running(sessionId)).toMatchObject([{ terminalId, tellsEnd: true, canCancel: true }]);
    service.stop(sessionId, terminalId);
    await wait(terminalId);
    await waitUntil('its card to end', () => service.running(sessionId).length === 0);
  });
});

describe('a terminal that the agent runs itself', () => {
  it('shows output that comes before its start, and its end', async () => {
    const service = new TerminalService({
      scopes: () => undefined,
      clock,
      log: silentLogger,
      environment: () => ({}),
    });
    service.applyAgentEvent(sessionId, { type: 'output', terminalId: 't', data: 'one\n\x1b[31mtwo\x1b[0m\n' });
    service.applyAgentEvent(sessionId, { type: 'started', terminalId: 't' });
    service.applyAgentEvent(sessionId, { type: 'exited', terminalId: 't', exitCode: 3, signal: null });
    await waitUntil('its rows', () => service.views(sessionId)[0]!.rows.length === 2);
    expect(service.views(sessionId)).toMatchObject([
      {
        terminalId: 't',
        canOpen: false,
        running: false,
        exitCode: 3,
        rows: [[{ text: 'one' }], [{ text: 'two', classes: 'fg-1' }]],
      },
    ]);
    expect(service.open(sessionId, 't')).toBe(false);
    service.dispose();
  });

  it('is known to run until its agent or its session ends; only in version 2 its end is sure to be told', () => {
    const service = new TerminalService({
      scopes: () => undefined,
      clock,
      log: silentLogger,
      environment: () => ({}),
    });
    service.applyAgentEvent(sessionId, { type: 'started', terminalId: 'v1' });
    service.applyAgentEvent(sessionId, {
      type: 'patched',
      terminalId: 'v2',
      fields: { terminalId: 'v2', canCancel: true },
    });
    service.applyAgentEvent('another', { type: 'started', terminalId: 'x' });
    expect(service.running(sessionId)).toMatchObject([
      { terminalId: 'v1', tellsEnd: false, canOpen: false, startedAt: expect.any(Number) },
      { terminalId: 'v2', tellsEnd: true, canCancel: true },
    ]);
    service.endSession('another');
    service.disposeSession(sessionId);
    expect([...service.running(sessionId), ...service.running('another')]).toEqual([]);
    service.dispose();
  });

  it('node-pty missing is a remark, not a failure', async () => {
    const backend = await loadPtyBackend(undefined, () => Promise.reject(new Error('no native module')));
    expect(backend).toMatchObject({ isPty: false, problem: 'no native module' });
    expect(existsSync(folder)).toBe(true);
  });
});
