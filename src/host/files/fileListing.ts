import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import type { Logger } from '../../base/log';
import { readRepositoryText } from '../../node/readRepositoryFile';
import { ProgramError, runProgram } from '../../node/runProgram';
import { IgnoreRules } from './ignoreRules';
import { inEditor } from './pathPolicy';
import { slices } from '../platform/slices';

/** A larger repository is listed only in part; typing a path still works. */
const MAX_FILES = 300_000;
/**
 * ripgrep lists 200,000 files in 0.3 s, on a busy machine with a cold disk in a few seconds. Without a memory limit it
 * gets less time.
 */
const TIMEOUT_MS = process.platform === 'linux' ? 10_000 : 5_000;
/** Bytes; 300,000 long paths. */
const MAX_OUTPUT = 128 * 1024 * 1024;
/** MiB. ripgrep takes a tenth of it, unless a `.gitignore` is a link to a device. */
const MAX_MEMORY = 512;

/** Folders that ripgrep failed to list, and would fail to list again. */
const beyondRipgrep = new Set<string>();
let ripgrep: Promise<string | undefined> | undefined;

/**
 * All files of a workspace folder that a user may look for, relative to it with `/`: `.gitignore` at every level and
 * `files.exclude` are respected. Uses VS Code's own ripgrep if found, else VS Code's search.
 */
export async function listFiles(folder: vscode.WorkspaceFolder, log: Logger): Promise<string[]> {
  const program = await (ripgrep ??= findRipgrep());
  const { fsPath } = folder.uri;
  // One of several folders may be missing; the system's error would name the program instead.
  if (
    folder.uri.scheme === 'file' &&
    !(await stat(fsPath).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    return [];
  if (program !== undefined && folder.uri.scheme === 'file' && !beyondRipgrep.has(fsPath)) {
    try {
      return await listByRipgrep(program, folder);
    } catch (error) {
      beyondRipgrep.add(fsPath);
      const reason = messageOf(error);
      log.warn(`VS Code's search lists ${folder.name} from now on, because ripgrep could not: ${reason}`);
    }
  }
  return listBySearch(folder, log);
}

/** Where the ripgrep of this VS Code is; it has moved several times. Undefined where it is nowhere that we know. */
export async function findRipgrep(): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = ['@vscode/ripgrep/bin', `@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}`];
  for (const modules of ['node_modules', 'node_modules.asar.unpacked']) {
    for (const path of packages) {
      const file = nodePath.join(vscode.env.appRoot, modules, path, name);
      if (
        await stat(file).then(
          (found) => found.isFile(),
          () => false,
        )
      )
        return file;
    }
  }
  return undefined;
}

async function listByRipgrep(program: string, folder: vscode.WorkspaceFolder): Promise<string[]> {
  const globs = excludePatterns(folder).flatMap((pattern) => [
    '--glob',
    `!${pattern.startsWith('**/') ? pattern : `/${pattern}`}`,
  ]);
  const args = [
    '--files',
    '--hidden',
    '--no-require-git',
    '--no-config',
    '--no-messages',
    '--path-separator=/',
    '--glob',
    '!**/.git',
    ...globs,
  ];
  // The user's global gitignore is found through the home folder.
  const env = Object.fromEntries(
    ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot'].map((name) => [name, process.env[name]]),
  );
  const listed = await runProgram(program, args, {
    cwd: folder.uri.fsPath,
    env,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_OUTPUT,
    maxMemory: MAX_MEMORY,
  }).catch((error: unknown) => {
    // 1 = nothing found, 2 = a folder could not be read; the found files count.
    if (error instanceof ProgramError && (error.exitCode === 1 || (error.exitCode === 2 && error.stdout.length > 0)))
      return error.stdout;
    throw error;
  });
  return inEditor(listed.toString('utf8'))
    .split('\n', MAX_FILES)
    .filter((line) => line !== '');
}

/** The enabled patterns of `files.exclude`. Those with a condition (`when`) are left to VS Code. */
function excludePatterns(folder: vscode.WorkspaceFolder): string[] {
  const exclude = vscode.workspace.getConfiguration('files', folder.uri).get<Record<string, unknown>>('exclude', {});
  return Object.entries(exclude).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

async function listBySearch(folder: vscode.WorkspaceFolder, log: Logger): Promise<string[]> {
  const uris = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '**/*'), undefined, MAX_FILES);
  const root = folder.uri.fsPath;
  const rules = new IgnoreRules({ root, excluded: [], read: (path) => readRepositoryText(root, path, log) });
  const pause = slices();
  const seen: string[] = [];
  for (const uri of uris) {
    await pause();
    const learning = rules.learn(uri.fsPath);
    if (learning) await learning;
    if (!rules.isIgnored(uri.fsPath)) seen.push(nodePath.posix.relative(folder.uri.path, uri.path));
  }
  return seen;
}
