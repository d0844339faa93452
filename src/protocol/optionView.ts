/** From so many choices on, a list can be searched, and its values can be marked as favorites. */
export const longList = 13;

/** One value of a select, as the panel lists it. Names are the agent's own words, shown as text. */
export interface OptionChoiceView {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  /** Heading under which it stands together with its neighbours of the same group. */
  readonly group?: string;
  /** A mode that lets the agent act without asking. */
  readonly permissive?: true;
}

interface OptionBaseView {
  /** Names the option to the host; opaque. */
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** The user's choice was sent and the agent has not confirmed it yet; the value shown is the chosen one. */
  readonly pending: boolean;
}

/** Something that the user can choose for the session. */
export type OptionView =
  | (OptionBaseView & {
      readonly type: 'select';
      /** Options with a role have a picker of their own under the message box; of two with the same role the first. */
      readonly role?: 'mode' | 'model' | 'thoughtLevel';
      readonly value: string;
      /** Name of the value; also of one that is not among the choices. */
      readonly valueName: string;
      readonly choices: readonly OptionChoiceView[];
      /** The value lets the agent act without asking. */
      readonly permissive: boolean;
    })
  | (OptionBaseView & { readonly type: 'boolean'; readonly value: boolean });

export type SelectOptionView = Extract<OptionView, { type: 'select' }>;
