import * as l10n from '@vscode/l10n';
import { withoutControls } from '../base/controlSequences';
import { commandLineOf } from '../permission/commandLine';
import type { ToolCall } from '../thread/thread';
import { labelOfPath, labelOfTitle, resolvePath } from './labels';
import { patchFiles } from './patchText';

/** Longer titles are not compared with the input. */
const maxCompared = 20_000;

/**
 * The title of a call on its card. Some agents put all of the raw input into the title, which the card shows anyway.
 * Then the title is the patch's files, or only the tool. Backticks mark code, but in a command they run one.
 */
export function callTitle(
  { title, toolKind, rawInput }: Pick<ToolCall, 'title' | 'toolKind' | 'rawInput'>,
  cwd: string,
): string {
  const line = labelOfTitle(withoutControls(title), cwd);
  const tool = toolBefore(title, rawInput);
  if (tool !== undefined) return editTitle(rawInput, cwd) ?? tool;
  if (toolKind === 'execute') return commandAfter(line, rawInput) ?? line.replace(/^`([^`]+)`$/, '$1');
  return withoutFolder(line.replace(/`([^`]+)`/g, '$1'), cwd);
}

/**
 * The command in a title that is a tool's name or a prompt, and the command or its beginning: `execute_bash: rm -f a…`,
 * `$ rm -f a`.
 */
function commandAfter(line: string, rawInput: unknown): string | undefined {
  const command = line.length > maxCompared ? undefined : commandLineOf(rawInput, 'execute')?.text;
  const said = /^(?:\$|[\w.-]{1,60}:) +(\S[^]*)$/.exec(line)?.[1];
  if (command === undefined || said === undefined) return undefined;
  const begun = squeezed(said.replace(/(?:…|\.\.\.)$/, ''));
  return begun !== '' && squeezed(command).startsWith(begun) ? said : undefined;
}

/** Shortens paths in the session's folder: `read_file: /home/me/app/src/a.ts`. */
function withoutFolder(line: string, cwd: string): string {
  const folder = cwd.replace(/[\\/]$/, '');
  if (folder === '' || line.length > maxCompared) return line;
  return line
    .split(/(?<=[\s"'(=:[])/)
    .map((word) => labelOfPath(word, folder))
    .join('');
}

/** The words of a title before the raw input, or before its beginning if the title is cut. */
export function toolBefore(title: string, rawInput: unknown): string | undefined {
  if (title.length > maxCompared || rawInput === undefined || rawInput === null) return undefined;
  const begin = title.search(/[{["*]/);
  const before = title.slice(0, Math.max(begin, 0)).trim();
  const tool = before.replace(/[(:]$/, '').trimEnd();
  if (!/^[\w.:/ -]{1,80}$/.test(tool)) return undefined;
  const rest = title.slice(begin).trim();
  const said = squeezed(before.endsWith('(') ? rest.replace(/\)$/, '') : rest);
  const isCut = /(?:…|\.\.\.)$/.test(said);
  const begun = said.replace(/(?:…|\.\.\.)$/, '');
  const whole = [
    squeezed(typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput)),
    squeezed(JSON.stringify(rawInput)),
  ];
  return whole.some((text) => text === said || (isCut && begun.length > 8 && text.startsWith(begun)))
    ? tool
    : undefined;
}

function editTitle(rawInput: unknown, cwd: string): string | undefined {
  const files = patchFiles(rawInput);
  if (files.length === 0) return undefined;
  return files.length === 1
    ? l10n.t('Edit {0}', labelOfPath(resolvePath(files[0]!.path, cwd), cwd))
    : l10n.t('Edit {0} files', files.length);
}

function squeezed(text: string): string {
  return text.slice(0, maxCompared * 2).replace(/\s+/g, '');
}
