import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { AgentTerminals } from '../../../src/host/terminals/agentTerminal';
import { systemClock } from '../../../src/host/platform/clock';
import { TerminalService } from '../../../src/host/terminals/terminalService';
import { until } from './desk';

const sessionId = 'terminals';
const cwd = vscode.workspace.workspaceFolders![0]!.uri.fsPath;

describe('terminals of agents in VS Code', () => {
  let native: AgentTerminals;
  let service: TerminalService;
  let asked: string[];
  let answer: boolean;
  beforeEach(() => {
    asked = [];
    answer = false;
    native = new AgentTerminals(async (title) => asked.push(title) > 0 && answer);
    service = new TerminalService({
      scopes: (id) => (id === sessionId ? { sessionId, agent: 'Test', cwd, roots: [cwd] } : undefined),
      clock: systemClock,
      log: silentLogger,
      environment: () => process.env,
    });
    service.onDidWantToSee((mirror) => native.show(mirror));
  });
  afterEach(() => {
    service.dispose();
    native.dispose();
  });

  const create = async (command: string, args: string[] = []) =>
    (await service.createTerminal({ sessionId, command, args }, neverCancelled)).terminalId;
  const output = async (terminalId: string) => (await service.terminalOutput({ sessionId, terminalId })).output;
  const opened = () =>
    vscode.window.terminals.filter(
      (terminal) => (terminal.creationOptions as vscode.ExtensionTerminalOptions).pty !== undefined,
    );
  /** Waits for the native terminal. VS Code may bring a shell of its own to the front after it. */
  const inFront = () =>
    until('the native terminal', () => {
      const [terminal] = opened();
      if (opened().length === 1 && vscode.window.activeTerminal !== terminal) terminal!.show();
      return opened().length === 1 && vscode.window.activeTerminal === terminal;
    });

  it('runs on node-pty in the extension host, with colours and size', async () => {
    const terminalId = await create('sh', ['-c', 'test -t 1 && stty size && printf "\\033[32mgreen\\033[0m\\n"']);
    assert.deepEqual(await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled), {
      exitCode: 0,
      signal: null,
    });
    assert.equal(await output(terminalId), '30 100\ngreen\n');
    await until('the last look', () => service.views(sessionId)[0]?.running === false);
    const [view] = service.views(sessionId);
    assert.equal(view!.remark, undefined);
    assert.deepEqual(view!.rows[1], [{ text: 'green', classes: 'fg-2' }]);
  });

  it('opens natively: replay, live output, typing; closing it does not end the command', async () => {
    const terminalId = await create('sh', ['-c', 'echo ready; read line; echo "got $line"; sleep 600']);
    await until('the prompt', async () => (await output(terminalId)).includes('ready'));
    assert.equal(service.open(sessionId, terminalId), true);
    await until('the native terminal', () => opened().length === 1);
    // Opening again brings the same one to the front.
    service.open(sessionId, terminalId);
    assert.equal(opened().length, 1);
    opened()[0]!.sendText('hello');
    await until('the answer', async () => (await output(terminalId)).includes('got hello'));
    opened()[0]!.dispose();
    await until('its end', () => opened().length === 0);
    assert.equal((await service.terminalOutput({ sessionId, terminalId })).exitStatus, undefined);
    service.open(sessionId, terminalId);
    await until('the second one', () => opened().length === 1);
    await service.killTerminal({ sessionId, terminalId });
    assert.equal((await service.terminalOutput({ sessionId, terminalId })).exitStatus?.signal, 'SIGTERM');
  });

  it('closed by the user while the command runs, it asks whether that should go on, and opens again with what was there', async () => {
    const terminalId = await create('sh', ['-c', 'echo first; sleep 600']);
    const close = async () => {
      service.open(sessionId, terminalId);
      await inFront();
      await vscode.commands.executeCommand('workbench.action.terminal.kill');
      await until('its end', () => opened().length === 0);
    };
    await close();
    await until('the question', () => asked.length === 1);
    assert.match(asked[0]!, /^echo first; sleep 600$/);
    assert.equal((await service.terminalOutput({ sessionId, terminalId })).exitStatus, undefined);
    answer = true;
    await close();
    assert.equal((await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled)).signal, 'SIGTERM');
    await close();
    // There was nothing to ask for a command that had ended.
    assert.equal(asked.length, 2);
  });

  it('Ctrl+C typed there reaches the command', async () => {
    const terminalId = await create('sh', [
      '-c',
      'trap "echo interrupted; exit 3" INT; echo ready; while :; do sleep 0.1; done',
    ]);
    await until('the prompt', async () => (await output(terminalId)).includes('ready'));
    service.open(sessionId, terminalId);
    await until('the native terminal', () => opened().length === 1);
    opened()[0]!.sendText('\x03', false);
    assert.deepEqual(await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled), {
      exitCode: 3,
      signal: null,
    });
  });

  it('passes the size of the native terminal on', async () => {
    const terminalId = await create('sh', ['-c', 'read line; stty size']);
    service.open(sessionId, terminalId);
    await until('the native terminal', () => opened().length === 1);
    opened()[0]!.sendText('');
    await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled);
    assert.match(await output(terminalId), /^\n?\d+ \d+\n$/);
  });

  it('questions to the terminal are not answered during a replay', async () => {
    const terminalId = await create('sh', [
      '-c',
      'printf "\\033[6n\\033[c\\033]11;?\\007asked\\n"; read line; echo "got [$line]"',
    ]);
    await until('the questions', async () => (await output(terminalId)).includes('asked'));
    service.open(sessionId, terminalId);
    await until('the native terminal', () => opened().length === 1);
    opened()[0]!.sendText('only this');
    await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled);
    assert.match(await output(terminalId), /got \[only this\]/);
  });

  it('nothing that a command prints renames the terminal, gives it another folder or passes for shell integration', async () => {
    // VS Code opens a shell of its own where its panel shows without a terminal, and that one has it.
    const integrations: string[] = [];
    const listener = vscode.window.onDidChangeTerminalShellIntegration(({ terminal }) => {
      if (opened().includes(terminal)) integrations.push(terminal.name);
    });
    try {
      // The terminal answers the last question after it has carried out what came before it.
      const script =
        'read go; stty -icanon -echo min 1; printf "\\033]0;Evil\\007\\033]633;A\\007\\033]633;P;Cwd=/evil\\007\\033]7;file:///evil\\007\\033]633;B\\007\\033[6n"; dd bs=1 count=4 >/dev/null 2>&1; echo answered';
      const terminalId = await create('sh', ['-c', script]);
      service.open(sessionId, terminalId);
      await inFront();
      const [terminal] = opened();
      const { name } = terminal!;
      terminal!.sendText('');
      await until('the answer', async () => (await output(terminalId)).includes('answered'));
      assert.equal(terminal!.name, name);
      assert.equal(terminal!.shellIntegration, undefined);
      assert.deepEqual(integrations, []);
    } finally {
      listener.dispose();
    }
  });

  it('a terminal that has ended and was released can still be looked at', async () => {
    const terminalId = await create('echo', ['done']);
    await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled);
    await service.releaseTerminal({ sessionId, terminalId });
    assert.equal(service.open(sessionId, terminalId), true);
    await until('the native terminal', () => opened().length === 1);
  });
});
