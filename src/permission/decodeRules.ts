import * as l10n from '@vscode/l10n';
import { toolKinds } from '../acp/decodeUpdate';
import { decoded, oneOf, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';
import { MAX_ALTERNATIVES, MAX_GLOBS, strictMatcher } from '../changes/guardedFiles';

/** Kinds of tool calls, and the editor's own tools that only read. */
export const ruleKinds = [...toolKinds, 'editorRead'] as const;

export const ruleAnswers = ['allowOnce', 'rejectOnce', 'ask'] as const;

/** One checked entry of `parley.permissions.rules`. Absent fields match everything. */
export interface PermissionRule {
  /**
   * The user's name for it, or its pattern. The same in every language, because answered requests are stored with it.
   */
  readonly name: string;
  /** Its place in the setting. */
  readonly index: number;
  readonly answer: (typeof ruleAnswers)[number];
  readonly enabled: boolean;
  /** Key of `parley.agents`. */
  readonly agent?: string;
  readonly kind?: (typeof ruleKinds)[number];
  /** Patterns; each command must match one of them. */
  readonly commands?: readonly string[];
  /** Globs, relative to the folders of the session. */
  readonly paths?: readonly string[];
}

const maxRules = 500;
const maxPattern = 1_000;
const fields: ReadonlySet<string> = new Set(['name', 'answer', 'enabled', 'agent', 'kind', 'command', 'paths']);

/** Reads the setting. Leaves out a rule that cannot be understood: half a rule could allow more than the user meant. */
export function decodeRules(raw: unknown): {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
} {
  if (raw === undefined || raw === null) return { rules: [], problems: [] };
  if (!Array.isArray(raw)) return { rules: [], problems: [l10n.t('The rules must be a list')] };
  const rules: PermissionRule[] = [];
  const problems: string[] = raw.length > maxRules ? [l10n.t('Only the first {0} rules are used', maxRules)] : [];
  for (const [index, item] of raw.slice(0, maxRules).entries()) {
    const rule = decodeRule(item, index);
    if (typeof rule === 'string') problems.push(l10n.t('Rule {0} is not used: {1}', index + 1, rule));
    else rules.push(rule);
  }
  return { rules, problems };
}

function decodeRule(raw: unknown, index: number): PermissionRule | string {
  if (!isObject(raw)) return l10n.t('it must be an object');
  const unknown = Object.keys(raw).find((key) => !fields.has(key));
  if (unknown !== undefined) return l10n.t('“{0}” is not a property of a rule', unknown);
  const answer = decoded(oneOf(...ruleAnswers), raw['answer']);
  if (answer === undefined) return l10n.t('{0} must be one of {1}', 'answer', ruleAnswers.join(', '));
  const kind = decoded(oneOf(...ruleKinds), raw['kind']);
  if (raw['kind'] !== undefined && kind === undefined)
    return l10n.t('{0} must be one of {1}', 'kind', ruleKinds.join(', '));
  for (const key of ['name', 'agent'])
    if (raw[key] !== undefined && !stringOf(raw[key])?.trim()) return l10n.t('{0} must be a string', key);
  if (raw['enabled'] !== undefined && typeof raw['enabled'] !== 'boolean')
    return l10n.t('{0} must be true or false', 'enabled');
  const commands = listOfTexts(raw, 'command');
  if (typeof commands === 'string') return commands;
  const paths = listOfTexts(raw, 'paths');
  if (typeof paths === 'string') return paths;
  if (answer === 'allowOnce') {
    if (!commands && !paths && kind === undefined) return l10n.t('an allow rule needs a command, paths or a kind');
    if (commands && paths) return l10n.t('an allow rule takes a command or paths, not both');
    // A guard treats such globs as matching everything; a rule must not.
    if (paths && !strictMatcher(paths, false))
      return l10n.t(
        'paths can have at most {0} globs, each with at most {1} alternatives in braces',
        MAX_GLOBS,
        MAX_ALTERNATIVES,
      );
  }
  const agent = stringOf(raw['agent']);
  const name =
    stringOf(raw['name'])?.trim() ??
    [commands?.join(', ') ?? kind, paths?.join(', ')].filter((part) => part !== undefined).join(': ') ??
    '';
  return {
    name: name === '' ? `#${index + 1}` : name.slice(0, 200),
    index,
    answer,
    enabled: raw['enabled'] !== false,
    ...(agent === undefined ? {} : { agent }),
    ...(kind === undefined ? {} : { kind }),
    ...(commands ? { commands } : {}),
    ...(paths ? { paths } : {}),
  };
}

/** @returns the texts; undefined if there are none; the problem as a string. */
function listOfTexts(raw: JsonObject, key: string): readonly string[] | string | undefined {
  const value = raw[key];
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (
    list.length === 0 ||
    !list.every((item) => typeof item === 'string' && item.trim() !== '' && item.length <= maxPattern)
  )
    return l10n.t('{0} must be a string or a list of strings', key);
  return list.map((item) => (item as string).trim());
}
