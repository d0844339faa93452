/** The number of choices from which a list has a search box and favorites. */
export const longList = 13;

/** One value of a select in the panel. Names are the agent's own words, shown as text. */
export interface OptionChoiceView {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  /** The heading that it shares with adjacent choices of the same group. */
  readonly group?: string;
  /** A mode that lets the agent act without asking. */
  readonly permissive?: true;
}

interface OptionBaseView {
  /** Identifies the option to the host; opaque. */
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** The agent has not confirmed the user's choice yet; the shown value is the chosen one. */
  readonly pending: boolean;
}

/** An option of the session that the user can set. */
export type OptionView =
  | (OptionBaseView & {
      readonly type: 'select';
      /** An option with a role has its own picker under the message box; if two share a role, the first one. */
      readonly role?: 'mode' | 'model' | 'thoughtLevel';
      readonly value: string;
      /** Name of the value, even if it is not among the choices. */
      readonly valueName: string;
      readonly choices: readonly OptionChoiceView[];
      /** The value lets the agent act without asking. */
      readonly permissive: boolean;
    })
  | (OptionBaseView & { readonly type: 'boolean'; readonly value: boolean });

export type SelectOptionView = Extract<OptionView, { type: 'select' }>;
