/** The rings of tests, each a function that runs one, says what happens and tells what came out. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';

/**
 * What came out of a ring. `stories` says of each test that failed which it was and why: they are printed last of all,
 * because of a long output often only the end is kept.
 * @typedef {{ passed: number, failed: number, skipped: number, stories: readonly string[] }} Count
 * @typedef {(line: string) => void} Say Prints a line, when it is the ring's turn to print.
 */

/** @param {Partial<Count>} [count] @returns {Count} */
export function count({ passed = 0, failed = 0, skipped = 0, stories = [] } = {}) {
  return { passed, failed, skipped, stories };
}

/** @param {string} ring @param {string} title @param {string} why */
const failedStory = (ring, title, why) => `✗ ${ring}: ${title}\n${shortened(why)}`;

/** @param {string} why */
function shortened(why) {
  const lines = why
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\s+at .*\/node_modules\//.test(line));
  return [...lines.slice(0, 24), ...(lines.length > 24 ? [`(${lines.length - 24} more lines)`] : [])]
    .map((line) => `    ${line}`)
    .join('\n');
}

/**
 * A program whose success is one passed test.
 * @param {string} name
 * @param {string} script
 * @param {readonly string[]} args
 * @param {Say} say
 */
export async function checkedBy(name, script, args, say) {
  const { code, output } = await run(process.execPath, [join(root, script), ...args], { cwd: root, quiet: true });
  if (code !== 0) {
    say(output.trimEnd());
    say(`✗ ${name}`);
    return count({ failed: 1, stories: [failedStory('check', name, output)] });
  }
  say(`✓ ${name}`);
  return count({ passed: 1 });
}

/**
 * The projects of test/vitest.config.mjs whose names begin so. A file that cannot be loaded and an error outside any
 * test count as failed tests, so that a ring never looks green because it broke early.
 * @param {string} project @param {readonly string[]} filters names of test files to keep to @param {Say} say
 * @param {readonly string[]} [leftOut] files that do not run
 */
export async function vitest(project, filters, say, leftOut = []) {
  const result = join(root, 'out/results', `${project}.json`);
  rmSync(result, { force: true });
  const { code } = await run(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...filters,
      '--config',
      join(root, 'test/vitest.config.mjs'),
      '--project',
      `${project}*`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${result}`,
    ],
    { cwd: root, say, env: { ...process.env, ...(leftOut.length > 0 ? { PARLEY_LEFT_OUT: leftOut.join(' ') } : {}) } },
  );
  if (!existsSync(result)) {
    return count({ failed: 1, stories: [`✗ ${project}: the test runner ended with code ${code} and left no result`] });
  }
  const report = JSON.parse(readFileSync(result, 'utf8'));
  /**
   * @type {{ name: string, status: string, message: string, assertionResults: { status: string, fullName: string,
   * failureMessages?: string[] }[] }[]}
   */
  const files = report.testResults;
  const unloadable = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const stories = unloadable.map(({ name, message }) => failedStory(project, relative(root, name), message));
  for (const { status, fullName, failureMessages = [] } of files.flatMap(({ assertionResults }) => assertionResults)) {
    if (status === 'failed') stories.push(failedStory(project, fullName, failureMessages.join('\n')));
  }
  const failed = report.numFailedTests + unloadable.length;
  if (failed === 0 && code !== 0) stories.push(`✗ ${project}: an error outside any test, see above`);
  if (files.length === 0) {
    say(`${project}: there is no test file${filters.length > 0 ? ' by that name' : ' yet'}.`);
  }
  return count({
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    stories,
  });
}

/** The suite inside the extension host. Leaves its results beside those of the other rings. @param {Say} say */
export async function inHost(say) {
  const result = join(root, 'out/results/host.json');
  rmSync(result, { force: true });
  if (!existsSync(join(root, 'out/suite/index.js')) || !existsSync(join(root, 'dist/extension.mjs'))) {
    return count({ failed: 1, stories: ['✗ host: the extension or its suite was not built'] });
  }
  const { runInHost } = await import('./inHost.mjs');
  const { tests, ended, output, launcher } = await runInHost(say);
  mkdirSync(join(root, 'out/results'), { recursive: true });
  writeFileSync(result, JSON.stringify(tests, undefined, 2));
  /** @type {string[]} */
  const stories = [];
  for (const { title, state, ms, error } of tests) {
    say(`${{ passed: '✓', failed: '✗', skipped: '↓' }[state]} ${title}${ms === undefined ? '' : ` (${ms} ms)`}`);
    if (error) stories.push(failedStory('host', title, error));
  }
  /** @param {string} state */
  const ofState = (state) => tests.filter((test) => test.state === state).length;
  if (!ended) {
    stories.push(
      failedStory('host', `the suite did not reach its end in ${launcher}`, output.split('\n').slice(-24).join('\n')),
    );
  }
  if (!ended || ofState('failed') > 0) {
    say(output.split('\n').slice(-60).join('\n'));
  }
  return count({
    passed: ofState('passed'),
    failed: ofState('failed') + (ended ? 0 : 1),
    skipped: ofState('skipped'),
    stories,
  });
}

/** Whether any test file is under the folder. @param {string} folder */
export function hasTests(folder) {
  const path = join(root, folder);
  return (
    existsSync(path) &&
    readdirSync(path, { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('.test.ts'))
  );
}
