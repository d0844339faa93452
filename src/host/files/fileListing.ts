import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { Ignore } from 'ignore';
import type { Logger } from '../../base/log';

/** A repository with more files is listed in part; typing a path still works. */
const MAX_FILES = 300_000;

/**
 * All files of a workspace folder that a person would look for, relative to it with `/`: `.gitignore` at every level
 * and `files.exclude` are respected. By the ripgrep that VS Code ships where it can be found, else by VS Code's own
 * search.
 */
export async function listFiles(folder: vscode.WorkspaceFolder, log: Logger): Promise<string[]> {
  const program = ripgrep();
  if (program && folder.uri.scheme === 'file') {
    try {
      return await listByRipgrep(program, folder);
    } catch (error) {
      log.warn(`ripgrep could not list ${folder.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return listBySearch(folder);
}

/** Where the ripgrep of this VS Code is; it has moved several times. */
function ripgrep(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = ['@vscode/ripgrep/bin', `@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}`];
  return ['node_modules', 'node_modules.asar.unpacked']
    .flatMap((modules) => packages.map((path) => nodePath.join(vscode.env.appRoot, modules, path, name)))
    .find((path) => existsSync(path));
}

function listByRipgrep(program: string, folder: vscode.WorkspaceFolder): Promise<string[]> {
  const globs = excludePatterns(folder).flatMap((pattern) => ['--glob', `!${pattern.startsWith('**/') ? pattern : `/${pattern}`}`]);
  const args = ['--files', '--hidden', '--no-require-git', '--no-config', '--no-messages', '--path-separator=/', '--glob', '!**/.git', ...globs];
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder.uri.fsPath, maxBuffer: 256 * 1024 * 1024, windowsHide: true }, (error, stdout) => {
      // 1 = nothing found, 2 = some folder could not be read; what was found counts.
      if (error && stdout === '' && error.code !== 1) reject(error);
      else resolve(stdout.split('\n', MAX_FILES).filter((line) => line !== ''));
    });
  });
}

/** The patterns of `files.exclude` that are on. Those with a condition (`when`) are left to VS Code. */
function excludePatterns(folder: vscode.WorkspaceFolder): string[] {
  const exclude = vscode.workspace.getConfiguration('files', folder.uri).get<Record<string, unknown>>('exclude', {});
  return Object.entries(exclude).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

async function listBySearch(folder: vscode.WorkspaceFolder): Promise<string[]> {
  const uris = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '**/*'), undefined, MAX_FILES);
  const { ignore } = await import('../lazy/ignore');
  const paths = uris.map((uri) => nodePath.posix.relative(folder.uri.path, uri.path));
  const rules = await Promise.all(
    paths
      .filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'))
      .map(async (path): Promise<{ folder: string; rules: Ignore }> => {
        const text = await readFile(nodePath.join(folder.uri.fsPath, path), 'utf8').catch(() => '');
        return { folder: path.slice(0, -'.gitignore'.length), rules: ignore().add(text) };
      }),
  );
  return paths.filter((path) => !isIgnored(path, rules));
}

/** The nearest `.gitignore` that says something decides. */
function isIgnored(path: string, rules: readonly { readonly folder: string; readonly rules: Ignore }[]): boolean {
  let decided: { depth: number; ignored: boolean } | undefined;
  for (const { folder, rules: own } of rules) {
    if (!path.startsWith(folder) || (decided && decided.depth > folder.length)) continue;
    const { ignored, unignored } = own.test(path.slice(folder.length));
    if (ignored || unignored) decided = { depth: folder.length, ignored };
  }
  return decided?.ignored ?? false;
}
