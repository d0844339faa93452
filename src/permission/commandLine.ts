import * as l10n from '@vscode/l10n';
import type { ToolCallFields } from '../acp/decodeUpdate';
import { asObject, stringOf } from '../base/decode';
import { systemName } from './shellCommand';

/** A command in the form of its call: a line for a shell, or a program with its arguments. */
export interface CommandLine {
  /** The line to show, without the system's shell that runs it. */
  readonly text: string;
  /** All words, if the agent lists them itself. */
  readonly argv?: readonly string[];
  /** `text` is a script for a shell of the system, which is the program of `argv`. */
  readonly isScript?: true;
}

/** The command of one raw input. */
export interface ReadCommand extends CommandLine {
  /** Why it is uncertain which command will run, in the user's language. `text` has all candidates. */
  readonly doubt?: string;
}

/** A field of a raw input. */
export interface InputField {
  readonly name: string;
  readonly value: unknown;
}

/** Keys of a raw input that contain a command; they differ between agents. */
export const commandKeys: ReadonlySet<string> = new Set(['command', 'cmd', 'commands', 'script', 'argv', 'args']);
const folderKeys = ['cwd', 'workdir', 'working_directory', 'directory'];

/**
 * The shell command in a raw input, at any known key. If fields disagree, or one has several commands, the text has all
 * of them, one a line.
 * @param kind of the call: `args` alone is a command only if the call says that it runs one.
 */
export function commandLineOf(rawInput: unknown, kind?: ToolCallFields['kind']): ReadCommand | undefined {
  const found = readCommands(rawInput, kind).map(({ line }) => line);
  const distinct = found.filter(
    (line, index) => found.findIndex(({ text }) => text.trim() === line.text.trim()) === index,
  );
  if (distinct.length <= 1) return distinct[0];
  return { text: distinct.map(({ text }) => text).join('\n'), doubt: l10n.t('its input names different commands') };
}

/** The working directory in a raw input, in the agent's spelling. */
export function folderOf(rawInput: unknown): { readonly path: string; readonly doubt?: string } | undefined {
  const input = asObject(rawInput);
  const folders = [...new Set(folderKeys.flatMap((key) => stringOf(input[key]) || []))];
  return folders[0] === undefined
    ? undefined
    : { path: folders[0], ...(folders.length > 1 ? { doubt: l10n.t('its input names different folders') } : {}) };
}

/**
 * Fields that do not change a command's effect, by their values. Agents send the first three; `false` only says that
 * the command does not run in the background. A folder is checked like a path of the command.
 */
const harmlessFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  description: (value) => typeof value === 'string',
  ...Object.fromEntries(
    ['timeout', 'timeout_ms', 'timeoutMs'].map((name) => [
      name,
      (value: unknown) => typeof value === 'number' && value >= 0,
    ]),
  ),
  ...Object.fromEntries(folderKeys.map((name) => [name, (value: unknown) => typeof value === 'string'])),
  ...Object.fromEntries(
    ['run_in_background', 'is_background'].map((name) => [name, (value: unknown) => value === false]),
  ),
  ...Object.fromEntries(['env', 'environment', ...commandKeys].map((name) => [name, isEmpty])),
};

/**
 * Further fields of a command's input, besides the command, its folder and its time limit: only the user knows whether
 * to allow these.
 */
export function furtherFields(rawInput: unknown, kind?: ToolCallFields['kind']): readonly InputField[] {
  const read = new Set(readCommands(rawInput, kind).flatMap(({ keys }) => keys));
  return Object.entries(asObject(rawInput))
    .filter(
      ([name, value]) =>
        !read.has(name) && !(Object.hasOwn(harmlessFields, name) && (value === null || harmlessFields[name]!(value))),
    )
    .map(([name, value]) => ({ name, value }));
}

/** A field on one line. */
export function fieldText({ name, value }: InputField): string {
  return `${name}: ${JSON.stringify(value)}`;
}

/** Every command of a raw input, with its fields. */
function readCommands(
  rawInput: unknown,
  kind: ToolCallFields['kind'],
): { readonly line: ReadCommand; readonly keys: readonly string[] }[] {
  const input = asObject(rawInput);
  const ofKey = (key: string, line: ReadCommand | undefined, ...more: string[]) =>
    line ? [{ line, keys: [key, ...more] }] : [];
  const withArgs = (key: string) =>
    typeof input[key] === 'string'
      ? ofKey(key, withArguments(input[key], input['args']), 'args')
      : ofKey(key, wordsOf(input[key]));
  const found = [
    ...withArgs('command'),
    ...withArgs('cmd'),
    ...ofKey('script', listOf(input['script'])),
    ...ofKey('commands', listOf(input['commands'])),
    ...ofKey('argv', wordsOf(input['argv'])),
  ];
  return found.length === 0 && kind === 'execute' ? ofKey('args', wordsOf(input['args'])) : found;
}

function withArguments(command: string, args: unknown): ReadCommand | undefined {
  if (command.trim() === '') return undefined;
  if (args === undefined || isEmpty(args)) return { text: command };
  if (isWords(args)) return argumentsLine([command, ...args]);
  return { text: `${command} ${written(args)}`, doubt: l10n.t('its arguments are not a list of strings') };
}

/** The words of one command. */
function wordsOf(value: unknown): ReadCommand | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { text: value };
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words: readonly unknown[] = value;
  return isWords(words)
    ? argumentsLine(words)
    : { text: words.map(written).join(' '), doubt: l10n.t('its arguments are not a list of strings') };
}

/** Reads a list, which may be several commands or the words of one; only the agent knows which. */
function listOf(value: unknown): ReadCommand | undefined {
  if (typeof value === 'string') return wordsOf(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return {
    text: value.map((item) => (isWords(item) ? argumentsLine(item).text : written(item))).join('\n'),
    doubt: l10n.t('its input is a list of commands'),
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Agents wrap a line for the shell as `["bash", "-lc", script]`; a reader wants the line. A program of that name in
 * another folder may be anything, so it is shown.
 */
function argumentsLine(words: readonly string[]): CommandLine {
  const isShell = /^(ba|z|da)?sh$/.test(systemName(words[0]!) ?? '');
  const option = words[1] === '-l' ? 2 : 1;
  if (isShell && words.length === option + 2 && /^-l?c$/.test(words[option]!))
    return { text: words[option + 1]!, argv: words, isScript: true };
  return {
    text: words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' '),
    argv: words,
  };
}
