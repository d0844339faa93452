import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CancellationSource, neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { callTool, listedTools } from '../../../src/host/editor/callTool';
import type { ToolSession } from '../../../src/host/editor/toolSession';
import { systemClock } from '../../../src/host/platform/clock';
import { TerminalService } from '../../../src/host/terminals/terminalService';
import { Desk, sessionId, until } from './desk';
import { answerOf, patientClock, toolCaller } from './toolCalls';

/*
 * The editor's tools that run something, with VS Code's own tasks, notebooks and debugger. The program that is debugged
 * is the one of test/vscode/caller.
 */

const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const tasks = {
  version: '2.0.0',
  tasks: [
    {
      label: 'unit',
      type: 'shell',
      command: 'echo "$NOTE in ${workspaceFolderBasename}"; exit 3',
      options: { env: { NOTE: 'two words' } },
      group: 'test',
      presentation: { reveal: 'never' },
    },
    { label: 'here', type: 'process', command: 'pwd', options: { cwd: '${workspaceFolder}/src' } },
    { label: 'first', type: 'shell', command: 'true', presentation: { reveal: 'never' } },
    { label: 'all', type: 'shell', command: 'exit 4', dependsOn: 'first', presentation: { reveal: 'never' } },
    { label: 'wait', type: 'shell', command: 'echo begun; sleep 600', presentation: { reveal: 'never' } },
  ],
};
const launch = { version: '0.2.0', configurations: [{ type: 'parleyTest', request: 'launch', name: 'Paused' }] };

