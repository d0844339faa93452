/*
 * Another extension that uses Parley's API, as docs/api.md describes it. It also brings a test that fails, a program that
 * is paused, and a tool for language models.
 */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  failingTest(context);
  pausedProgram(context);
  lookUp(context);
  context.subscriptions.push(
    vscode.commands.registerCommand('parleyTest.call', async () => {
      try {
        const { getApi } = await vscode.extensions.getExtension('parley.parley').activate();
        const parley = await getApi(1, context);
        const session = parley.openSession();
        /** @type {string[]} */
        const types = [];
        session.onDidUpdate(({ type }) => types.push(type));
        const { text, stopReason } = await session.prompt('%%SAY hello caller', [{ label: 'Note', text: 'a note' }]);
        const told = [...new Set(types)].join(' ');
        const chosen = await vscode.window.showInformationMessage(`${text}, ${stopReason}, ${told}`, 'Show');
        if (chosen) await session.show();
      } catch (error) {
        void vscode.window.showErrorMessage(`refused: ${error.message}`);
      }
    }),
  );
};

/** A tool that answers in all kinds of parts, or only when it is cancelled. @param {vscode.ExtensionContext} context */
function lookUp(context) {
  const text = (/** @type {string} */ value) => new vscode.LanguageModelTextPart(value);
  const line = { type: 2, text: 'from a prompt', priority: undefined, lineBreakBefore: undefined };
  const seen = { waiting: 0, cancelled: 0 };
  context.subscriptions.push(
    vscode.commands.registerCommand('parleyTest.lookUps', () => seen),
    vscode.lm.registerTool('parleyTest_lookUp', {
      invoke: async ({ input, toolInvocationToken }, token) => {
        const { word } = /** @type {{ word: string }} */ (input);
        if (word === 'nothing') throw new Error('no such word');
        if (word === 'later') {
          seen.waiting += 1;
          await new Promise((resolve) => token.onCancellationRequested(() => resolve((seen.cancelled += 1))));
        }
        return new vscode.LanguageModelToolResult([
          text(`${word}, ${toolInvocationToken === undefined ? 'outside a chat' : 'in a chat'}`),
          new vscode.LanguageModelPromptTsxPart({ node: { type: 1, ctor: 2, children: [line] } }),
          vscode.LanguageModelDataPart.image(
            new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
            'image/png',
          ),
          vscode.LanguageModelDataPart.json({ word }),
        ]);
      },
    }),
  );
}

/** A test that fails when it runs. @param {vscode.ExtensionContext} context */
function failingTest(context) {
  const controller = vscode.tests.createTestController('parleyTest', 'Parley Test');
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'src/parser.ts');
  const item = controller.createTestItem('adds', 'adds numbers', file);
  item.range = new vscode.Range(2, 0, 2, 0);
  controller.items.add(item);
  controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, () => {
    const run = controller.createTestRun(new vscode.TestRunRequest([item]));
    const message = vscode.TestMessage.diff('sums differ', '4', '5');
    message.location = new vscode.Location(file, new vscode.Position(2, 0));
    // VS Code lists the messages of a test when there are several.
    run.failed(item, [message, new vscode.TestMessage('and another')]);
    run.end();
  });
  context.subscriptions.push(controller);
}

/**
 * A program that is paused at its start, in one frame with one variable. A step goes to the next line, and it runs to the
 * next breakpoint or to its end.
 * @param {vscode.ExtensionContext} context
 */
function pausedProgram(context) {
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'src/parser.ts').fsPath;
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('parleyTest', {
      createDebugAdapterDescriptor: () => {
        const sent = new vscode.EventEmitter();
        let seq = 0;
        let line = 13;
        /** @type {readonly number[]} */
        let breakpoints = [];
        const send = (message) => sent.fire({ seq: ++seq, ...message });
        const event = (name, body) => send({ type: 'event', event: name, body });
        const stopped = (reason) => event('stopped', { reason, threadId: 1, allThreadsStopped: true });
        /** @type {Record<string, (args: any) => object>} */
        const answers = {
          threads: () => ({ threads: [{ id: 1, name: 'main' }] }),
          stackTrace: () => ({
            stackFrames: [{ id: 1, name: 'parse', line, column: 1, source: { name: 'parser.ts', path: file } }],
          }),
          scopes: () => ({ scopes: [{ name: 'Locals', variablesReference: 1, expensive: false }] }),
          variables: () => ({ variables: [{ name: 'index', value: '-1', type: 'number', variablesReference: 0 }] }),
          evaluate: ({ expression }) => ({ result: `${expression} = 0`, variablesReference: 0 }),
          setBreakpoints: ({ breakpoints: all = [] }) => {
            breakpoints = all.map((breakpoint) => breakpoint.line);
            return { breakpoints: all.map((breakpoint) => ({ verified: true, line: breakpoint.line })) };
          },
        };
        /** What comes after the answer. @type {Record<string, () => void>} */
        const afterwards = {
          initialize: () => event('initialized'),
          launch: () => {
            stopped('pause');
            event('output', { output: 'index is below 0\n' });
          },
          next: () => {
            line += 1;
            stopped('step');
          },
          continue: () => {
            const next = breakpoints.find((breakpoint) => breakpoint > line);
            line = next ?? line;
            if (next === undefined) event('terminated');
            else stopped('breakpoint');
          },
          disconnect: () => event('terminated'),
        };
        return new vscode.DebugAdapterInlineImplementation({
          onDidSendMessage: sent.event,
          handleMessage: ({ seq: request_seq, command, arguments: args }) => {
            const body = answers[command]?.(args ?? {}) ?? {};
            send({ type: 'response', request_seq, success: true, command, body });
            afterwards[command]?.();
          },
          dispose: () => sent.dispose(),
        });
      },
    }),
    vscode.commands.registerCommand('parleyTest.debug', () =>
      vscode.debug.startDebugging(vscode.workspace.workspaceFolders[0], {
        type: 'parleyTest',
        request: 'launch',
        name: 'Paused',
      }),
    ),
  );
}
