import * as l10n from '@vscode/l10n';
import type { ToolCallFields } from '../acp/decodeUpdate';
import { asObject, stringOf } from '../acp/json';

/** A command as a call spells it: a line for a shell, or a program with its arguments. */
export interface CommandLine {
  readonly text: string;
  /** Present where the agent names the words itself and no shell reads them. */
  readonly argv?: readonly string[];
}

/** The command of one raw input. */
export interface ReadCommand extends CommandLine {
  /** Why it is not certain what will run, in the user's language. All that may run is in `text`. */
  readonly doubt?: string;
}

/** Keys of a raw input that hold a command. Their names differ from agent to agent. */
export const commandKeys: ReadonlySet<string> = new Set(['command', 'cmd', 'commands', 'script', 'argv', 'args']);

/**
 * The shell command that a raw input names, in whichever field. Where fields disagree, or one gives several commands,
 * the text has all of them, one on a line.
 * @param kind of the call: `args` alone is a command only where the call says that it runs one.
 */
export function commandLineOf(rawInput: unknown, kind?: ToolCallFields['kind']): ReadCommand | undefined {
  const input = asObject(rawInput);
  const found = [withArguments(input['command'], input['args']), withArguments(input['cmd'], input['args']), listOf(input['script']), listOf(input['commands']), wordsOf(input['argv'])].filter((line) => line !== undefined);
  if (found.length === 0 && kind === 'execute') found.push(...[wordsOf(input['args'])].filter((line) => line !== undefined));
  const distinct = found.filter((line, index) => found.findIndex(({ text }) => text.trim() === line.text.trim()) === index);
  if (distinct.length <= 1) return distinct[0];
  return { text: distinct.map(({ text }) => text).join('\n'), doubt: l10n.t('its input names different commands') };
}

/** The folder in which a raw input wants its command to run, as the agent spells it. */
export function folderOf(rawInput: unknown): { readonly path: string; readonly doubt?: string } | undefined {
  const input = asObject(rawInput);
  const folders = [...new Set(['cwd', 'workdir', 'working_directory', 'directory'].flatMap((key) => stringOf(input[key]) || []))];
  return folders[0] === undefined ? undefined : { path: folders[0], ...(folders.length > 1 ? { doubt: l10n.t('its input names different folders') } : {}) };
}

function withArguments(command: unknown, args: unknown): ReadCommand | undefined {
  if (typeof command !== 'string') return wordsOf(command);
  if (command.trim() === '') return undefined;
  if (args === undefined || args === null || (Array.isArray(args) && args.length === 0) || args === '') return { text: command };
  if (isWords(args)) return argumentsLine([command, ...args]);
  return { text: `${command} ${written(args)}`, doubt: l10n.t('its arguments are not a list of strings') };
}

/** Words of one command. */
function wordsOf(value: unknown): ReadCommand | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { text: value };
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words: readonly unknown[] = value;
  return isWords(words) ? argumentsLine(words) : { text: words.map(written).join(' '), doubt: l10n.t('its arguments are not a list of strings') };
}

/** Several commands, or one. Whether a list means commands or the words of one only the agent knows. */
function listOf(value: unknown): ReadCommand | undefined {
  if (typeof value === 'string') return wordsOf(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return { text: value.map((item) => (isWords(item) ? argumentsLine(item).text : written(item))).join('\n'), doubt: l10n.t('its input is a list of commands') };
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `["bash", "-lc", script]` is how agents wrap a line for the shell; a reader wants the line. */
function argumentsLine(words: readonly string[]): CommandLine {
  if (words.length === 3 && /(^|[\\/])(ba|z|da)?sh$/.test(words[0]!) && /^-l?c$/.test(words[1]!)) return { text: words[2]! };
  return { text: words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' '), argv: words };
}
