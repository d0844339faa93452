import * as l10n from '@vscode/l10n';
import { asObject } from '../base/decode';
import { pathOfAddress } from '../base/fileAddress';
import type { ToolCallFields } from '../acp/decodeUpdate';
import { commandKeys } from './commandLine';
import { hasDots } from './paths';

/** Keys of text for a file or the user: their values are not file names, whatever their beginning. */
const textKeys =
  /^(content|contents|text|description|explanation|patch|diff|(old|new|insert|file|replace|code)_?(string|str|text|contents?|source|edit))$/i;

/** Longer than any path that a system accepts. */
const maxName = 1_000;

/**
 * Why only the user may allow a file with this path; undefined if it means one file. Agents read addresses, quotes and
 * variables in different ways.
 */
export function doubtOfPath(path: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]+:[\\/]|file:)/i.test(path)) return l10n.t('it names an address that is not a web page');
  return path !== path.trim() || path === '' || /^["'`]|^\$\{?\w+\}?[\\/]|^%\w+%/.test(path)
    ? l10n.t('one of its paths may mean another file')
    : undefined;
}

/** Values of undocumented fields in a raw input. */
export interface InputValues {
  /** Values that can only be paths, in the agent's spelling. */
  readonly paths: readonly string[];
  /** Other short values: each may be the name of a file, of a link that leads elsewhere, or of a protected file. */
  readonly names: readonly string[];
  /** Why only the user may allow it. */
  readonly doubt?: string;
}

/**
 * Reads all values of a raw input, at any key: a tool may name its file `dir_path` or `targets`.
 * @param isCommand skips the command and the fields next to it that may change it (`furtherFields`), which are read
 * elsewhere.
 */
export function inputValues(rawInput: unknown, kind: ToolCallFields['kind'], isCommand: boolean): InputValues {
  const paths: string[] = [];
  const names: string[] = [];
  const input = asObject(rawInput);
  let doubt =
    !isCommand &&
    [input['env'], input['environment']].some((value) =>
      typeof value === 'string' ? value !== '' : Object.keys(value ?? {}).length > 0,
    )
      ? l10n.t('it sets environment variables')
      : undefined;
  const hasTexts = kind === 'edit' || kind === 'execute';
  const waiting: [key: string, value: unknown][] = isCommand
    ? Object.entries(input).filter(([key]) => !commandKeys.has(key))
    : [['', rawInput]];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const [key, value] = item;
    if (typeof value === 'object' && value !== null) {
      for (const [inner, one] of Object.entries(value)) waiting.push([Array.isArray(value) ? key : inner, one]);
    } else if (typeof value === 'string' && !(hasTexts && textKeys.test(key))) {
      const text = value.trim();
      const isPage = /^https?:\/\//i.test(text);
      if (
        !isPage &&
        text !== '' &&
        (/^ur[il]$/i.test(key) || /^[a-z][a-z0-9+.-]+:\/\/|^(file|data|blob|javascript):/i.test(text))
      )
        doubt ??= l10n.t('it names an address that is not a web page');
      const path = pathOfAddress(text);
      if (!isPage && (/^([~/]|\\\\|[a-z]:[\\/])/i.test(path) || hasDots(path))) paths.push(path);
      else if (!isPage && text !== '' && text.length <= maxName && !text.includes('\n')) names.push(text);
    }
  }
  return { paths, names, ...(doubt === undefined ? {} : { doubt }) };
}
