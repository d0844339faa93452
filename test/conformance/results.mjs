import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../launch/project.mjs';
import { proofOf, ringOf } from './item.mjs';

/**
 * @typedef {object} Result One test that ran.
 * @property {string} title
 * @property {string} fullName
 * @property {string} [file] Relative to the project; unknown for tests inside of VS Code.
 * @property {string} state
 *
 * @typedef {'pass' | 'fail' | 'open'} Verdict `open` is a rule of which something is not built or not proven.
 * @typedef {{ verdict: Verdict, rings: string[], count: number, problems: string[] }} Judged
 */

/** Where a ring leaves its results. @param {string} ring */
function fileOf(ring) {
  return join(root, 'out/results', `${ring}.json`);
}

/** When the ring ran last, in epoch milliseconds; undefined when it never did. @param {string} ring */
export function whenRun(ring) {
  return existsSync(fileOf(ring)) ? statSync(fileOf(ring)).mtimeMs : undefined;
}

/** What the ring's last run came to. @param {string} ring @returns {Result[]} */
export function resultsOf(ring) {
  if (whenRun(ring) === undefined) return [];
  const report = JSON.parse(readFileSync(fileOf(ring), 'utf8'));
  /** @type {Result[]} */
  const all =
    ring === 'host'
      ? report.map((/** @type {any} */ { name, title, state }) => ({ title: name, fullName: title, state }))
      : report.testResults.flatMap((/** @type {any} */ file) =>
          file.assertionResults.map((/** @type {any} */ { title, fullName, status }) => ({
            title,
            fullName,
            file: relative(root, file.name).replaceAll('\\', '/'),
            state: status,
          })),
        );
  // A test that was skipped, because its platform is another, says nothing.
  return all.filter(({ state }) => state === 'passed' || state === 'failed');
}

/**
 * Judges an item by its proofs: each must have at least one test that ran, and all of them must have passed.
 * @param {{ proofs: readonly string[], open?: string }} item
 * @param {(ring: string) => readonly Result[]} results
 * @returns {Judged}
 */
export function judge(item, results) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Set<Result>} */
  const seen = new Set();
  const rings = [...new Set(item.proofs.map((proof) => ringOf(proofOf(proof).file)))];
  for (const proof of item.proofs) {
    const { file, title } = proofOf(proof);
    const found = results(ringOf(file)).filter(
      (test) => (test.file === undefined || test.file === file) && matches(test, title),
    );
    if (found.length === 0) problems.push(`no result of ${proof}`);
    for (const test of found) {
      seen.add(test);
      if (test.state !== 'passed') problems.push(`${file}: ${test.fullName}`);
    }
  }
  return {
    verdict: problems.length > 0 ? 'fail' : item.open === undefined ? 'pass' : 'open',
    rings,
    count: seen.size,
    problems,
  };
}

/**
 * Numbers begin a title, be it the test's own or that of its group; words may be anywhere.
 * @param {Result} test
 * @param {string} title
 */
function matches({ title: own, fullName }, title) {
  return own.startsWith(title) || fullName.startsWith(title) || (!/^\d/.test(title) && fullName.includes(title));
}
