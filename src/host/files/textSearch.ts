import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { ProgramError, runProgram } from '../../node/runProgram';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { findRipgrep } from './fileListing';

/** Lines of one search. */
const maxFoundLines = 500;
const maxLinesOfFile = 50;
/** One more than wanted shows that there are more. */
const maxCount = maxLinesOfFile + 1;
/** Characters of one line; ripgrep shows a preview of a longer one. */
const maxLine = 300;
const timeoutMs = 10_000;
/** Bytes. */
const maxOutput = 8 * 1024 * 1024;
/** MiB. */
const maxMemory = 512;

/**
 * The lines of workspace files that contain a text, as `path:line:text`, with paths as the user knows them. Respects
 * `.gitignore`, `files.exclude` and `search.exclude`; case counts only if the text has capital letters.
 * @param isLeftOut true for a file whose lines are not wanted; its path is absolute
 * @param folders those of a session that does not work in the workspace's. Paths in the first one are relative to it.
 * @returns undefined if VS Code's ripgrep was not found. `isCut`: there are more lines
 */
export async function searchLines(
  text: string,
  isLeftOut: (path: string) => boolean,
  folders?: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly isCut: boolean } | undefined> {
  const program = await findRipgrep();
  if (program === undefined) return undefined;
  const lines: string[] = [];
  let isCut = false;
  for (const folder of folders ?? foldersOnDisk()) {
    const found = await matchesIn(program, folder, text);
    isCut ||= found.isCut;
    let [file, count] = ['', 0];
    for (const line of found.lines) {
      const [, path, rest] = /^(.*?)\0(.*)$/s.exec(line) ?? [];
      if (path === undefined || rest === undefined) continue;
      const absolute = nodePath.join(folder, path);
      if (isLeftOut(absolute)) continue;
      [file, count] = [path, path === file ? count + 1 : 1];
      if (lines.length >= maxFoundLines || count > maxLinesOfFile) isCut = true;
      else lines.push(`${folder === folders?.[0] ? path : vscode.workspace.asRelativePath(absolute)}:${rest}`);
    }
  }
  return { lines, isCut };
}

/** Lines as ripgrep prints them. `isCut`: it had more to say. */
interface Matches {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

async function matchesIn(program: string, folder: string, text: string): Promise<Matches> {
  // One of several folders may be missing; the system's error would name the program instead.
  const isThere = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isThere) return { lines: [], isCut: false };
  const args = [
    '--no-config',
    '--no-messages',
    '--no-require-git',
    '--no-heading',
    '--line-number',
    '--color=never',
    '--null',
    '--sort=path',
    '--fixed-strings',
    '--smart-case',
    `--max-count=${maxCount}`,
    `--max-columns=${maxLine}`,
    '--max-columns-preview',
    '--path-separator=/',
    ...excluded(vscode.Uri.file(folder)).flatMap((glob) => [
      '--glob',
      `!${glob.startsWith('**/') ? glob : `/${glob}`}`,
    ]),
    '-e',
    text,
    '.',
  ];
  const env = Object.fromEntries(
    ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot'].map((name) => [name, process.env[name]]),
  );
  let isCut = false;
  const found = await runProgram(program, args, {
    cwd: folder,
    env,
    timeoutMs,
    maxBytes: maxOutput,
    maxMemory,
  }).catch((error: unknown) => {
    if (!(error instanceof ProgramError)) throw error;
    // 1 = nothing found, 2 = a folder could not be read.
    if (error.exitCode === 1 || error.exitCode === 2) return error.stdout;
    isCut = error.reason === 'tooMuchOutput' || error.reason === 'timedOut';
    if (isCut && error.stdout.length > 0) return error.stdout;
    throw error;
  });
  const lines = found.toString('utf8').split('\n');
  // It was ended within a line.
  if (isCut) lines.pop();
  return { lines: lines.map((line) => line.replace(/\r$/, '').replace(/^\.\//, '')), isCut };
}

function excluded(uri: vscode.Uri): string[] {
  return ['files', 'search'].flatMap((section) =>
    Object.entries(vscode.workspace.getConfiguration(section, uri).get<Record<string, unknown>>('exclude', {})).flatMap(
      ([glob, on]) => (on === true ? [glob] : []),
    ),
  );
}
