import type { FormField } from '../acp/decodeFormField';

/** What a form gives for a field: text (numbers too), whether a box is ticked, or which options are chosen. */
export type FormValue = string | boolean | readonly string[];

/** What a field holds before anyone touched it. */
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
