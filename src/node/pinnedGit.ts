import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import nodePath from 'node:path';
import { type Logger, silentLogger } from '../base/log';
import { findProgram } from './findProgram';
import {
  findGitFolders,
  type GitFolders,
  type GitHead,
  hasPlainIndex,
  namedFolder,
  readGitHead,
  sharedIndexes,
} from './gitFolders';
import type { GitLineEnds } from './gitLineEnds';
import { type GitSettings, gitSettings, parseConfig } from './gitSettings';
import { readRepositoryText } from './readRepositoryFile';
import { ProgramError, runProgram } from './runProgram';
import { isWithin } from './isWithin';
import { foldersToAvoid, trustedEnvironment } from './trustedFolders';

/** A longer answer of git is an error. Bytes. */
export const MAX_GIT_OUTPUT = 64 * 1024 * 1024;
/** git may be slow on a cold disk, but must not block for ever. */
const TIMEOUT_MS = 10_000;
/** MiB. A repository of 500,000 files takes a tenth of it. */
const MAX_MEMORY = 2_048;
/** A repository for which git took too long is not read again for this time, ms. */
const PAUSE_MS = 5 * 60_000;

export interface GitRunOptions {
  readonly input?: string;
  /** Of the answer. Bytes. */
  readonly maxBytes?: number;
}

/** Runs one git command from the top of the working tree, and returns its output. @throws ProgramError */
export type RunGit = (args: readonly string[], options?: GitRunOptions) => Promise<Buffer>;

export interface PinnedGitOptions {
  /** The user's environment: PATH, and the location of the user's own settings. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folders in which no git program is accepted: those open in the window. */
  readonly notWithin?: readonly string[];
  readonly log?: Pick<Logger, 'warn'>;
}

/** Git for Windows knows this name, but not Node's name for it. */
const nothing = process.platform === 'win32' ? 'NUL' : '/dev/null';

/** What only one system needs. */
const byPlatform = () => import('./gitByPlatform');

const paused = new Map<string, number>();

/**
 * Runs git on a repository while the repository decides only its files. git never sees the repository's configuration:
 * it works in an empty git folder of ours, with the objects and the index of the repository. So everything that the
 * configuration could name is absent: filters, hooks, pagers, monitors, converters, remotes, helpers and aliases.
 */
