import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { driverExtension } from './driver.mjs';
import { removeFolder, temporaryFolder } from './project.mjs';
import { mustRun } from './run.mjs';
import { vscodeFromNpm } from './vscode.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {number} [port] on 127.0.0.1; a free one when it is 0 or left out
 * @property {string} [dataDir] state of the server; a new temporary folder, removed on stop, when left out
 * @property {string} [extensionsDir] installed extensions; `exts` in the data folder when left out
 * @property {readonly string[]} [builtIn] the only ones of VS Code's own extensions that are there; all when left out
 * @property {readonly string[]} [install] extension folders that are linked into `extensionsDir` as installed ones
 * @property {boolean} [development] makes the address able to name an extension under development and a suite to run;
 * such
 *   a workbench shows no notification toasts and answers dialogs by itself, so it is not for tests that act as a user
 * @property {Record<string, unknown>} [settings] machine settings beside the quiet defaults
 * @property {boolean} [trust] false leaves workspace trust on, so that a folder opens in Restricted Mode; default true
 * @property {readonly string[]} [under] a command that runs the server as its last words, such as `strace -f …`
 * @property {number} [graceSeconds] for how long a window may come back that went without a goodbye; default 20
 * @property {import('./vscode.mjs').VSCodeFromNpm} [code] where `under` finds VS Code; the one in the cache when left out
 * @property {NodeJS.ProcessEnv} [env] variables beside our own, for the server and its extension host; undefined
 * removes one
 */

/**
 * @typedef {object} OpenOptions
 * @property {string} [folder] the workspace folder, or a `.code-workspace` file
 * @property {string} [extension] a folder to load as extension under development
 * @property {string} [tests] the compiled suite that the extension host runs
 * @property {ReadonlyArray<readonly [string, string]>} [payload] further workbench options
 */

/** @type {readonly NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A colour that no window of a test draws. */
export const versionColor = 'ports.iconRunningProcessForeground';

/**
 * VS Code's own extensions that tests need. The others, mostly for languages and sign-ins, cost each window more than
 * Parley does.
 */
export const fewExtensions = [
  'configuration-editing',
  'git',
  'git-base',
  'javascript',
  'json',
  'json-language-features',
  'markdown-basics',
  'media-preview',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
];

/** VS Code's language server for TypeScript, which lies among the modules. */
export const languageServer = ['typescript-language-features', 'node_modules'];

/** Settings that keep a fresh VS Code from covering what a test looks at, and from drawing without end. */
const quietSettings = {
  // As on a desktop. In a browser VS Code saves after a second by itself, which a test of unsaved text loses on a slow
  // machine.
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  // Ports that anything on this machine opens would be told of in a notification over the panel.
  'remote.autoForwardPorts': false,
  'workbench.tips.enabled': false,
  'editor.cursorBlinking': 'solid',
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.banner': 'never',
  'security.workspace.trust.startupPrompt': 'never',
};

