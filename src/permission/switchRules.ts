import { isObject } from '../base/json';
import { decodeRules, type PermissionRule } from './decodeRules';

/**
 * The setting with some of its rules on or off; what is no rule stays as it is.
 * @param which told by place and content: names need not be unique.
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

/** Which rules have given an answer: a rule of the same name that says something else has not. */
export function decidedBy(names: readonly string[], allowed: boolean): (rule: PermissionRule) => boolean {
  return ({ name, answer }) => answer === (allowed ? 'allowOnce' : 'rejectOnce') && names.includes(name);
}
