import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { TemplateResult } from 'lit-html';
import type { FormFieldView, FormOptionView, FormValue } from '../../src/protocol/formView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { fromLocal, toLocal } from '../../src/base/localTime';

/** Up to this number, options are all visible; more become a list that opens or scrolls. */
const FEW = 7;

/** The drawing and the events of a field. */
export interface FieldState {
  /** Unique in the document. */
  readonly id: string;
  readonly value: FormValue;
  /** Absent once the user has changed the value. */
  readonly error: string | undefined;
  change(value: FormValue): void;
}

/** A labelled control with its description, its constraints, and its error. */
export function formField(field: FormFieldView, state: FieldState): TemplateResult {
  if (field.type === 'unsupported') {
    return html`<div class="form-field unsupported">${icon('question')}<span><strong>${field.label}</strong
      >${required(field)}: ${l10n.t('Parley cannot show this field ({0}).', field.what)}</span></div>`;
  }
  const invalid = state.error !== undefined;
  return html`<div class="form-field ${invalid ? 'invalid' : ''}" data-key=${field.key}>
    ${
      field.type === 'checkbox'
        ? checkbox(field, state)
        : html`${heading(field, state)}${describe(
            field.description,
            `${state.id}-description`,
          )}${control(field, state)}`
    }
    ${describe(field.hint, `${state.id}-hint`)}
    ${
      invalid
        ? html`<div class="form-error" id=${`${state.id}-error`}>${icon('error')}<span>${state.error}</span></div>`
        : nothing
    }
  </div>`;
}

function heading(field: FormFieldView, { id, value, change }: FieldState) {
  const text = html`${field.label}${required(field)}`;
  // A group of options has no single control for the label.
  if (!showsOptions(field)) return html`<label class="form-label" for=${id}>${text}</label>`;
  return html`<div class="form-label"><span id=${`${id}-label`}>${text}</span>${
    field.type === 'select' && !field.required && value !== ''
      ? html`<button type="button" class="clear-choice" aria-label=${l10n.t('Clear {0}', field.label)}
        @click=${() => change('')}>${l10n.t('Clear')}</button>`
      : nothing
  }</div>`;
}

/** True if all options of a field are visible. They have no single control then. */
export function showsOptions(
  field: FormFieldView,
): field is Extract<FormFieldView, { type: 'select' | 'multiSelect' }> {
  return field.type === 'multiSelect' || (field.type === 'select' && field.options.length <= FEW);
}

function required(field: FormFieldView) {
  return field.required ? html`<span class="required" aria-hidden="true"> *</span>` : nothing;
}

function describe(text: string | undefined, id: string) {
  return text ? html`<div class="form-description" id=${id}>${text}</div>` : nothing;
}

/** Ids of the texts that describe a control, the error first. */
function describedBy(field: FormFieldView, { id, error }: FieldState) {
  const ids = [
    error === undefined ? '' : `${id}-error`,
    field.description ? `${id}-description` : '',
    field.hint ? `${id}-hint` : '',
  ].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : nothing;
}

function control(field: Exclude<FormFieldView, { type: 'checkbox' | 'unsupported' }>, state: FieldState) {
  switch (field.type) {
    case 'text':
      return field.input === 'lines' ? textBox(field, state) : textLine(field, state);
    case 'select':
      return field.options.length <= FEW ? radios(field, state) : dropdown(field, state);
    case 'multiSelect':
      return checkboxes(field, state);
  }
}

type TextField = Extract<FormFieldView, { type: 'text' }>;

const INPUTS = {
  line: { type: 'text', mode: 'text' },
  secret: { type: 'password', mode: 'text' },
  // Not the browser's own checks: the error is shown next to the field.
  email: { type: 'text', mode: 'email' },
  url: { type: 'text', mode: 'url' },
  number: { type: 'text', mode: 'decimal' },
  date: { type: 'date', mode: 'none' },
  dateTime: { type: 'datetime-local', mode: 'none' },
} as const;

