/**
 * `npm start [-- --agent NAME] [--folder PATH] [--browser]`: opens VS Code with Parley, the chat panel showing. Needs
 * only Node and npm: what is missing is installed. The desktop VS Code is used where there is one, else the VS Code
 * from npm in the browser, whose address is printed. Runs until the window is closed or Ctrl+C, then ends what it
 * started.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findAgent } from './agentName.mjs';
import { builtInAgents } from './builtInAgents.mjs';
import { onPath } from './onPath.mjs';
import {
  build,
  copySampleWorkspace,
  installDependencies,
  manifest,
  removeFolder,
  root,
  temporaryFolder,
} from './project.mjs';

const usage = `Usage: npm start [-- OPTIONS]
  --agent NAME    the agent to talk to; its name or the beginning of it
  --folder PATH   the folder to open instead of the sample workspace
  --browser       VS Code in the browser even if there is a desktop VS Code`;

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(1);
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({
      agent: { type: 'string' },
      folder: { type: 'string' },
      browser: { type: 'boolean' },
      help: { type: 'boolean' },
    });
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

const wanted = readArguments();
if (wanted.help) {
  console.log(usage);
  process.exit(0);
}
if (Number(process.versions.node.split('.')[0]) < 20) {
  refuse(`Parley is built with Node 20 or newer; this is ${process.version}.`);
}
// A path is meant from where the user stands; npm itself moves to the project's top folder.
const named =
  wanted.folder === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? process.cwd(), wanted.folder);
if (named !== undefined && !(existsSync(named) && statSync(named).isDirectory())) {
  refuse(`The folder ${named} does not exist.`);
}
// The demo agent is part of the extension: it is not in the catalogue, but the default of the setting.
const names = [
  String(manifest().contributes.configuration.properties['parley.defaultAgent'].default),
  ...builtInAgents().map(({ name }) => name),
];
const agent = wanted.agent === undefined ? undefined : findAgent(wanted.agent, names);
if (wanted.agent !== undefined && agent === undefined) {
  refuse(`There is no agent "${wanted.agent}". There are:\n${names.map((name) => `  ${name}`).join('\n')}`);
}

/** @type {(() => Promise<void> | void)[]} */
const cleanup = [];
let ending = false;

/** Undoes everything in reverse order, once. @param {number} code */
async function end(code) {
  if (ending) {
    return;
  }
  ending = true;
  for (const undo of cleanup.toReversed()) {
    await undo();
  }
  process.exit(code);
}
process.on('SIGINT', () => void end(0));
process.on('SIGTERM', () => void end(0));
process.on('SIGHUP', () => void end(0));

await installDependencies();
await build();

let folder = named;
if (folder === undefined) {
  const copy = copySampleWorkspace();
  cleanup.push(copy.remove);
  folder = copy.folder;
}
const settings = { 'window.restoreWindows': 'none', ...(agent === undefined ? {} : { 'parley.defaultAgent': agent }) };
const env = { ...process.env, PARLEY_OPEN_ON_START: '1' };
const hasScreen =
  process.platform === 'win32' ||
  process.platform === 'darwin' ||
  Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
const code = wanted.browser || !hasScreen ? undefined : onPath('code');
if (code) {
  await openDesktop(code, folder);
} else {
  await openInBrowser(folder);
}

/**
 * A profile of its own: the user's settings and extensions stay as they are, and the window is a process we can wait
 * for.
 * @param {string} program @param {string} workspace
 */
async function openDesktop(program, workspace) {
  const profile = temporaryFolder('desktop');
  cleanup.push(() => removeFolder(profile));
  mkdirSync(join(profile, 'User'), { recursive: true });
  writeFileSync(
    join(profile, 'User/settings.json'),
    JSON.stringify(
      { 'workbench.startupEditor': 'none', 'security.workspace.trust.enabled': false, ...settings },
      null,
      2,
    ),
  );
  const args = [
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${profile}`,
    '--disable-extensions',
    '--new-window',
    '--wait',
    workspace,
  ];
  console.log('Opening VS Code… Close its window, or press Ctrl+C here, to end.');
  const shell = process.platform === 'win32';
  // `code` is a batch file on Windows, which only a shell starts.
  const child = shell
    ? spawn(
        `"${program}"`,
        args.map((arg) => `"${arg}"`),
        { env, stdio: 'inherit', shell },
      )
    : spawn(program, args, { env, stdio: 'inherit' });
  cleanup.push(() => {
    child.kill();
  });
  child.on('error', (error) => {
    console.error(`VS Code could not be started: ${error.message}`);
    void end(1);
  });
  child.on('exit', (exitCode) => void end(exitCode ?? 0));
}

/** @param {string} workspace */
async function openInBrowser(workspace) {
  const { startServer } = await import('./server.mjs');
  const server = await startServer({ install: [root], settings, env });
  cleanup.push(() => server.stop());
  console.log(
    `\nVS Code with Parley is at\n\n  ${server.url({ folder: workspace })}\n\nOpen it in a browser. The chat panel is on the right. Press Ctrl+C here to end.\n`,
  );
  void server.exited.then((exitCode) => {
    if (!ending) {
      console.error(`VS Code's server ended by itself.\n${server.log.slice(-20).join('\n')}`);
      void end(exitCode ?? 1);
    }
  });
}
