import * as l10n from '@vscode/l10n';
import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { ElicitationForm } from '../acp/decodeElicitation';
import type { FormField } from '../acp/decodeFormField';
import { defaultOf, type FormValue } from './elicitation';
import { fieldProblem, numberFrom, type PatternCheck } from './fieldProblem';
import type { ElicitationAnswer } from './thread';

/** By the field's key. A missing field has its default value. */
export type FormValues = ReadonlyMap<string, FormValue>;

type Content = NonNullable<Extract<CreateElicitationResponse, { action: 'accept' }>['content']>;

/** The answer for the agent and the one that the thread may store; or the problems by the field's key. */
export type FormAnswer =
  | { readonly content: Content; readonly answers: readonly ElicitationAnswer[] }
  | { readonly errors: ReadonlyMap<string, string> };

/** The thread's text in place of a secret. */
export const hiddenText = '•••';

/**
 * Checks the values of a form and converts them to content that the requested schema accepts (item 163). Optional empty
 * fields are left out, because "" would be an answer.
 */
export function answerForm(form: ElicitationForm, values: FormValues, matches: PatternCheck): FormAnswer {
  const errors = new Map<string, string>();
  const content: [string, Content[string]][] = [];
  const answers: ElicitationAnswer[] = [];
  for (const field of form.fields) {
    const value = valueOf(field, values);
    const problem = fieldProblem(field, value, matches);
    if (problem !== undefined) errors.set(field.key, problem);
    const given = contentOf(field, value);
    if (problem !== undefined || given === undefined) continue;
    content.push([field.key, given]);
    answers.push({ label: field.label, text: field.secret ? hiddenText : textOf(field, given) });
  }
  // Built from entries, because a field may be named `__proto__`.
  return errors.size > 0 ? { errors } : { content: Object.fromEntries(content), answers };
}

/** The value of a field, if it has the field's type. */
function valueOf(field: FormField, values: FormValues): FormValue {
  const preset = defaultOf(field);
  const value = values.get(field.key);
  if (value === undefined || typeof value !== typeof preset) return preset;
  // In the order of the options, without duplicates.
  if (field.type === 'multiSelect')
    return field.options.flatMap((option) =>
      (value as readonly string[]).includes(option.value) ? [option.value] : [],
    );
  return value;
}

function contentOf(field: FormField, value: FormValue): Content[string] | undefined {
  if (field.type === 'unsupported') return undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return value.length === 0 && !field.required ? undefined : [...value];
  if (field.type === 'number' || field.type === 'integer') return numberFrom(value);
  const text = isTrimmed(field) ? value.trim() : value;
  return text === '' ? undefined : text;
}

/** Spaces around a pasted address are a mistake. */
function isTrimmed(field: FormField): boolean {
  return field.type === 'string' && field.format !== undefined;
}

function textOf(field: FormField, content: Content[string]): string {
  if (typeof content === 'boolean') return content ? l10n.t('Yes') : l10n.t('No');
  if (field.type !== 'select' && field.type !== 'multiSelect') return String(content);
  const chosen = Array.isArray(content) ? content : [content];
  const titles = field.options.flatMap((option) => (chosen.includes(option.value) ? [option.title] : []));
  return titles.length > 0 ? titles.join(', ') : l10n.t('None');
}
