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
  for (const [name, field] of fields) if (/^(?:exit(?:[_-]?(?:code|status))?|return[_-]?code)$/i.test(name) && Number.isInteger(field)) return { exitCode: field as number };
  for (const [name, field] of fields) if (/^(?:exit[_-]?)?signal$/i.test(name) && typeof field === 'string' && /^SIG[A-Z0-9]+$/.test(field)) return { signal: field };
  let failed = isObject(value) && (value['success'] === false || value['isError'] === true);
  for (const [, field] of fields) {
    if (room.fields-- <= 0) break;
    const found = inFields(field, room, depth + 1);
    if (found.exitCode !== undefined || found.signal !== undefined) return found;
    failed ||= found.failed === true;
  }
  return failed ? { failed } : {};
}

const sentence = /^\W{0,3}(?:error: )?(?:the )?(?:command|process|shell command)?\s*(?:exited|finished|failed|ended|terminated|completed)(?: with)?(?: an?)?(?: non-zero)?(?: exit)? (?:code|status)\s*[:=]?\s*(-?\d{1,10})\W{0,3}$/i;
const label = /^\W{0,3}exit[ _-]?(?:code|status)\s*[:=]\s*(-?\d{1,10})\W{0,3}$/i;

/** The command itself may say such a thing in between. */
function inWords(text: string): number | undefined {
  const trimmed = text.trim();
  const first = trimmed.slice(0, maxLine).split('\n', 1)[0]!;
  const last = trimmed.slice(-maxLine).split('\n').at(-1)!;
  for (const line of [first, last]) {
    const found = sentence.exec(line.trim()) ?? label.exec(line.trim());
    if (found) return Number(found[1]);
  }
  return undefined;
}
