/*
 * The floor of the editor's tools: asks VS Code itself, without Parley. The bench writes `<PARLEY_BENCH_LANGUAGE>.ask`
 * with `{ id, command, file, line?, column?, request? }`, the answer is `<PARLEY_BENCH_LANGUAGE>.answer` with
 * `{ id, ms, count }`. Lines and columns are from 0. `request` is one for TypeScript's server, as its name.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');

const file = String(process.env.PARLEY_BENCH_LANGUAGE);

exports.activate = () => {
  let last;
  setInterval(async () => {
    if (!existsSync(`${file}.ask`)) return;
    const { id, command, request, file: path, line = 0, column = 0 } = JSON.parse(readFileSync(`${file}.ask`, 'utf8'));
    if (id === last) return;
    last = id;
    const args = request ? [request, { file: path }] : [vscode.Uri.file(path), new vscode.Position(line, column)];
    const from = performance.now();
    const found = await vscode.commands.executeCommand(command, ...args).then(
      (answer) => answer,
      () => undefined,
    );
    const ms = performance.now() - from;
    const count = Array.isArray(found) ? found.length : found?.body ? 1 : 0;
    writeFileSync(`${file}.answering`, JSON.stringify({ id, ms, count }));
    renameSync(`${file}.answering`, `${file}.answer`);
  }, 20);
};