describe('tools of the editor that run something', () => {
  let service: TerminalService;
  let asked: string[];
  let allows: boolean;
  before(() => {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    writeFileSync(join(folder, '.vscode/tasks.json'), JSON.stringify(tasks));
    writeFileSync(join(folder, '.vscode/launch.json'), JSON.stringify(launch));
  });
  beforeEach(() => {
    asked = [];
    allows = true;
    service = new TerminalService({
      scopes: (id) => (id === sessionId ? { sessionId, agent: 'Test', cwd: folder, roots: [folder] } : undefined),
      clock: systemClock,
      log: silentLogger,
      environment: () => process.env,
    });
  });
  afterEach(async () => {
    await vscode.debug.stopDebugging();
    service.dispose();
  });
  after(() => rmSync(join(folder, '.vscode'), { recursive: true, force: true }));

  function session(): ToolSession {
    return {
      scope: { sessionId, agent: 'Test', cwd: folder, roots: [folder] },
      files: {} as ToolSession['files'],
      clock: patientClock,
      terminals: Object.assign(service, { show: async (id: string) => void service.open(sessionId, id) }),
      pending: async () => [],
      turnProblems: () => undefined,
      noteLook: () => undefined,
      remark: async () => false,
      ask: async ({ title }) => {
        asked.push(title);
        return allows;
      },
    };
  }

  const call = toolCaller(session);

  it('lists the tasks of tasks.json, and runs one in a terminal of the session', async () => {
    await until('the tasks', async () => (await call('tasks', {})).includes('  unit (Workspace, group test)'));
    assert.match(
      await call('tasks', { group: 'test' }),
      /^1 task of the group test\n {2}unit \(Workspace, group test\)$/,
    );
    const basename = folder.split('/').at(-1)!;
    assert.equal(await call('run_task', { task: 'unit' }), `Exit code 3.\ntwo words in ${basename}`);
    assert.deepEqual(asked, [`Run the task “unit”: NOTE='two words' echo "$NOTE in ${basename}"; exit 3`]);
    assert.equal(await call('run_task', { task: 'here' }), `Exit code 0.\n${join(folder, 'src')}`);
    assert.deepEqual(asked.slice(1), [`Run the task “here”: pwd (in ${join(folder, 'src')})`]);
  });

  it('starts nothing that the user does not allow', async () => {
    allows = false;
    assert.match(await call('run_task', { task: 'unit' }, true), /did not allow this task/);
    assert.deepEqual(service.views(sessionId), []);
  });

  it('leaves a task that needs others to VS Code, and gives its exit code', async () => {
    assert.match(await call('run_task', { task: 'all' }), /^Exit code 4\. VS Code ran this task in its own terminal/);
    assert.deepEqual(asked, ['Run the task “all”: exit 4 (after first)']);
  });

  it('looks again at a task that still runs', async () => {
    const answer = await call('run_task', { task: 'wait', timeout: 1 });
    const terminalId = /run "([^"]+)"/.exec(answer)?.[1];
    assert.ok(terminalId, answer);
    // A shell may take longer than that to start.
    await until('its output', async () => (await call('run_task', { run: terminalId, timeout: 1 })).endsWith('begun'));
    assert.equal(
      await call('run_task', { run: terminalId, timeout: 1 }),
      `Still running after 1 s. Look again with run_task and run "${terminalId}".\nbegun`,
    );
    await service.killTerminal({ sessionId, terminalId });
    assert.equal(await call('run_task', { run: terminalId }), 'Ended by SIGTERM.\nbegun');
  });

  it('debugs: breakpoints, stack, variables, steps, evaluation, and the end', async () => {
    await until('the configuration', async () =>
      (await call('debug', { action: 'configurations' })).includes('  Paused (parleyTest)'),
    );
    assert.match(await call('debug', { action: 'state' }, true), /You are debugging no program/);
    allows = false;
    assert.match(await call('debug', { action: 'start', configuration: 'Paused' }, true), /did not allow/);
    allows = true;
    assert.match(
      await call('debug', { action: 'set_breakpoint', path: 'src/parser.ts', line: 20 }),
      /^Breakpoint at src\/parser\.ts:20/,
    );
    assert.equal(
      await call('debug', { action: 'start', configuration: 'Paused' }),
      'Stopped: pause\n  #0 parse (src/parser.ts:13)',
    );
    assert.equal(asked.at(-1), 'Debug “Paused”: {"type":"parleyTest","request":"launch"}');
    assert.equal(await call('debug', { action: 'variables' }), 'Locals:\n  index = -1');
    assert.equal(await call('debug', { action: 'evaluate', expression: 'index + 1' }), 'index + 1 = 0');
    assert.equal(asked.at(-1), 'Evaluate in the debugged program: index + 1');
    assert.equal(await call('debug', { action: 'step_over' }), 'Stopped: step\n  #0 parse (src/parser.ts:14)');
    assert.equal(await call('debug', { action: 'continue' }), 'Stopped: breakpoint\n  #0 parse (src/parser.ts:20)');
    assert.match(
      await call('debug', { action: 'remove_breakpoint', path: 'src/parser.ts', line: 20 }),
      /^Removed the breakpoint/,
    );
    assert.deepEqual(vscode.debug.breakpoints, []);
    assert.equal(await call('debug', { action: 'continue' }), 'The program has ended.');
    // VS Code tells of the end first, and then of which program it looks at.
    await until('no program', () => vscode.debug.activeDebugSession === undefined);
  });

  it('calls a tool of another extension that the user has chosen', async () => {
    const settings = vscode.workspace.getConfiguration('parley');
    const listed = async () =>
      (await listedTools()).find((tool) => (tool as { name: string }).name === 'ext_parleyTest_lookUp');
    assert.equal(await listed(), undefined);
    assert.match(await call('ext_parleyTest_lookUp', { word: 'a' }, true), /There is no tool/);
    await settings.update('editorTools', { 'parley-test.caller/parleyTest_lookUp': true }, true);
    try {
      await until('the tool', async () => (await listed()) !== undefined);
      assert.deepEqual(await listed(), {
        name: 'ext_parleyTest_lookUp',
        description: 'Looks a word up.\n(Tool of the extension Test caller. The user is asked each time.)',
        inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      });
      allows = false;
      assert.match(await call('ext_parleyTest_lookUp', { word: 'a' }, true), /did not allow this call/);
      allows = true;
      assert.deepEqual(await answerOf(session, { name: 'ext_parleyTest_lookUp', args: { word: 'a' } }), {
        text: 'a, outside a chat\nfrom a prompt\n{\n\t"word": "a"\n}',
        images: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
      });
      assert.equal(asked.at(-1), 'Run the tool “parleyTest_lookUp” of Test caller (parley-test.caller)');
      assert.match(await call('ext_parleyTest_lookUp', { word: 'nothing' }, true), /^The tool failed: .*no such word/);
      const source = new CancellationSource();
      const late = answerOf(session, { name: 'ext_parleyTest_lookUp', args: { word: 'later' } }, source.token);
      const isSeen = async (state: 'waiting' | 'cancelled') =>
        (await vscode.commands.executeCommand<Record<string, number>>('parleyTest.lookUps'))[state] === 1;
      await until('the call', () => isSeen('waiting'));
      source.cancel();
      assert.deepEqual(await late, { text: 'The call was withdrawn.', isError: true });
      await until('the cancellation', () => isSeen('cancelled'));
    } finally {
      await settings.update('editorTools', undefined, true);
    }
  });

  it('sees no program that the user debugs', async () => {
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders![0], 'Paused');
    await until('the session', () => vscode.debug.activeDebugSession !== undefined);
    assert.match(await call('debug', { action: 'stack' }, true), /You are debugging no program/);
    await vscode.debug.stopDebugging();
    await until('its end', () => vscode.debug.activeDebugSession === undefined);
  });
});

