import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPty } from 'node-pty';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { AgentProcess } from '../../../../src/node/agentProcess';
import { CommandTerminal, quoteForCmd } from '../../../../src/node/commandTerminal';
import { loadPtyBackend } from '../../../../src/node/pty';
import { systemProgram } from '../../../../src/node/systemProgram';
import type { Watchdog } from '../../../../src/node/watchdog';
import { workTime } from '../../../fakes/workTime';

vi.mock('../../../../src/node/systemProgram', () => ({ systemProgram: vi.fn(async () => '') }));

/** node-pty on Windows: it starts the process a moment after its call, and only then knows the pid. */
function windowsPty() {
  const [data, exit] = [new Emitter<string>(), new Emitter<{ exitCode: number }>()];
  let ready: (() => void) | undefined;
  const pty = {
    pid: 0,
    _socket: { once: (_event: string, then: () => void) => (ready = then) },
    onData: data.event,
    onExit: exit.event,
    write: () => undefined,
    resize: () => undefined,
  };
  return {
    pty: pty as unknown as IPty,
    start: (pid: number) => {
      pty.pid = pid;
      ready?.();
    },
    end: (exitCode: number) => exit.fire({ exitCode }),
  };
}

async function terminal(name = 'tool.exe', args = ['a.js']) {
  const system = process.platform;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: system }));
  vi.mocked(systemProgram).mockClear();
  const fake = windowsPty();
  const folder = mkdtempSync(join(tmpdir(), 'parley-windows-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, name);
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const backend = await loadPtyBackend(undefined, async () => ({ spawn: () => fake.pty }) as never);
  const watched: number[] = [];
  const watchdog = {
    watch: (pid: number) => (watched.push(pid), { leaderGone: () => undefined, dispose: () => undefined }),
  } as unknown as Watchdog;
  const command = new CommandTerminal(
    {
      command: program,
      args,
      cwd: folder,
      env: {},
      size: { cols: 80, rows: 24 },
      tree: { mark: 'ab.1', watchdog },
    },
    backend,
  );
  return { ...fake, command, watched };
}

const killed = () => vi.mocked(systemProgram).mock.calls.map(([, args]) => args[1]);

it('a command is watched once its pid is known', async () => {
  const { start, watched } = await terminal();
  expect(watched).toEqual([]);
  start(4711);
  await vi.waitFor(() => expect(watched).toEqual([4711]));
});

it('a command that is killed before its pid is known is killed as soon as it is', async () => {
  const { start, end, command } = await terminal();
  const killing = command.kill();
  await Promise.resolve();
  expect(killed()).toEqual([]);
  start(4711);
  await vi.waitFor(() => expect(killed()).toEqual(['4711']));
  end(1);
  await killing;
  expect(await command.whenEnded()).toEqual({ exitCode: 1 });
});

it('a command that cannot be started has ended, and nothing is killed or watched', async () => {
  const { end, command, watched } = await terminal();
  const killing = command.kill();
  end(-1);
  await killing;
  expect([killed(), watched, await command.whenEnded()]).toEqual([[], [], { exitCode: 0xffff_ffff }]);
});

it('an agent ends even if `taskkill` fails', async () => {
  const system = process.platform;
  const agent = new AgentProcess({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    cwd: process.cwd(),
    env: process.env,
  });
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: system }));
  vi.mocked(systemProgram).mockClear();
  const ended = new Promise((resolve) => agent.onDidExit(resolve));
  await agent.terminate();
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  expect(killed()).toEqual([String(agent.pid)]);
});

it('a batch file that would lose a part of its arguments is not started, and says why', async () => {
  const { command } = await terminal('tool.cmd', ['one\ntwo']);
  expect([command.replay, await command.whenEnded()]).toEqual([
    expect.stringContaining('cannot take an argument with a line break'),
    { exitCode: 126 },
  ]);
});

it.each([
  ['a b', '"a b"'],
  ['plain.txt', 'plain.txt'],
  ['C:\\my dir\\', '"C:\\my dir\\\\"'],
  ['say "hi"', '"say ""hi"""'],
  ['a\\"b', '"a\\\\""b"'],
  ['50%', '"50"^%""'],
  ['a&b', '"a&b"'],
  ['', '""'],
])('for cmd, %j is %s', (word, quoted) => expect(quoteForCmd(word)).toBe(quoted));

it('many backslashes take no time', () => {
  const began = workTime();
  quoteForCmd(`${'\\'.repeat(200_000)} `);
  expect(workTime() - began).toBeLessThan(1_000);
});
