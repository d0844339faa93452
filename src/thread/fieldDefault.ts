import type { FormField } from '../acp/decodeFormField';

/** The value of a field: text (also for numbers), the state of a checkbox, or the chosen options. */
export type FormValue = string | boolean | readonly string[];

/** The initial value of a field. */
export function defaultOf(field: FormField): FormValue {
  switch (field.type) {
    case 'string':
    case 'select':
      return field.default ?? '';
    case 'number':
    case 'integer':
      return field.default === undefined ? '' : String(field.default);
    case 'boolean':
      return field.default ?? false;
    case 'multiSelect':
      return field.default;
    case 'unsupported':
      return '';
  }
}