describe('tools of the editor for notebooks', () => {
  let desk: Desk;
  const book = (...sources: readonly string[]) =>
    `${JSON.stringify({ cells: sources.map((source) => ({ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] })), metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 }, undefined, 1)}\n`;
  beforeEach(() => {
    desk = new Desk();
    desk.put('book.ipynb', book('one', 'two'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await desk.clear();
  });

  async function call(name: string, args: object, isError = false): Promise<string> {
    const sessionOf = (): ToolSession => ({
      scope: { sessionId, agent: 'Desk', cwd: desk.folder, roots: [desk.folder] },
      files: desk.files,
      clock: systemClock,
      terminals: {} as ToolSession['terminals'],
      pending: async () => [],
      turnProblems: () => undefined,
      noteLook: () => undefined,
      remark: async () => false,
      ask: async () => false,
    });
    const answer = await callTool(
      { id: sessionId, name, args: { path: 'book.ipynb', ...args } },
      { sessionOf, works: () => undefined, log: silentLogger },
      neverCancelled,
    );
    assert.equal(answer.isError === true, isError, answer.text);
    return answer.text;
  }

  it('read cells, edit them as a change of the agent, and one Undo takes it back', async () => {
    assert.equal(await call('notebook', {}), 'book.ipynb: 2 cells\n[0] code python\none\n[1] code python\ntwo');
    assert.equal(
      await call('edit_notebook', { index: 1, source: 'three' }),
      'Cell 1 of book.ipynb was replaced. It has 2 cells now.',
    );
    assert.equal(
      await call('edit_notebook', { action: 'insert', index: 0, kind: 'markdown', source: '# Title' }),
      'Cell 0 of book.ipynb was inserted. It has 3 cells now.',
    );
    await call('edit_notebook', { action: 'delete', index: 1 });
    assert.match(
      await call('notebook', {}),
      /^book\.ipynb: 2 cells\n\[0\] markdown\n# Title\n\[1\] code python\nthree$/,
    );
    assert.deepEqual(
      desk.shownReview.changes().map(({ label }) => label),
      ['book.ipynb'],
    );
    await desk.shownReview.undo({});
    assert.equal(desk.disk('book.ipynb'), book('one', 'two'));
  });

  it('change an open notebook, but none with unsaved cells', async () => {
    const { notebook } = await vscode.window.showNotebookDocument(
      await vscode.workspace.openNotebookDocument(vscode.Uri.file(desk.path('book.ipynb'))),
    );
    await call('edit_notebook', { index: 0, source: 'new' });
    await until('the cell', () => notebook.cellAt(0).document.getText() === 'new' && !notebook.isDirty);
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(1, [new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'mine', 'python')]),
    ]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(await call('edit_notebook', { index: 0, source: 'newer' }, true), /unsaved changes in book\.ipynb/);
    assert.equal(desk.disk('book.ipynb'), book('new', 'two'));
  });
});
