/* oxlint-disable no-control-regex */

/** A terminal's colours, cursor movements, titles and links. A lone bell has no meaning either. */
const sequences =
  /\u001b(?:\[[\d:;<=>?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[!-/]+[0-~]|[78=>c@-OQ-WYZ\\])|\u009b[\d:;<=>?]*[ -/]*[@-~]|\u0007/g;
const begun = /(?:\u001b(?:[!-/]*|\[[\d:;<=>?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?)|\u009b[\d:;<=>?]*[ -/]*)$/;
/** A sequence that is not complete after this many characters is text. */
const MOST_HELD = 1_000;

/**
 * Removes terminal control sequences. Do not use it for text that the user decides on: a permission request shows a
 * mark for each such character (`visibleText`). Takes linear time.
 */
export function withoutControls(text: string): string {
  return /[\u001b\u009b\u0007]/.test(text) ? text.replace(sequences, '') : text;
}

/** The same for every text in a value. @returns the value itself if nothing changes */
export function withoutControlsIn<T>(value: T): T {
  if (typeof value === 'string') return withoutControls(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutControlsIn(item));
    return items.some((item, at) => item !== value[at]) ? (items as T) : value;
  }
  const fields = Object.entries(value).map(([name, field]) => [name, withoutControlsIn(field)] as const);
  return fields.some(([name, field]) => field !== (value as Record<string, unknown>)[name])
    ? (Object.fromEntries(fields) as T)
    : value;
}

/** The same for a text in pieces, which may be cut anywhere. */
export class ControlFilter {
  #held = '';

  /** @returns the part that is certainly text */
  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = begun.exec(text.slice(-MOST_HELD))?.[0] ?? '';
    return withoutControls(this.#held === '' ? text : text.slice(0, -this.#held.length));
  }

  /** @returns the rest, which was not a sequence after all */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
