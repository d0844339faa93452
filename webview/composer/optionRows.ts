import * as l10n from '@vscode/l10n';
import { longList, type OptionChoiceView, type OptionView, type SelectOptionView } from '../../src/protocol/optionView';

interface RowBase {
  /** Unique in its list. */
  readonly id: string;
  readonly label: string;
  /** The text for screen readers. */
  readonly name: string;
  readonly detail?: string;
  readonly description?: string;
  readonly group?: string;
  readonly checked?: boolean;
  readonly warns?: boolean;
  /** True if the user has marked it; absent if it cannot be marked. */
  readonly favorite?: boolean;
}

/** One line of the options menu: a value, an option that is on or off, or an option with its own values. */
export type Row =
  | (RowBase & {
      readonly role: 'option' | 'menuitemcheckbox';
      readonly sets: { readonly key: string; readonly value: string | boolean };
      readonly opens?: undefined;
    })
  | (RowBase & { readonly role: 'menuitem'; readonly opens: string });

/** The values of one option. In a long list the favorites come first. */
export function choiceRows(option: SelectOptionView, favorites: readonly string[] = []): Row[] {
  const rows = option.choices.map((choice, i) => choiceRow(option, choice, i));
  if (rows.length < longList) return rows;
  const marked = rows.map((row) => ({ ...row, favorite: favorites.includes(row.value) }));
  const first = marked
    .filter((row) => row.favorite)
    .map((row) => ({ ...row, id: `favorite:${row.id}`, group: l10n.t('Favorites') }));
  return first.length === 0
    ? marked
    : [...first, ...marked.map((row) => ({ ...row, group: row.group ?? l10n.t('All') }))];
}

function choiceRow(
  option: SelectOptionView,
  { value, name, description, group, permissive }: OptionChoiceView,
  i: number,
) {
  return {
    id: `${i}:${value}`,
    value,
    role: 'option' as const,
    label: name,
    name: permissive ? l10n.t('{0}, acts without asking', name) : name,
    checked: value === option.value,
    sets: { key: option.key, value },
    ...(description === undefined ? {} : { description }),
    ...(group ? { group } : {}),
    ...(permissive ? { warns: true } : {}),
  };
}

/** Options as a list. */
export function optionRows(options: readonly OptionView[]): Row[] {
  return options.map((option) => {
    const { key, name, description } = option;
    const base = { id: key, label: name, ...(description === undefined ? {} : { description }) };
    if (option.type === 'boolean')
      return { ...base, role: 'menuitemcheckbox', name, checked: option.value, sets: { key, value: !option.value } };
    return {
      ...base,
      role: 'menuitem',
      name: `${name}: ${option.valueName}`,
      detail: option.valueName,
      opens: key,
      ...(option.permissive ? { warns: true } : {}),
    };
  });
}
