import * as l10n from '@vscode/l10n';
import { asObject } from '../base/decode';
import type { ToolCallFields } from '../acp/decodeUpdate';
import { commandKeys } from './commandLine';
import { hasDots } from './paths';

/** Keys of what is written into a file or told the user: no names of files, however they begin. */
const textKeys =
  /^(content|contents|text|description|explanation|patch|diff|(old|new|insert|file|replace|code)_?(string|str|text|contents?|source|edit))$/i;

/** Longer than any path that a system takes in one piece. */
const maxName = 1_000;

/** What a raw input says in fields that no agent's documentation tells of. */
export interface InputValues {
  /** Values that can only be paths, as they are spelled. */
  readonly paths: readonly string[];
  /** Other short values: each may be the name of a file, a link that leads elsewhere or a guarded one. */
  readonly names: readonly string[];
  /** Why only the user may allow it. */
  readonly doubt?: string;
}

/**
 * Reads all values of a raw input, at whatever key: a tool may call its file `dir_path` or `targets`.
 * @param isCommand its command is read elsewhere, as are the fields beside it that may change what runs
 * (`furtherFields`).
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
      if (!isPage && (/^([~/]|\\\\|[a-z]:[\\/])/i.test(text) || hasDots(text))) paths.push(text);
      else if (!isPage && text !== '' && text.length <= maxName && !text.includes('\n')) names.push(text);
    }
  }
  return { paths, names, ...(doubt === undefined ? {} : { doubt }) };
}
