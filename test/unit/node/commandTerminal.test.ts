import { expect, it } from 'vitest';
import { Emitter } from '../../../src/base/event';
import { CommandTerminal } from '../../../src/node/commandTerminal';
import { type PtyBackend, pipeBackend } from '../../../src/node/pty';

/** A backend that takes every text up to its first null byte, as node-pty does. */
function ptyBackend() {
  const started: string[] = [];
  const backend: PtyBackend = {
    isPty: true,
    spawn: (file, args) => {
      started.push([file, ...args].map((word) => word.split('\0')[0]).join(' '));
      const none = new Emitter<never>();
      return { pid: 0, onData: none.event, onExit: none.event, write: () => undefined, resize: () => undefined };
    },
  };
  return { backend, started };
}

it.each([
  ['an argument', ['-e', 'a\0b'], {}],
  ['a variable', ['-e', ''], { A: 'v\0w' }],
  ['a name', ['-e', ''], { 'A\0B': 'v' }],
])('runs nothing that a null byte would cut off: %s', async (_, args, env) => {
  const pty = ptyBackend();
  for (const backend of [pty.backend, pipeBackend]) {
    const options = { command: process.execPath, args, cwd: process.cwd(), env, size: { cols: 80, rows: 24 } };
    const terminal = new CommandTerminal(options, backend);
    expect(terminal.exit).toEqual({ exitCode: 126 });
    expect(terminal.read().output).toContain('an argument or a variable has a null byte');
  }
  expect(pty.started).toEqual([]);
});
