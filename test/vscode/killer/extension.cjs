/*
 * Lives in the extension host beside Parley, is there before it, and ends the process by SIGKILL at the N-th step: just
 * before something is done to a file of the workspace or of what Parley keeps, in the middle of writing one, or when the
 * editor tells of an edit, a save, a new file or one that is gone. Is told what to do over a local socket in PARLEY_KILLER.
 */
const fs = require('node:fs');
const http = require('node:http');
const { syncBuiltinESMExports } = require('node:module');
const path = require('node:path');
const vscode = require('vscode');

/** No step for this long: what was begun has ended. Parley saves its review half a second after a change. */
const QUIET_MS = 900;

/** Steps since the host was told to count. @type {string[]} */
let steps = [];
/** The number of the step at which the process ends. @type {number} */
let last = Infinity;
let isCounting = false;
let at = Date.now();
/** @type {readonly string[]} */
let roots = [];

/** @param {unknown} file */
function isWatched(file) {
  if (typeof file !== 'string' && !(file instanceof URL)) return false;
  const name = String(file);
  return /parley\.parley[/\\](review|checkpoints)/.test(name) || roots.some((root) => name.startsWith(root + path.sep));
}

/** @param {string} what @param {() => void} [half] leaves the thing half done */
function step(what, half) {
  if (!isCounting) return;
  at = Date.now();
  steps.push(what);
  if (steps.length === last) die();
  if (!half) return;
  steps.push(`half of ${what}`);
  if (steps.length !== last) return;
  half();
  die();
}

function die() {
  process.kill(process.pid, 'SIGKILL');
}

/** Writes the first half, as a process does that is ended in the middle. @param {'w' | 'a'} flag @param {any} file @param {unknown} data */
function half(flag, file, data) {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(/** @type {any} */ (data));
  return () => {
    const handle = openSync(file, flag);
    writeSync(handle, bytes.subarray(0, bytes.length / 2));
  };
}

const { openSync, writeSync } = fs;
const patched = [
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
  'rename',
  'renameSync',
  'unlink',
  'unlinkSync',
  'rmdir',
  'copyFile',
  'cp',
  'open',
  'truncate',
  'chmod',
];

/** @param {any} module */
function patch(module) {
  for (const name of patched) {
    const original = module[name];
    if (typeof original !== 'function') continue;
    module[name] = function (/** @type {any[]} */ ...args) {
      const isRead = name === 'open' && (typeof args[1] === 'number' ? args[1] === 0 : !/[wax+]/.test(String(args[1])));
      if (!isCounting || isRead || !isWatched(args[0])) return original.apply(this, args);
      const file = path.basename(String(args[0]));
      step(
        `${name} ${file}`,
        name.startsWith('write')
          ? half('w', args[0], args[1])
          : name.startsWith('append')
            ? half('a', args[0], args[1])
            : undefined,
      );
      const result = original.apply(this, args);
      // Who took hold of `rename` before we did is seen by this alone.
      return file.endsWith('.new') && result instanceof Promise
        ? result.then((value) => (step(`after ${name} ${file}`), value))
        : result;
    };
  }
}

/** @type {Record<string, (request: any) => unknown>} */
const table = {
  /** Ends the process at a step from now on. */
  arm: ({ at: number }) => {
    steps = [];
    last = number ?? Infinity;
    isCounting = true;
    at = Date.now();
  },
  /** Resolves to all steps once nothing has happened for a while. */
  settle: async () => {
    at = Date.now();
    while (Date.now() - at < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 50));
    isCounting = false;
    return steps;
  },
  run: ({ command, uri }) => vscode.commands.executeCommand(command, ...(uri ? [vscode.Uri.file(uri)] : [])),
  /** The texts of all open documents, unsaved ones too. */
  documents: () =>
    vscode.workspace.textDocuments.map((document) => ({
      uri: document.uri.toString(),
      text: document.getText(),
      isDirty: document.isDirty,
    })),
  read: async ({ uri }) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText(),
  /** As if the person typed it at the end of a file. An edit is refused where the editor reads the file again just then. */
  type: async ({ file, text }) => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    while (!(await editor.edit((edit) => edit.insert(new vscode.Position(editor.document.lineCount, 0), text))));
  },
  pid: () => process.pid,
  steps: () => steps,
};

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  const socket = process.env['PARLEY_KILLER'];
  if (!socket) return;
  roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  patch(fs);
  patch(fs.promises);
  syncBuiltinESMExports();
  const inWorkspace = (/** @type {vscode.Uri} */ uri) => uri.scheme === 'file';
  const { workspace } = vscode;
  context.subscriptions.push(
    workspace.onDidChangeTextDocument(
      ({ document, contentChanges }) => inWorkspace(document.uri) && contentChanges.length > 0 && step('edited'),
    ),
    workspace.onWillSaveTextDocument(({ document }) => inWorkspace(document.uri) && step('will save')),
    workspace.onDidSaveTextDocument((document) => inWorkspace(document.uri) && step('saved')),
    workspace.onWillCreateFiles(() => step('will create')),
    workspace.onDidCreateFiles(() => step('created')),
    workspace.onDidDeleteFiles(() => step('deleted')),
  );
  fs.rmSync(socket, { force: true });
  http
    .createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { name, ...rest } = JSON.parse(body);
      try {
        response.end(JSON.stringify({ value: await table[name]?.(rest) }));
      } catch (error) {
        response.end(JSON.stringify({ error: String(error) }));
      }
    })
    .listen(socket);
};
