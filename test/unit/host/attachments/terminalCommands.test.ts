import { beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { TerminalCommands } from '../../../../src/host/attachments/terminalCommands';

const on = vi.hoisted(() => ({ start: undefined as unknown, end: undefined as unknown, close: undefined as unknown }));
vi.mock('vscode', () => ({
  window: {
    activeTerminal: undefined,
    onDidStartTerminalShellExecution: (listener: unknown) => ((on.start = listener), { dispose: () => undefined }),
    onDidEndTerminalShellExecution: (listener: unknown) => ((on.end = listener), { dispose: () => undefined }),
    onDidCloseTerminal: (listener: unknown) => ((on.close = listener), { dispose: () => undefined }),
  },
}));

const terminal = { name: 'zsh' };
const fire = (name: keyof typeof on, event: unknown) => (on[name] as (event: unknown) => void)(event);

/** A command of the user, whose output a test gives. */
function command(value: string) {
  const pieces = new Emitter<string | Error | undefined>();
  const execution = {
    commandLine: { value },
    async *read() {
      for (;;) {
        const piece = await new Promise<string | Error | undefined>((resolve) => pieces.event(resolve));
        if (piece === undefined) return;
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    },
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    start: async () => (fire('start', { terminal, execution }), settled()),
    says: async (piece: string | Error) => (pieces.fire(piece), settled()),
    end: async (exitCode: number) => {
      fire('end', { execution, exitCode });
      pieces.fire(undefined);
      await settled();
    },
  };
}

let commands: TerminalCommands;
beforeEach(() => {
  commands = new TerminalCommands();
});

it('gives the output of the command that the user chose, also if another one has begun since', async () => {
  const one = command('npm test');
  await one.start();
  await one.says('3 failed\r\n');
  await one.end(1);
  const chosen = commands.latest()[0]!;
  const two = command('cat secrets');
  await two.start();
  await two.says('hidden');
  expect((await commands.context(chosen))?.content).toBe('$ npm test\n3 failed\n(exit code 1)\n');
  fire('close', terminal);
  expect((await commands.context(chosen))?.label).toBe('npm test');
});

it('knows the end of a command after which another one has begun', async () => {
  const one = command('make');
  await one.start();
  await one.says('done');
  const chosen = commands.latest()[0]!;
  await command('ls').start();
  await one.end(0);
  expect((await commands.context(chosen))?.content).toBe('$ make\ndone\n(exit code 0)\n');
});

it('gives what has come of an output that breaks off', async () => {
  const one = command('make');
  await one.start();
  await one.says('half');
  await one.says(new Error('broken'));
  await one.end(2);
  expect((await commands.context(commands.latest()[0]!))?.content).toBe('$ make\nhalf\n(exit code 2)\n');
});
