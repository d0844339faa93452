/* Another extension that uses Parley's API, as docs/api.md describes it. */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
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
