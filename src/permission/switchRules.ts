import { isObject } from '../base/json';
import { decodeRules, type PermissionRule } from './decodeRules';

/**
 * The setting with some of its rules on or off; entries that are not rules stay as they are.
 * @param which decides by place and content: names need not be unique.
 */
export function switchRules(
  raw: unknown,
  which: (rule: PermissionRule) => boolean,
  enabled: boolean,
): readonly unknown[] {
  const places = new Set(
    decodeRules(raw)
      .rules.filter(which)
      .map(({ index }) => index),
  );
  return (Array.isArray(raw) ? (raw as unknown[]) : []).map((rule, index): unknown => {
    if (!places.has(index) || !isObject(rule)) return rule;
    const { enabled: _enabled, ...rest } = rule;
    return enabled ? rest : { ...rest, enabled: false };
  });
}

/** The setting without some of its rules; see `switchRules`. */
export function withoutRules(raw: unknown, which: (rule: PermissionRule) => boolean): readonly unknown[] {
  const places = new Set(
    decodeRules(raw)
      .rules.filter(which)
      .map(({ index }) => index),
  );
  return (Array.isArray(raw) ? (raw as unknown[]) : []).filter((_rule, index) => !places.has(index));
}

/** The rules that gave an answer. A rule with the same name but another effect is not among them. */
export function decidedBy(names: readonly string[], allowed: boolean): (rule: PermissionRule) => boolean {
  return ({ name, answer }) => answer === (allowed ? 'allowOnce' : 'rejectOnce') && names.includes(name);
}
