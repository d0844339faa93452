import { isObject } from '../base/json';

/** Limits of the search for an exit code. */
const maxDepth = 5;
const maxFields = 100;
/** The most characters of a line about a command's end. */
const maxLine = 200;

/** The end of a command as the agent reports it: a code, a signal, or only a failure. */
export interface CommandEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly failed?: true;
}

/**
 * Looks for the end of a command in all of its output: in a field of any depth, in lists, and in the first or last
 * line of a text ("[Command exited with code 3]", "EXIT_CODE: 3"). Fields outrank words.
 * @param texts of its output
 */
export function commandEnd(rawOutput: unknown, texts: readonly string[]): CommandEnd {
  const found = inFields(rawOutput, { fields: maxFields }, 0);
  if (found.exitCode !== undefined || found.signal !== undefined) return found;
  for (const text of texts) {
    const end = inWords(text);
    if (end) return end;
  }
  return found;
}

const codeNames = /^(?:exit(?:[_-]?(?:code|status))?|return[_-]?code|rc)$/i;
const stateNames = /^(?:status|state)$/i;
/** Fields that are true if a command was ended or failed. */
const failures = /^(?:is_?error|timed_?out|interrupted|killed|aborted)$/i;

/** Some give the code as text, or as a sentence: "exit status: 0". */
function numberIn(text: string): number | undefined {
  const digits = /^(?:exit (?:code|status)\s?[:=]?\s?)?(-?\d{1,10})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** "exited(3)" */
function exited(state: unknown): number | undefined {
  const digits = typeof state === 'string' ? /^exit(?:ed)?[\s(:=]{1,2}(-?\d{1,10})\)?$/i.exec(state)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function inFields(value: unknown, room: { fields: number }, depth: number): CommandEnd {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return {};
  const fields = Object.entries(value).slice(0, maxFields);
  for (const [name, field] of fields) {
    const code: unknown = !codeNames.test(name)
      ? stateNames.test(name)
        ? exited(field)
        : undefined
      : isObject(field)
        ? field['code']
        : typeof field === 'string'
          ? numberIn(field)
          : field;
    if (Number.isInteger(code)) return { exitCode: code as number };
  }
  for (const [name, field] of fields)
    if (
      /^(?:exit|term|termination)?[_-]?signal$/i.test(name) &&
      typeof field === 'string' &&
      /^SIG[A-Z0-9]+$/.test(field)
    )
      return { signal: field };
  let failed =
    isObject(value) &&
    fields.some(
      ([name, field]) => (field === true && failures.test(name)) || (field === false && /^(?:success|ok)$/i.test(name)),
    );
  for (const [, field] of fields) {
    if (room.fields-- <= 0) break;
    const found = inFields(field, room, depth + 1);
    if (found.exitCode !== undefined || found.signal !== undefined) return found;
    failed ||= found.failed === true;
  }
  return failed ? { failed } : {};
}

const quoted = '["\'`][^\\n]{1,120}["\'`]';
const sentence = new RegExp(
  String.raw`^\W{0,3}(?:error: )?(?:the )?(?:(?:shell )?command|process|script)?\s*(?:${quoted})?\s*(?:exited|executed|finished|failed|ended|terminated|completed)(?: with)?[\s:(]{0,3}(?: ?an?)?(?: non-zero)?(?: ?exit)? ?(?:code|status)\s*[:=]?\s*(-?\d{1,10})(?: (?:in|after) [\d.]{1,9} ?\w{1,12})?\W{0,3}$`,
  'i',
);
const label =
  /^\W{0,3}(?:error: )?(?:exit|return)[ _-]?(?:code|status)(?:\s*[:=]|\s|>)\W{0,3}?(-?\d{1,10})(?:<\/(?:exit|return)[ _-]?(?:code|status)>)?\W{0,3}$/i;
const brackets = /^[[(](?:exit(?:ed)?|rc)[ =:]{1,2}(-?\d{1,10})[\])]$/i;
const killed =
  /^\W{0,3}(?:error: )?(?:the )?(?:command|process)(?: was)? (?:terminated|killed)(?: by)?(?: signal)?:? (SIG[A-Z0-9]{2,8})\W{0,3}$/i;
const tooLong =
  /^\W{0,3}(?:error: )?(?:(?:the )?(?:command|process) timed out after \d|(?:\w{1,20} tool )?terminated command after exceeding timeout \d)/i;
/** A tag around a line that is not the command's output: `<system>ERROR: …</system>`. */
const around = /^<([a-z][\w-]{0,30})>([^]*)<\/\1>$/i;
/** Lines of a head that ends with "Output:", or of a report behind the output. */
const maxHead = 8;
/** A line of a report, as some agents put it behind the output: "Signal: (none)". */
const reported = /^[A-Z][\w ]{2,30}: /;

/** Only there, because the command itself may print such a line. */
function inWords(text: string): CommandEnd | undefined {
  const trimmed = text.trim();
  const first = trimmed.slice(0, maxLine).split('\n', 1)[0]!;
  const tail = trimmed
    .slice(-maxLine * 2)
    .split('\n')
    .slice(-maxHead);
  const report = tail.length - 1 - tail.findLastIndex((line) => !reported.test(line));
  const head = trimmed.slice(0, maxLine * 2).split('\n', maxHead);
  const output = head.findIndex((line) => /^output:\s*$/i.test(line));
  const last = tail.at(-1)!.slice(-maxLine);
  const lines = [
    first,
    last,
    ...(/<\/\w{1,20}>$/.test(last) ? tail.slice(-2, -1) : []),
    ...tail.slice(tail.length - report, -1),
    ...head.slice(1, Math.max(1, output)),
  ];
  for (const line of lines) {
    const said = line.trim();
    const inner = around.exec(said)?.[2]?.trim() ?? said;
    const found = sentence.exec(inner) ?? label.exec(inner) ?? label.exec(said) ?? brackets.exec(said);
    if (found) return { exitCode: Number(found[1]) };
    const signal = killed.exec(inner)?.[1];
    if (signal !== undefined) return { signal: signal.toUpperCase() };
    if (tooLong.test(inner)) return { failed: true };
  }
  return undefined;
}
