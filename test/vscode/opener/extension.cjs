/* Opens a link as an application beside VS Code does: a browser has no way to hand one over. */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  const open = async () => {
    const link = await vscode.window.showInputBox({ prompt: 'Link' });
    if (link) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link));
  };
  context.subscriptions.push(vscode.commands.registerCommand('opener.open', open));
};