function textLine(field: TextField, state: FieldState) {
  const { type, mode } = INPUTS[field.input as keyof typeof INPUTS];
  const local = field.input === 'dateTime';
  const value = String(state.value);
  return html`<input id=${state.id} class="form-input" type=${type} inputmode=${mode} autocomplete="off"
    spellcheck="false" aria-required=${field.required}
      aria-invalid=${state.error !== undefined} aria-describedby=${describedBy(field, state)}
      .value=${live(local ? toLocal(value) : value)}
      @input=${(event: InputEvent) => state.change(local ? fromLocal(valueOf(event)) : valueOf(event))}>`;
}

function textBox(field: TextField, state: FieldState) {
  return html`<textarea id=${state.id} class="form-input" rows="1" aria-required=${field.required}
    aria-invalid=${state.error !== undefined}
      aria-describedby=${describedBy(field, state)} .value=${live(String(state.value))}
      @input=${(event: InputEvent) => state.change(valueOf(event))}></textarea>`;
}

function dropdown(field: Extract<FormFieldView, { type: 'select' }>, state: FieldState) {
  const chosen = field.options.find((option) => option.value === state.value);
  return html`<select id=${state.id} class="form-input" aria-required=${field.required}
    aria-invalid=${state.error !== undefined}
      aria-describedby=${describedBy(field, state)} @change=${(event: Event) => state.change(valueOf(event))}>
    <option value="" ?selected=${!chosen}>${field.required ? l10n.t('Select…') : l10n.t('No answer')}</option>
    ${field.options.map(
      (option) => html`<option value=${option.value} ?selected=${option === chosen}>${option.title}</option>`,
    )}
  </select>${describe(chosen?.description, `${state.id}-chosen`)}`;
}

function radios(field: Extract<FormFieldView, { type: 'select' }>, state: FieldState) {
  return html`<div class="options" role="radiogroup" aria-labelledby=${`${state.id}-label`}
    aria-required=${field.required}
      aria-invalid=${state.error !== undefined} aria-describedby=${describedBy(field, state)}>${field.options.map(
        (option) =>
          optionLine(
            option,
            html`<input type="radio" name=${state.id} .checked=${live(option.value === state.value)}
              @change=${() => state.change(option.value)}>`,
          ),
      )}</div>`;
}

function checkboxes(field: Extract<FormFieldView, { type: 'multiSelect' }>, state: FieldState) {
  const chosen = Array.isArray(state.value) ? (state.value as readonly string[]) : [];
  const toggle = (value: string) =>
    state.change(chosen.includes(value) ? chosen.filter((item) => item !== value) : [...chosen, value]);
  return html`<div class="options ${field.options.length > FEW ? 'many' : ''}" role="group"
    aria-labelledby=${`${state.id}-label`}
      aria-describedby=${describedBy(field, state)}>${field.options.map((option) =>
        optionLine(
          option,
          html`<input type="checkbox" .checked=${live(chosen.includes(option.value))}
            @change=${() => toggle(option.value)}>`,
        ),
      )}</div>`;
}

function optionLine(option: FormOptionView, input: TemplateResult) {
  return html`<label class="option">${input}<span class="option-text"><span>${option.title}</span>${
    option.description ? html`<span class="form-description">${option.description}</span>` : nothing
  }</span></label>`;
}

function checkbox(field: Extract<FormFieldView, { type: 'checkbox' }>, state: FieldState) {
  return html`<label class="option"><input id=${state.id} type="checkbox" .checked=${live(state.value === true)}
    aria-describedby=${describedBy(field, state)}
      @change=${(event: Event) => state.change((event.target as HTMLInputElement).checked)}><span
        class="option-text"><span>${field.label}</span>${
          field.description
            ? html`<span class="form-description" id=${`${state.id}-description`}>${field.description}</span>`
            : nothing
        }</span></label>`;
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}
