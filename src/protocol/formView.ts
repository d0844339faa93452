import type { EntryId } from './entryId';

/** The value of a field: text (also for numbers and dates), the state of a checkbox, or the chosen options. */
export type FormValue = string | boolean | readonly string[];

/** By the field's key. */
export type FormValues = Readonly<Record<string, FormValue>>;

export interface FormOptionView {
  readonly value: string;
  readonly title: string;
  readonly description?: string;
}

interface FieldCommon {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** The constraints on the value, in words ("Whole number from 1 to 10"). */
  readonly hint?: string;
  /** The problem with the last submitted value. */
  readonly error?: string;
}

/** A field of a form, with its initial value. */
export type FormFieldView = FieldCommon &
  (
    | {
        readonly type: 'text';
        readonly input: 'line' | 'lines' | 'secret' | 'email' | 'url' | 'number' | 'date' | 'dateTime';
        readonly value: string;
      }
    | { readonly type: 'checkbox'; readonly value: boolean }
    /** "" while nothing is chosen. */
    | { readonly type: 'select'; readonly options: readonly FormOptionView[]; readonly value: string }
    | { readonly type: 'multiSelect'; readonly options: readonly FormOptionView[]; readonly value: readonly string[] }
    /** A kind of field that Parley cannot show; `what` is the agent's word for it. */
    | { readonly type: 'unsupported'; readonly what: string }
  );

/** A request of the agent for more than a choice. */
export interface ElicitationView {
  readonly kind: 'elicitation';
  readonly id: EntryId;
  readonly requestId: string;
  readonly title: string;
  /** Markdown; absent if the title is enough. */
  readonly message?: string;
  readonly body:
    | {
        readonly type: 'form';
        readonly description?: string;
        readonly fields: readonly FormFieldView[];
        /** False when a required field cannot be shown: the form can only be declined. */
        readonly canSubmit: boolean;
      }
    /** `url` is ASCII and exactly the address that is opened; `host` is the site. */
    | { readonly type: 'page'; readonly url: string; readonly host: string; readonly warnings: readonly string[] };
  /** `opened`: the page is open in the browser, and the agent waits for the user there. */
  readonly state: 'waiting' | 'opened' | 'completed' | 'accepted' | 'declined' | 'cancelled' | 'withdrawn';
  /** The answers, for the record; secrets are hidden. */
  readonly answers: readonly { readonly label: string; readonly text: string }[];
  /** It comes from an imported file. */
  readonly isQuoted?: true;
}
