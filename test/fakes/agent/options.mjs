import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * How the fake agent behaves before and beside prompts. Given as JSON in `FAKE_AGENT_OPTIONS`, as `--options JSON`, or
 * as `options` of a scenario file; later ones win. Everything is optional, and the default is a well-behaved agent.
 *
 * @typedef {object} Options
 * @property {string} [log] Where to record the wire; also `FAKE_AGENT_LOG`.
 * @property {unknown} [protocolVersion] What initialize answers; 1.
 * @property {{ code: number, message: string, data?: unknown }} [initializeError]
 * @property {{ code: number, message: string, data?: unknown }} [draftError] The answer to an initialize that asks for
 * version 2.
 * @property {object} [resumeState] Of v2: the state that session/resume tells before it answers; idle.
 * @property {unknown} [initializeResult] Replaces the whole result.
 * @property {Record<string, unknown>} [initializePatch] Overrides fields of the result, with anything; null stays null.
 * @property {number} [initializeDelay] Milliseconds.
 * @property {boolean} [neverInitialize]
 * @property {{ code?: number, signal?: NodeJS.Signals, stderr?: string }} [dieAtStart]
 * @property {{ code?: number, signal?: NodeJS.Signals, stderr?: string }} [dieAtInitialize]
 * @property {string} [banner] Printed to stdout before anything else, raw.
 * @property {string} [stderr] Printed to stderr at start.
 * @property {number} [stderrFlood] Bytes of noise on stderr at start, not UTF-8.
 * @property {boolean} [crlf] Ends lines with CR LF and puts blank lines between them.
 * @property {string} [lastLine] Written without a newline when stdin ends, before the end.
 * @property {boolean} [ignoreStdinEnd]
 * @property {boolean} [ignoreSigterm]
 * @property {'held' | 'free'} [grandchild] Starts a process that outlives this one; "held" inherits our pipes.
 * @property {{ code: number, message: string, data?: unknown }} [sessionError] session/new fails.
 * @property {{ code: number, message: string, data?: unknown }} [loadError] The answer to session/load.
 * @property {{ code: number, message: string, data?: unknown }} [deleteError] The answer to session/delete.
 * @property {number} [longestTitle] session/set_title cuts what is longer.
 * @property {object[]} [listPages] Answers to session/list, one after the other.
 * @property {{ code: number, message: string, data?: unknown }} [closeError] The answer to session/close.
 * @property {number} [sessionDelay]
 * @property {unknown} [sessionResult] Replaces the whole result of session/new.
 * @property {Record<string, unknown>} [sessionPatch] Overrides fields of the result of session/new.
 * @property {Record<string, any>[]} [configOptions] Config options of every session; see sessionOptions.mjs.
 * @property {unknown[]} [refused] Modes, models and values of options that are refused.
 * @property {object[]} [early] Updates sent before the response of session/new.
 * @property {object[]} [afterSession] Updates sent right after it.
 * @property {object[]} [replay] Updates that session/load sends before it answers.
 * @property {number} [replayTurns] So many turns that session/load sends after those: a prompt, a tool call and an
 * answer each.
 * @property {object[]} [replayLate] Updates that it sends after its answer.
 * @property {'null' | 'missing' | 'both'} [voidResult] How methods without a result are answered.
 * @property {'mixed' | 'string'} [ids] Request ids: numbers by default.
 * @property {boolean | { code: number, message: string, data?: unknown }} [authRequired] Calls fail with -32000, or so,
 * until somebody has signed in.
 * @property {string[]} [authRequiredFor] Which calls; session/new.
 * @property {number} [stubborn] So many of them fail also when somebody has signed in.
 * @property {string} [accountFile] Somebody has signed in while this file exists; `--login` writes it. See account.mjs.
 * @property {{ code: number, message: string, data?: unknown }[]} [authenticateErrors] The first answers to
 * authenticate.
 * @property {number} [authenticateDelay] Milliseconds.
 * @property {number} [authenticateHangs] So many calls of authenticate are never answered.
 * @property {string} [apiKey] The key that authenticate wants in `_meta`.
 * @property {Record<string, Record<string, unknown>>} [elicitBefore] By method: what is elicited before it is answered;
 * scoped to it unless it names a session.
 * @property {{ code: number, message: string, data?: unknown }} [steerError] The answer to _session/steering, which is
 * offered with `initializePatch: { _meta: { steering: { supported: true } } }`.
 * @property {string[]} [answerNever] Methods that are never answered.
 *
 * @typedef {object} Scenario
 * @property {Options} [options]
 * @property {string[][]} [turns] Directives of the first, second, … prompt, instead of those in its text.
 * @property {(turn: import('./turn.mjs').FakeTurn, text: string, index: number) => Promise<void>} [play] In a module:
 * plays a prompt itself.
 */

/** @returns {Promise<Scenario & { options: Options }>} */
export async function readScenario() {
  const file = process.env['FAKE_AGENT_SCENARIO'] ?? argument('--scenario');
  /** @type {Scenario} */
  const scenario = !file
    ? {}
    : file.endsWith('.json')
      ? JSON.parse(readFileSync(file, 'utf8'))
      : (await import(pathToFileURL(file).href)).default;
  const log = process.env['FAKE_AGENT_LOG'];
  return {
    ...scenario,
    options: {
      ...(log ? { log } : {}),
      ...scenario.options,
      ...JSON.parse(process.env['FAKE_AGENT_OPTIONS'] ?? '{}'),
      ...JSON.parse(argument('--options') ?? '{}'),
    },
  };
}

/** @param {string} name */
function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
