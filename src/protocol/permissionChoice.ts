import { optionLabels } from './optionLabel';
import type { PermissionOptionKindView, PermissionOptionView } from './permissionView';

interface Option {
  readonly kind: PermissionOptionKindView;
}

/** The yes that allows least, at any position. An option of an unknown kind is neither yes nor no. */
export function smallerYes<O extends Option>(options: readonly O[]): O | undefined {
  return options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always');
}

/** The yes to suggest: a plain one for only this request, if it has no risks. */
export function suggestedYes(
  options: readonly PermissionOptionView[],
  risks: readonly unknown[],
): PermissionOptionView | undefined {
  if (risks.length > 0) return undefined;
  return options.find(({ kind }, i) => kind === 'allow_once' && optionLabels(options)[i]!.quoted === undefined);
}

/** The no that forbids least. */
export function smallerNo<O extends Option>(options: readonly O[]): O | undefined {
  return options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
}

/**
 * The only option that the agent remembers as a yes; undefined if there are several, among which only the user can
 * choose.
 */
export function onlyAlways<O extends Option>(options: readonly O[]): O | undefined {
  const always = options.filter(({ kind }) => kind === 'allow_always');
  return always.length === 1 ? always[0] : undefined;
}