export class PinnedGit {
  private constructor(
    readonly folders: GitFolders,
    private readonly settings: GitSettings,
    private readonly program: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * @param folder absolute.
   * @returns undefined without a repository around it, without git, and if it cannot be read this way.
   */
  static async open(
    folder: string,
    { env: inherited, notWithin = [], log = silentLogger }: PinnedGitOptions,
  ): Promise<PinnedGit | undefined> {
    const folders = await findGitFolders(folder, log);
    if (!folders || (paused.get(folders.top) ?? 0) > Date.now() || !(await hasPlainIndex(folders))) return undefined;
    const avoid = await foldersToAvoid(
      [folder, folders.top, ...notWithin],
      inherited['HOME'] ?? inherited['USERPROFILE'] ?? homedir(),
    );
    const env = await trustedEnvironment(inherited, avoid);
    const program = await findProgram('git', folder, env, { avoid });
    if (program === undefined) return undefined;
    if (process.platform === 'darwin' && (await (await byPlatform()).isPlaceholder(program))) return undefined;
    const texts = await Promise.all([
      readRepositoryText(folders.common, nodePath.join(folders.common, 'config'), log),
      readRepositoryText(folders.own, nodePath.join(folders.own, 'config.worktree'), log),
    ]);
    try {
      const [user, repository] = await Promise.all([
        userConfig(program, env),
        parsed(program, env, texts.filter((text) => text !== undefined).join('\n')),
      ]);
      const settings = gitSettings(user, repository, env['HOME'] ?? env['USERPROFILE']);
      if (!settings) return undefined;
      const elsewhere =
        settings.workTree !== undefined && (await namedFolder(folders.own, settings.workTree)) !== folders.top;
      return elsewhere ? undefined : new PinnedGit(folders, settings, program, env, log);
    } catch (error) {
      log.warn(`${folders.top}: git could not be asked: ${String(error)}`);
      return undefined;
    }
  }

  get knowsModes(): boolean {
    return this.settings.knowsModes;
  }

  get ignoresCase(): boolean {
    return this.settings.ignoresCase;
  }

  get lineEnds(): GitLineEnds {
    return this.settings.lineEnds;
  }

  /** The current HEAD; undefined if it is stored in an unknown way. */
  head(): Promise<GitHead | undefined> {
    return readGitHead(this.folders, this.log);
  }

  /**
   * Runs git commands during `work`.
   * @param head the meaning of `HEAD` for them.
   * @throws ProgramError and errors of `work`.
   */
  async use<T>(head: GitHead, work: (run: RunGit) => Promise<T>): Promise<T> {
    const gitFolder = await mkdtemp(nodePath.join(tmpdir(), 'parley-git-'));
    try {
      await this.#fill(gitFolder, head);
      return await work((args, options) => this.#run(gitFolder, args, options));
    } finally {
      // Windows keeps files for a moment that a virus scanner reads.
      await rm(gitFolder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Fills a git folder with only a commit of the repository, its ignore lists and its spelling of file names. */
  async #fill(gitFolder: string, { commit }: GitHead): Promise<void> {
    const { common } = this.folders;
    await Promise.all([mkdir(nodePath.join(gitFolder, 'refs')), mkdir(nodePath.join(gitFolder, 'info'))]);
    const copied = ['info/exclude', 'info/attributes'].map(async (name) => {
      const text = await readRepositoryText(common, nodePath.join(common, name), this.log);
      if (text !== undefined) await writeFile(nodePath.join(gitFolder, name), text);
    });
    const linked = (await sharedIndexes(this.folders)).map(async (file) => {
      const entry = nodePath.join(gitFolder, nodePath.basename(file));
      await symlink(file, entry).catch(async () =>
        (await byPlatform()).copyPart(this.folders.own, file, entry, this.log),
      );
    });
    await Promise.all([
      ...copied,
      ...linked,
      writeFile(nodePath.join(gitFolder, 'config'), this.settings.config),
      writeFile(nodePath.join(gitFolder, 'HEAD'), `${commit ?? 'ref: refs/heads/none'}\n`),
    ]);
  }

  async #run(
    gitFolder: string,
    args: readonly string[],
    { input = '', maxBytes = MAX_GIT_OUTPUT }: GitRunOptions = {},
  ): Promise<Buffer> {
    const { top, own, common } = this.folders;
    const { excludesFile, attributesFile } = this.settings;
    const home = this.env['HOME'] ?? this.env['USERPROFILE'];
    const config = this.env['XDG_CONFIG_HOME'] || (home === undefined ? gitFolder : nodePath.join(home, '.config'));
    const env = {
      ...systemVariables(this.env),
      ...quiet,
      GIT_DIR: gitFolder,
      // A deleted submodule still has its commits.
      GIT_WORK_TREE: (await stat(top).catch(() => undefined)) ? top : gitFolder,
      GIT_INDEX_FILE: nodePath.join(own, 'index'),
      GIT_OBJECT_DIRECTORY: nodePath.join(common, 'objects'),
      GIT_CONFIG_GLOBAL: nothing,
      // An old git does not know the variable above. It finds no settings in an empty home.
      HOME: gitFolder,
      USERPROFILE: gitFolder,
      XDG_CONFIG_HOME: gitFolder,
    };
    const files = [
      '-c',
      `core.excludesFile=${excludesFile ?? nodePath.join(config, 'git', 'ignore')}`,
      '-c',
      `core.attributesFile=${attributesFile ?? nodePath.join(config, 'git', 'attributes')}`,
    ];
    try {
      return await runProgram(this.program, ['--no-pager', '--no-optional-locks', ...files, ...args], {
        cwd: gitFolder,
        env,
        timeoutMs: TIMEOUT_MS,
        maxBytes,
        maxMemory: MAX_MEMORY,
        input,
      });
    } catch (error) {
      if (
        error instanceof ProgramError &&
        (error.reason === 'timedOut' || (error.reason === 'failed' && error.exitCode === undefined))
      ) {
        paused.set(top, Date.now() + PAUSE_MS);
        this.log.warn(`${top} is followed without git for ${PAUSE_MS / 60_000} minutes: ${error.message}`);
      }
      throw error;
    }
  }

  /**
   * The path of a folder in the working tree in git's spelling: "" for the top, else with a final slash.
   * @throws Error for a folder elsewhere.
   */
  async prefixOf(folder: string): Promise<string> {
    const real = await realpath(folder);
    if (!isWithin(real, this.folders.top)) throw new Error(`${folder} is not in ${this.folders.top}`);
    const path = nodePath.relative(this.folders.top, real).split(nodePath.sep).join('/');
    return path === '' ? '' : `${path}/`;
  }
}

const quiet = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C',
};

/** Variables that programs of any system need to run at all. No `GIT_…` among them. */
function systemVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const needed =
    /^(?:PATH|PATHEXT|SystemRoot|SystemDrive|windir|ComSpec|TMPDIR|TEMP|TMP|LD_LIBRARY_PATH|DEVELOPER_DIR)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}

/** The settings of the user and the machine, as git reads them outside a repository. */
async function userConfig(program: string, env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, string>> {
  const own = Object.fromEntries(
    ['HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'APPDATA', 'PROGRAMDATA'].flatMap((name) =>
      env[name] === undefined ? [] : [[name, env[name]] as const],
    ),
  );
  const nowhere = { GIT_DIR: nothing, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return parseConfig(await config(program, ['--list', '-z'], { ...systemVariables(env), ...own, ...nowhere }));
}

/** Reads a configuration as git does, without its includes. */
async function parsed(program: string, env: NodeJS.ProcessEnv, text: string): Promise<ReadonlyMap<string, string>> {
  return parseConfig(
    await config(
      program,
      ['--file', '-', '--no-includes', '--list', '-z'],
      { ...systemVariables(env), ...quiet, GIT_DIR: nothing, GIT_CONFIG_GLOBAL: nothing },
      text,
    ),
  );
}

function config(program: string, args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<Buffer> {
  return runProgram(program, ['config', ...args], {
    cwd: nodePath.parse(tmpdir()).root,
    env,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_CONFIG,
    maxMemory: MAX_MEMORY,
    input,
  });
}

const MAX_CONFIG = 4 * 1024 * 1024;
