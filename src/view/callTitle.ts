import * as l10n from '@vscode/l10n';
import { withoutControls } from '../base/controlSequences';
import type { ToolCall } from '../thread/thread';
import { labelOfPath, labelOfTitle, resolvePath } from './labels';
import { patchFiles } from './patchText';

/** Longer titles are not compared with the input. */
const maxCompared = 20_000;

/**
 * What a call is called on its card. Some agents put all of the raw input into the title, which the card shows anyway:
 * of a patch the files are said, else the tool alone. Backticks mark code, but in a command they run one.
 */
export function callTitle({ title, toolKind, rawInput }: Pick<ToolCall, 'title' | 'toolKind' | 'rawInput'>, cwd: string): string {
  const line = labelOfTitle(withoutControls(title), cwd);
  const tool = toolBefore(title, rawInput);
  if (tool !== undefined) return editTitle(rawInput, cwd) ?? tool;
  return toolKind === 'execute' ? line.replace(/^`([^`]+)`$/, '$1') : line.replace(/`([^`]+)`/g, '$1');
}

/** The words of a title before the raw input, or before the beginning of it where the title is cut. */
export function toolBefore(title: string, rawInput: unknown): string | undefined {
  if (title.length > maxCompared || rawInput === undefined || rawInput === null) return undefined;
  const [, tool, open, rest] = /^([\w.:/ -]{1,80}?)\s*(?:(\()|:)?\s*([{["*][^]*)$/.exec(title.trim()) ?? [];
  if (tool === undefined || tool === '' || rest === undefined) return undefined;
  const said = squeezed(open ? rest.replace(/\)$/, '') : rest);
  const isCut = /(?:…|\.\.\.)$/.test(said);
  const begun = said.replace(/(?:…|\.\.\.)$/, '');
  const whole = [squeezed(typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput)), squeezed(JSON.stringify(rawInput))];
  return whole.some((text) => text === said || (isCut && begun.length > 8 && text.startsWith(begun))) ? tool : undefined;
}

function editTitle(rawInput: unknown, cwd: string): string | undefined {
  const files = patchFiles(rawInput);
  if (files.length === 0) return undefined;
  return files.length === 1 ? l10n.t('Edit {0}', labelOfPath(resolvePath(files[0]!.path, cwd), cwd)) : l10n.t('Edit {0} files', files.length);
}

function squeezed(text: string): string {
  return text.slice(0, maxCompared * 2).replace(/\s+/g, '');
}
