import { withoutControls } from '../base/controlSequences';
import type { ConfigChoice } from '../acp/decodeOptions';
import type { OptionChoiceView, OptionView } from '../protocol/optionView';
import { isPermissiveMode } from '../thread/permissiveMode';
import { choiceOf, currentChoice, type SessionOption } from '../thread/sessionOptions';

/** What the session offers to choose, as the panel draws it. */
export function optionViews(shown: readonly SessionOption[]): readonly OptionView[] {
  const taken = new Set<SessionOption['role']>();
  return shown.map((option) => {
    const { key, name, description } = option;
    const base = {
      key,
      name: withoutControls(name),
      ...(description === undefined ? {} : { description: withoutControls(description) }),
      pending: option.requested !== undefined,
    };
    if (option.type === 'boolean') return { ...base, type: 'boolean', value: option.requested ?? option.current };
    const role = taken.has(option.role) ? undefined : option.role;
    taken.add(role);
    const value = choiceOf(option, option.requested ?? option.current);
    const isMode = option.role === 'mode';
    return {
      ...base,
      type: 'select',
      ...(role === undefined ? {} : { role }),
      value: value.value,
      valueName: withoutControls(value.name),
      choices: option.choices.map((choice) => choiceView(choice, isMode)),
      // Until a stricter mode is confirmed the permissive one is in force.
      permissive: isMode && (isPermissive(value) || isPermissive(currentChoice(option))),
    };
  });
}

function choiceView(choice: ConfigChoice, isMode: boolean): OptionChoiceView {
  const { name, description } = choice;
  const shown = {
    ...choice,
    name: withoutControls(name),
    ...(description === undefined ? {} : { description: withoutControls(description) }),
  };
  return isMode && isPermissive(choice) ? { ...shown, permissive: true } : shown;
}

function isPermissive({ value, name, description }: ConfigChoice): boolean {
  return isPermissiveMode({ id: value, name, description });
}
