import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { bareMachine } from '../agents/bareMachine.mjs';
import { until } from './poll.mjs';
import { removeFolder, temporaryFolder } from './project.mjs';
import { mustRun, run } from './run.mjs';
import { fewExtensions, installExtension, startServer } from './server.mjs';
import { makeUser, parentOf, processesOf, removeUser, signal } from './temporaryUser.mjs';
import { vscodeFromNpm } from './vscode.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const sshd = '/usr/sbin/sshd';
/** How long the user's processes may take to end when they are asked to, in ms. */
const GOODBYE_MS = 5_000;

/**
 * Why this machine cannot have a user and an `sshd` of a test; undefined if it can. Installs the `sshd` of a Debian on
 * which nothing would start it as a service.
 */
export async function whyNoRemote() {
  if (process.platform !== 'linux') return 'only on Linux it knows how to make a user';
  if (process.getuid?.() !== 0) return 'only root can make a user';
  if (existsSync(sshd)) return undefined;
  if (existsSync('/run/systemd/system') || !existsSync('/usr/bin/apt-get'))
    return 'there is no sshd; install the package openssh-server';
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env, quiet: true });
    await mustRun('apt-get', ['install', '--yes', '-qq', '--no-install-recommends', 'openssh-server'], { env });
    return undefined;
  } catch (error) {
    return `there is no sshd, and apt cannot install it: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * A machine behind SSH: this one, reached as a user of its own through an `sshd` of its own on loopback. The user has an
 * empty home, `/bin/sh` as shell, and no program on the PATH that runs or installs agents. The user's processes, files
 * and account end with it.
 */
export class RemoteMachine {
  /** VS Code's server and what it stores. */
  dataDir;
  /** A folder for the user's programs; only the profile of the login shell has it on the PATH. */
  tools;
  /** Runs its last words there, as the user. @type {readonly string[]} */
  command;
  /** Keys and settings of the `sshd`. */
  #folder = temporaryFolder('sshd');
  #bare = bareMachine();
  #port;
  /** @type {ChildProcess | undefined} */
  #sshd;
  /** @type {{ child: ChildProcess, from: number, to: number } | undefined} */
  #tunnel;

  /** @param {string} user @param {number} uid @param {string} home @param {number} port */
  constructor(user, uid, home, port) {
    this.user = user;
    this.uid = uid;
    this.home = home;
    this.dataDir = join(home, '.vscode-server');
    this.tools = join(home, 'tools');
    this.#port = port;
    this.command = this.#ssh();
    process.once('exit', this.#end);
  }

  /** Makes the user and starts the `sshd`. */
  static async start() {
    const { user, uid, home } = makeUser();
    const machine = new RemoteMachine(user, uid, home, await freePort());
    try {
      await machine.#listen();
      return machine;
    } catch (error) {
      await machine.stop();
      throw error;
    }
  }

  /** @param {readonly string[]} options */
  #ssh(options = []) {
    const given = {
      IdentityFile: join(this.#folder, 'key'),
      UserKnownHostsFile: join(this.#folder, 'known'),
      StrictHostKeyChecking: 'yes',
      BatchMode: 'yes',
      LogLevel: 'ERROR',
    };
    const words = Object.entries(given).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    return ['ssh', '-F', '/dev/null', '-p', String(this.#port), ...words, ...options, `${this.user}@127.0.0.1`];
  }

  async #listen() {
    const file = (/** @type {string} */ name) => join(this.#folder, name);
    for (const name of ['host', 'key']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
    writeFileSync(file('known'), `[127.0.0.1]:${this.#port} ${readFileSync(file('host.pub'), 'utf8')}`);
    writeFileSync(
      file('config'),
      [
        'ListenAddress 127.0.0.1',
        `Port ${this.#port}`,
        `HostKey ${file('host')}`,
        `AuthorizedKeysFile ${file('key.pub')}`,
        `AllowUsers ${this.user}`,
        `SetEnv PATH=${this.#bare}`,
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'UsePAM no',
        'PidFile none',
        // The folders above the keys are those of every temporary file.
        'StrictModes no',
        '',
      ].join('\n'),
    );
    // The user's side reads the key and the programs.
    for (const folder of [this.#folder, this.#bare]) chmodSync(folder, 0o755);
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const child = spawn(sshd, ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#sshd = child;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    await until(
      () => `sshd to listen; it said: ${said}`,
      () => {
        if (child.exitCode !== null) throw new Error(`sshd ended with code ${child.exitCode}: ${said}`);
        return said.includes('Server listening on');
      },
    );
    // Debian's own profile has every program of the machine on the PATH.
    await this.write('.profile', `PATH=${this.tools}:${this.#bare}\nexport PATH\n`);
    await this.run(`mkdir -p ${this.tools} ${this.dataDir}/data/Machine`);
  }

  /** Runs a line of `/bin/sh` there, and resolves to what it printed. @param {string} line */
  run(line) {
    return mustRun(String(this.command[0]), [...this.command.slice(1), line]);
  }

  /** Writes a file there. @param {string} path from the home @param {string} text @param {string} [mode] */
  write(path, text, mode = '644') {
    const program = `printf %s ${Buffer.from(text).toString('base64')} | base64 -d > ${path} && chmod ${mode} ${path}`;
    return this.run(program);
  }

  /**
   * Copies a folder there.
   * @param {string} from @param {string} to from the home
   * @param {{ names?: readonly string[], without?: readonly string[] }} [options] names: only these in it; without:
   * what not, as `tar` reads it
   */
  async upload(from, to, { names = ['.'], without = [] } = {}) {
    const pack = spawn('tar', ['-C', from, ...without.map((what) => `--exclude=${what}`), '-c', ...names], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [ssh = '', ...words] = this.command;
    const unpack = spawn(ssh, [...words, `mkdir -p ${to} && tar -C ${to} -x`], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    pack.stdout.pipe(unpack.stdin);
    const codes = await Promise.all(
      [pack, unpack].map((child) => new Promise((resolve) => child.once('close', resolve))),
    );
    if (codes.some((code) => code !== 0)) throw new Error(`${from} was not copied: ${codes.join(' and ')}`);
  }

  /**
   * Brings VS Code's server there with the VSIX installed, starts it, and opens a tunnel to it.
   * @param {string} vsix @param {Pick<import('./server.mjs').ServerOptions, 'settings' | 'graceSeconds'>} options
   */
  async serve(vsix, options) {
    const here = await vscodeFromNpm();
    const vscode = dirname(dirname(here.serverMain));
    await this.upload(vscode, `${this.dataDir}/code`, { without: ['./extensions', '*.map'] });
    await this.upload(here.extensions, `${this.dataDir}/code/extensions`, { names: fewExtensions });
    await this.upload(dirname(here.node), `${this.dataDir}/bin`, { names: [basename(here.node)] });
    await this.upload(dirname(vsix), '.', { names: [basename(vsix)] });
    const there = {
      code: {
        ...here,
        node: `${this.dataDir}/bin/${basename(here.node)}`,
        serverMain: `${this.dataDir}/code/out/server-main.js`,
      },
      under: this.command,
      dataDir: this.dataDir,
    };
    const installed = await installExtension(join(this.home, basename(vsix)), there);
    if (!installed.includes('successfully installed')) throw new Error(installed);
    const server = await startServer({ ...options, ...there });
    server.port = await this.#openTunnel(server.port, await freePort());
    return server;
  }

  /** @param {number} to a port there @param {number} from one here */
  async #openTunnel(to, from) {
    const [ssh = '', ...words] = this.#ssh(['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `${from}:127.0.0.1:${to}`]);
    const child = spawn(ssh, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    this.#tunnel = { child, from, to };
    await until('the tunnel', () => {
      if (child.exitCode !== null) throw new Error(`The tunnel ended with code ${child.exitCode}.`);
      return accepts(from);
    });
    return from;
  }

  /** Cuts the tunnel as a network does, without a goodbye. */
  async cutTunnel() {
    const { child } = this.#openedTunnel();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Opens it again, at the same port. */
  async resumeTunnel() {
    const { from, to } = this.#openedTunnel();
    await this.#openTunnel(to, from);
  }

  #openedTunnel() {
    if (!this.#tunnel) throw new Error('There is no tunnel yet.');
    return this.#tunnel;
  }

  /** The user's processes, whoever started them. */
  processes() {
    return processesOf(this.uid);
  }

  /** Whether a process was started through the `sshd`. @param {number} pid */
  isBehind(pid) {
    for (let at = pid; at > 1; at = parentOf(at)) if (at === this.#sshd?.pid) return true;
    return false;
  }

  /** Ends everything: first the user's processes by themselves, which gives an agent time to end what it started. */
  async stop() {
    this.#tunnel?.child.kill();
    for (const { pid } of this.processes()) signal(pid, 'SIGTERM');
    await until('the user’s processes to end', () => this.processes().length === 0, { timeout: GOODBYE_MS }).catch(
      () => undefined,
    );
    process.removeListener('exit', this.#end);
    this.#end();
  }

  #end = () => {
    this.#tunnel?.child.kill();
    this.#sshd?.kill();
    removeUser(this.user, this.uid);
    for (const folder of [this.#folder, this.#bare, this.home]) removeFolder(folder);
  };
}

/** @returns {Promise<number>} a port of 127.0.0.1 at which nothing listens */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** Whether something listens at a port of 127.0.0.1. @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