/** What the server says about native modules that were not compiled, and about features that tests do not use. */
const noise =
  /spdlog|native-watchdog|vsda|bindings file|node:internal|punycode|DEP0\d+|--trace-|reconnection-grace|AgentHostChannel|Web UI available|default profile extensions|^\s*(at |\{|\}|code:|requireStack|tries:|'|\]|- \/)|^\*$|^\* |^\[[\d:]+\]\s*$|^\s*$/;

/** A running VS Code server. Everything it starts is in one process group, which `stop` ends. */
export class Server {
  /** How often the settings were replaced. */
  settingsVersion = 0;
  /** Whether commands can be run past the palette. */
  hasDriver = false;
  /** Lines that the server printed, without its known noise. @type {string[]} */
  log = [];
  /** Settles when the process has ended. @type {Promise<number | null>} */
  exited;
  #child;
  #removeOnStop;
  #settings;

  /**
   * @param {import('node:child_process').ChildProcess} child @param {number} port
   * @param {{ dataDir: string, removeOnStop: boolean, development: boolean, settings: Record<string, unknown> }} state
   */
  constructor(child, port, { dataDir, removeOnStop, development, settings }) {
    this.#child = child;
    this.#settings = settings;
    this.#removeOnStop = removeOnStop;
    this.port = port;
    this.dataDir = dataDir;
    this.development = development;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
    });
    process.once('exit', this.#endGroup);
    signals.forEach((signal) => process.once(signal, this.#endOnSignal));
  }

  get pid() {
    return /** @type {number} */ (this.#child.pid);
  }

  /** The address of the workbench. @param {OpenOptions} options */
  url({ folder, extension, tests, payload = [] } = {}) {
    /** @type {(readonly [string, string])[]} */
    const all = [['skipWelcome', 'true'], ...payload];
    if (extension) {
      all.push(['extensionDevelopmentPath', this.remote(extension)]);
    }
    if (tests) {
      all.push(['extensionTestsPath', this.remote(tests)]);
    }
    const query = new URLSearchParams();
    if (folder) {
      query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', pathToFileURL(folder).pathname);
    } else {
      query.set('ew', 'true');
    }
    if (this.development) {
      query.set('payload', JSON.stringify(all));
    }
    // The workbench reads `folder` as a path, in which URLSearchParams' plus signs would stand for themselves.
    return `http://127.0.0.1:${this.port}/?${query.toString().replaceAll('+', '%20')}`;
  }

  /** A file of this machine as the workbench in the browser names it. @param {string} path */
  remote(path) {
    return `vscode-remote://127.0.0.1:${this.port}${pathToFileURL(path).pathname}`;
  }

  /**
   * Changes machine settings. Undefined removes one. `Workbench.changeSettings` also waits until a window has read
   * them.
   * @param {Record<string, unknown>} changes
   */
  updateSettings(changes) {
    this.replaceSettings({ ...this.#settings, ...changes });
  }

  /** Makes these the machine settings, beside the quiet defaults. @param {Record<string, unknown>} settings */
  replaceSettings(settings) {
    this.#settings = settings;
    this.settingsVersion += 1;
    writeSettings(this.dataDir, { ...settings, 'workbench.colorCustomizations': { [versionColor]: this.versionHex } });
  }

  /** The version of the settings as a colour, by which a window shows which ones it has read. */
  get versionHex() {
    return `#${this.settingsVersion.toString(16).padStart(6, '0')}`;
  }

  /**
   * Machine settings as they stand in their file now; none while VS Code writes it.
   * @returns {Record<string, unknown>}
   */
  settings() {
    const text = readFileSync(join(this.dataDir, 'data/Machine/settings.json'), 'utf8');
    try {
      return JSON.parse(text);
    } catch {
      return {};
    }
  }

  /** Ends the server with everything it started, and removes its state if that was made for it. */
  async stop() {
    process.removeListener('exit', this.#endGroup);
    signals.forEach((signal) => process.removeListener(signal, this.#endOnSignal));
    signalGroup(this.pid, 'SIGTERM');
    const patience = setTimeout(() => signalGroup(this.pid, 'SIGKILL'), 3000);
    await this.exited;
    clearTimeout(patience);
    // The group outlives its leader while an extension host is still closing.
    signalGroup(this.pid, 'SIGKILL');
    if (this.#removeOnStop) {
      removeFolder(this.dataDir);
    }
  }

  #endGroup = () => {
    signalGroup(this.pid, 'SIGKILL');
    if (this.#removeOnStop) {
      try {
        removeFolder(this.dataDir);
      } catch {
        // Something of the group writes into it while it dies.
      }
    }
  };

  /** A process that dies of a signal runs no exit handlers, so its server would stay. @param {NodeJS.Signals} signal */
  #endOnSignal = (signal) => {
    this.#endGroup();
    if (process.listenerCount(signal) === 0) {
      process.kill(process.pid, signal);
    }
  };
}

/**
 * Starts a server and resolves when it listens.
 * @param {ServerOptions} [options]
 */
export async function startServer({
  port: wished = 0,
  dataDir,
  extensionsDir,
  builtIn,
  install = [],
  development = false,
  settings = {},
  trust = true,
  under = [],
  env = {},
  graceSeconds = 20,
  code: given,
} = {}) {
  const code = given ?? (await vscodeFromNpm());
  const state = dataDir ?? temporaryFolder('vscode');
  const extensions = extensionsDir ?? join(state, 'exts');
  writeSettings(state, settings);
  install.forEach((folder) => linkExtension(folder, extensions));
  const builtInFolder = builtIn && linkBuiltIn(builtIn, code.extensions, state);
  const [program = code.node, ...words] = [...under, code.node];
  const child = spawn(
    program,
    [
      ...words,
      code.serverMain,
      '--host',
      '127.0.0.1',
      '--port',
      String(wished),
      '--without-connection-token',
      '--accept-server-license-terms',
      // Without this switch the workbench ignores the payload of its address.
      ...(development ? ['--enable-smoke-test-driver'] : []),
      '--server-data-dir',
      state,
      '--extensions-dir',
      extensions,
      ...(builtInFolder ? ['--builtin-extensions-dir', builtInFolder] : []),
      '--telemetry-level',
      'off',
      // VS Code's own default is hours, and until then the extension host stays.
      '--reconnection-grace-time',
      String(graceSeconds),
      ...(trust ? ['--disable-workspace-trust'] : []),
    ],
    {
      env: serverEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  );

  /** @type {string[]} */
  const lines = [];
  const port = await new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => fail('did not listen within 60 s'), 60_000);
    /** @param {string} why */
    const fail = (why) => {
      clearTimeout(tooLate);
      signalGroup(Number(child.pid), 'SIGKILL');
      reject(new Error(`VS Code's server ${why}.\n${lines.slice(-30).join('\n')}`));
    };
    child.once('error', (error) => fail(`could not start: ${error.message}`));
    child.once('exit', (exitCode) => fail(`ended with code ${exitCode}`));
    /** @param {string} line */
    const read = (line) => {
      if (!noise.test(line)) {
        lines.push(line);
      }
      const listening = /Extension host agent listening on (\d+)/.exec(line);
      if (listening) {
        clearTimeout(tooLate);
        child.removeAllListeners('exit');
        resolve(Number(listening[1]));
      }
    };
    eachLine(child.stdout, read);
    eachLine(child.stderr, read);
  });
  const server = new Server(child, port, {
    dataDir: state,
    removeOnStop: dataDir === undefined,
    development,
    settings,
  });
  server.log = lines;
  server.hasDriver = install.includes(driverExtension);
  return server;
}

/**
 * Installs a VSIX for servers that use the same folders.
 * @param {string} vsix
 * @param {Pick<ServerOptions, 'extensionsDir' | 'code' | 'under'> & { dataDir: string }} options as of the servers
 */
export async function installExtension(
  vsix,
  { dataDir, extensionsDir = join(dataDir, 'exts'), code: given, under = [] },
) {
  const code = given ?? (await vscodeFromNpm());
  const [program = code.node, ...words] = [...under, code.node];
  const args = [
    ...words,
    code.serverMain,
    '--install-extension',
    vsix,
    '--extensions-dir',
    extensionsDir,
    '--server-data-dir',
    dataDir,
    '--accept-server-license-terms',
  ];
  return mustRun(program, args, { env: serverEnvironment({}), label: 'Installing the VSIX' });
}

/**
 * Installs an extension as a link to its folder: what is built there runs, without packaging.
 * @param {string} folder @param {string} extensionsDir
 */
function linkExtension(folder, extensionsDir) {
  const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  mkdirSync(extensionsDir, { recursive: true });
  const link = join(extensionsDir, `${publisher}.${name}-${version}`);
  if (!existsSync(link)) {
    // A junction is the kind of link that Windows makes without administrator rights; others ignore the word.
    symlinkSync(folder, link, 'junction');
  }
}

/**
 * Makes a folder with some of VS Code's own extensions.
 * @param {readonly string[]} names
 * @param {string} from
 * @param {string} state
 */
function linkBuiltIn(names, from, state) {
  const folder = join(state, 'builtin');
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    if (!existsSync(join(folder, name))) symlinkSync(join(from, name), join(folder, name), 'junction');
  }
  return folder;
}

/** @param {string} dataDir @param {Record<string, unknown>} settings */
function writeSettings(dataDir, settings) {
  const folder = join(dataDir, 'data/Machine');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, '\t'));
}

/** @param {NodeJS.ProcessEnv} extra */
function serverEnvironment(extra) {
  const env = { ...process.env, ...extra };
  for (const name of Object.keys(env)) {
    // A terminal inside VS Code and a test runner leave variables that would make this one believe it is theirs.
    if (env[name] === undefined || /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|VITEST|npm_)/.test(name)) {
      delete env[name];
    }
  }
  return env;
}

/** @param {import('node:stream').Readable} stream @param {(line: string) => void} read */
function eachLine(stream, read) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(read);
  });
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function signalGroup(pid, signal) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}
