import { isObject } from '../acp/json';

/** How deep and how far an exit code is looked for. */
const maxDepth = 5;
const maxFields = 100;
/** Characters of a line that says how a command ended. */
const maxLine = 200;

/** How a command ended, as far as the agent says: by a code, by a signal, or only that it failed. */
export interface CommandEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly failed?: true;
}

/**
 * Looks for the end of a command in all that its tool gave: in a field of any depth, in lists, and in the first or last
 * line of a text ("[Command exited with code 3]", "EXIT_CODE: 3"). Fields outrank words.
 * @param texts what it said
 */
export function commandEnd(rawOutput: unknown, texts: readonly string[]): CommandEnd {
  const found = inFields(rawOutput, { fields: maxFields }, 0);
  if (found.exitCode !== undefined || found.signal !== undefined) return found;
  for (const text of texts) {
    const exitCode = inWords(text);
    if (exitCode !== undefined) return { exitCode };
  }
  return found;
}

function inFields(value: unknown, room: { fields: number }, depth: number): CommandEnd {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return {};
  const fields = Object.entries(value).slice(0, maxFields);
  for (const [name, field] of fields) {
    if (!/^(?:exit(?:[_-]?(?:code|status))?|return[_-]?code)$/i.test(name)) continue;
    const code: unknown = isObject(field) ? field['code'] : field;
    if (Number.isInteger(code)) return { exitCode: code as number };
  }
  for (const [name, field] of fields) if (/^(?:exit[_-]?)?signal$/i.test(name) && typeof field === 'string' && /^SIG[A-Z0-9]+$/.test(field)) return { signal: field };
  let failed = isObject(value) && (value['success'] === false || value['isError'] === true || value['is_error'] === true);
  for (const [, field] of fields) {
    if (room.fields-- <= 0) break;
    const found = inFields(field, room, depth + 1);
    if (found.exitCode !== undefined || found.signal !== undefined) return found;
    failed ||= found.failed === true;
  }
  return failed ? { failed } : {};
}

const sentence = /^\W{0,3}(?:error: )?(?:the )?(?:(?:shell )?command|process|script)?\s*(?:exited|finished|failed|ended|terminated|completed)(?: with)?[\s:(]{0,3}(?: ?an?)?(?: non-zero)?(?: ?exit)? ?(?:code|status)\s*[:=]?\s*(-?\d{1,10})(?: (?:in|after) [\d.]{1,9} ?\w{1,12})?\W{0,3}$/i;
const label = /^\W{0,3}(?:exit|return)[ _-]?(?:code|status)(?:\s*[:=]|\s|>)\W{0,3}?(-?\d{1,10})(?:<\/exit[ _-]?(?:code|status)>)?\W{0,3}$/i;
const brackets = /^[[(]exit(?:ed)? (-?\d{1,10})[\])]$/i;
/** Lines of a head that ends with "Output:". */
const maxHead = 8;

/** The command itself may say such a thing in between. */
function inWords(text: string): number | undefined {
  const trimmed = text.trim();
  const first = trimmed.slice(0, maxLine).split('\n', 1)[0]!;
  const last = trimmed.slice(-maxLine).split('\n').at(-1)!;
  const head = trimmed.slice(0, maxLine * 2).split('\n', maxHead);
  const output = head.findIndex((line) => /^output:\s*$/i.test(line));
  for (const line of [first, last, ...head.slice(1, Math.max(1, output))]) {
    const said = line.trim();
    const found = sentence.exec(said) ?? label.exec(said) ?? brackets.exec(said);
    if (found) return Number(found[1]);
  }
  return undefined;
}
