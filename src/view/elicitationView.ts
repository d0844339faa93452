import * as l10n from '@vscode/l10n';
import { withoutControls } from '../base/controlSequences';
import type { FormField, FormOption } from '../acp/decodeFormField';
import type { ElicitationView, FormFieldView, FormOptionView } from '../protocol/formView';
import { defaultOf, elicitationTitle } from '../thread/elicitation';
import type { Elicitation } from '../thread/thread';
import { clip } from '../base/oneLine';

/** Characters of a label and of a description; longer texts belong in the message. */
const maxLabel = 300;
const maxDescription = 4_000;

/** A text that may be longer than this gets a box that grows. */
const longText = 100;

/** An elicitation as the panel shows it: the form, and once it is settled only the answers. */
export function elicitationView(entry: Elicitation): ElicitationView {
  const { id, requestId, message, ask, state, answers } = entry;
  const title = elicitationTitle(entry);
  const whole = withoutControls(message).trim();
  // The title already has it.
  const rest =
    whole.startsWith(title) && /^(\r?\n|$)/.test(whole.slice(title.length)) ? whole.slice(title.length).trim() : whole;
  return {
    kind: 'elicitation',
    id,
    requestId,
    title,
    ...(rest === '' ? {} : { message: rest }),
    body:
      ask.mode === 'url'
        ? { type: 'page', url: ask.page.url, host: ask.page.host, warnings: ask.page.warnings }
        : formBody(entry, ask.form),
    state,
    answers: answers.map(({ label, text }) => ({ label: words(label, maxLabel), text: clip(text, maxDescription) })),
    ...(entry.isQuoted ? { isQuoted: true as const } : {}),
  };
}

function formBody(
  entry: Elicitation,
  form: Extract<Elicitation['ask'], { mode: 'form' }>['form'],
): ElicitationView['body'] {
  const fields = entry.state === 'waiting' ? form.fields : [];
  return {
    type: 'form',
    ...(form.description ? { description: words(form.description, maxDescription) } : {}),
    fields: fields.map((field) => fieldView(field, entry.errors.get(field.key))),
    canSubmit: !fields.some((field) => field.type === 'unsupported' && field.required),
  };
}

function fieldView(field: FormField, error: string | undefined): FormFieldView {
  const { key, required } = field;
  const hint = hintOf(field);
  const common = {
    key,
    ...named(field.label, field.description),
    required,
    ...(hint ? { hint } : {}),
    ...(error === undefined ? {} : { error }),
  };
  switch (field.type) {
    case 'string':
      return { ...common, type: 'text', input: inputOf(field), value: String(defaultOf(field)) };
    case 'number':
    case 'integer':
      return { ...common, type: 'text', input: 'number', value: String(defaultOf(field)) };
    case 'boolean':
      return { ...common, type: 'checkbox', value: field.default ?? false };
    case 'select':
      return { ...common, type: 'select', options: optionViews(field.options), value: field.default ?? '' };
    case 'multiSelect':
      return { ...common, type: 'multiSelect', options: optionViews(field.options), value: field.default };
    case 'unsupported':
      return { ...common, type: 'unsupported', what: field.what };
  }
}

function optionViews(options: readonly FormOption[]): FormOptionView[] {
  return options.map(({ value, title, description }) => {
    const { label, ...rest } = named(title, description);
    return { value, title: label, ...rest };
  });
}

function named(label: string, description: string | undefined): { label: string; description?: string } {
  return { label: words(label, maxLabel), ...(description ? { description: words(description, maxDescription) } : {}) };
}

/** The agent's own words. A value is sent back unchanged. */
function words(text: string, limit: number): string {
  return clip(withoutControls(text), limit);
}

function inputOf(field: Extract<FormField, { type: 'string' }>): Extract<FormFieldView, { type: 'text' }>['input'] {
  if (field.secret) return 'secret';
  switch (field.format) {
    case 'email':
      return 'email';
    case 'uri':
      return 'url';
    case 'date':
      return 'date';
    case 'date-time':
      return 'dateTime';
    case undefined:
      return field.pattern === undefined && (field.maxLength ?? Infinity) > longText ? 'lines' : 'line';
  }
}

/** The constraints that the user should know before they answer. */
function hintOf(field: FormField): string | undefined {
  switch (field.type) {
    case 'string':
      return charactersHint(field.minLength || undefined, field.maxLength);
    case 'number':
      return numberHint(field.minimum, field.maximum);
    case 'integer':
      return integerHint(field.minimum, field.maximum);
    case 'multiSelect':
      return choiceHint(field.minItems || undefined, field.maxItems);
    default:
      return undefined;
  }
}

function charactersHint(low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === undefined) return high === 1 ? l10n.t('At most 1 character') : l10n.t('At most {0} characters', high!);
  if (high === undefined) return low === 1 ? l10n.t('At least 1 character') : l10n.t('At least {0} characters', low);
  if (low === high) return low === 1 ? l10n.t('1 character') : l10n.t('{0} characters', low);
  return l10n.t('{0} to {1} characters', low, high);
}

function numberHint(low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === undefined) return l10n.t('Number, at most {0}', high!);
  if (high === undefined) return l10n.t('Number, at least {0}', low);
  return low === high ? l10n.t('Number, {0}', low) : l10n.t('Number, {0} to {1}', low, high);
}

function integerHint(low: number | undefined, high: number | undefined): string {
  if (low === undefined && high === undefined) return l10n.t('Whole number');
  if (low === undefined) return l10n.t('Whole number, at most {0}', high!);
  if (high === undefined) return l10n.t('Whole number, at least {0}', low);
  return low === high ? l10n.t('Whole number, {0}', low) : l10n.t('Whole number, {0} to {1}', low, high);
}

function choiceHint(low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === undefined) return l10n.t('Select at most {0}', high!);
  if (high === undefined) return l10n.t('Select at least {0}', low);
  return low === high ? l10n.t('Select {0}', low) : l10n.t('Select {0} to {1}', low, high);
}
