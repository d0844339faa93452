/*
 * Runs commands for tests that do not test the palette, which costs a window a second for each. Takes lines of JSON
 * `{ command, file?, link?, text? }` at a socket in the server's folder, and answers with a line when the command has ended:
 * `{}`, or `{ error }`. The file or the link, as a Uri, or the text is the argument of the command.
 */
const { createHash } = require('node:crypto');
const { rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  const opened = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  // As in test/launch/driver.mjs.
  const socket = vscode.Uri.joinPath(
    context.globalStorageUri,
    '../../../..',
    `driver-${name(opened?.fsPath ?? '')}`,
  ).fsPath;
  rmSync(socket, { force: true });
  const server = createServer((connection) => {
    connection.on('error', () => undefined);
    createInterface(connection).on('line', async (line) => {
      const { command, link, file, text } = JSON.parse(line);
      const args = file ? [vscode.Uri.file(file)] : link ? [vscode.Uri.parse(link)] : text ? [text] : [];
      const answer = await vscode.commands.executeCommand(command, ...args).then(
        () => ({}),
        (error) => ({ error: String(error?.message ?? error) }),
      );
      connection.write(`${JSON.stringify(answer)}\n`);
    });
  });
  server.listen(socket);
  context.subscriptions.push({ dispose: () => server.close() });
};

/** @param {string} path */
const name = (path) => createHash('sha1').update(path).digest('hex').slice(0, 8);
