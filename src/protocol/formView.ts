import type { EntryId } from './entryId';

/** What the user gives for a field: text (numbers, dates too), whether a box is ticked, or the options chosen. */
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
  /** What the value must be like, in words ("Whole number from 1 to 10"). */
  readonly hint?: string;
  /** What is wrong with the value that was submitted last. */
  readonly error?: string;
}

/** A field of a form, with the value that it has before anyone touches it. */
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

/** A question of the agent that takes more than a choice. */
export interface ElicitationView {
  readonly kind: 'elicitation';
  readonly id: EntryId;
  readonly requestId: string;
  readonly title: string;
  /** Markdown; absent where the title says it all. */
  readonly message?: string;
  readonly body:
    | {
        readonly type: 'form';
        readonly description?: string;
        readonly fields: readonly FormFieldView[];
        /** False when a required field cannot be shown: the form can only be declined. */
        readonly canSubmit: boolean;
      }
    /** `url` is ASCII and exactly what is opened; `host` is whose page it is. */
    | { readonly type: 'page'; readonly url: string; readonly host: string; readonly warnings: readonly string[] };
  /** `opened`: the page is open in the browser and the agent waits for what the user does there. */
  readonly state: 'waiting' | 'opened' | 'completed' | 'accepted' | 'declined' | 'cancelled' | 'withdrawn';
  /** What was answered, for the record; secrets are hidden. */
  readonly answers: readonly { readonly label: string; readonly text: string }[];
  /** An imported file says so. */
  readonly isQuoted?: true;
}
