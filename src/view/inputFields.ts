import { isObject } from '../base/json';
import type { InputFieldView } from '../protocol/permissionView';

/** An input with more values, or a deeper one, is shown as it is. */
const maxFields = 60;
const maxDepth = 6;

/**
 * The values of an input one by one, which is easier to read than JSON and leaves out nothing but what the card says
 * already, line by line or as a whole. `undefined` for an input that is no object or too large.
 * @param said what the card says: title, words, answers, the patch that it draws
 */
export function inputFields(rawInput: unknown, said: readonly string[]): InputFieldView[] | undefined {
  if (!isObject(rawInput)) return undefined;
  const known = new Set(said.flatMap((text) => [text.trim(), ...text.split('\n').map((line) => line.trim())]));
  const fields: InputFieldView[] = [];
  let isTooMuch = false;
  const visit = (value: unknown, name: string, depth: number) => {
    if (fields.length > maxFields || depth > maxDepth) isTooMuch = true;
    if (isTooMuch) return;
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (inner.length > 0) for (const [key, item] of inner) visit(item, name === '' ? key : `${name}.${key}`, depth + 1);
    else if (typeof value !== 'string') fields.push({ name, text: JSON.stringify(value) ?? 'null' });
    else if (!known.has(value.trim())) fields.push({ name, text: value });
  };
  visit(rawInput, '', 0);
  return isTooMuch || fields.length > maxFields ? undefined : fields;
}
