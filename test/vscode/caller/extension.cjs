/* Another extension that uses Parley's API, as docs/api.md describes it. */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  failingTest(context);
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
