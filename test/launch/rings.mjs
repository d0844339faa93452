/** The rings of tests, each a function that runs one and tells what came out. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/** @param {Partial<Count>} [count] @returns {Count} */
export function count({ passed = 0, failed = 0, skipped = 0 } = {}) {
  return { passed, failed, skipped };
}

/** A program whose success is one passed test. @param {string} name @param {string} script @param {readonly string[]} args */
export async function checkedBy(name, script, args) {
  const { code, output } = await run(process.execPath, [join(root, script), ...args], { cwd: root, quiet: true });
  if (code !== 0) {
    console.log(output.trimEnd());
    console.log(`✗ ${name}`);
    return count({ failed: 1 });
  }
  console.log(`✓ ${name}`);
  return count({ passed: 1 });
}

/**
 * One project of test/vitest.config.mjs. A file that cannot be loaded and an error outside any test count as failed tests,
 * so that a ring never looks green because it broke early.
 * @param {string} project @param {readonly string[]} filters names of test files to keep to
 */
export async function vitest(project, filters) {
  const result = join(root, 'out/results', `${project}.json`);
  rmSync(result, { force: true });
  const { code } = await run(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...filters,
    '--config', join(root, 'test/vitest.config.mjs'),
    '--project', project,
    '--passWithNoTests',
    '--reporter=default', '--reporter=json', `--outputFile.json=${result}`,
  ], { cwd: root });
  if (!existsSync(result)) {
    console.log(`✗ ${project}: the test runner ended with code ${code} and left no result`);
    return count({ failed: 1 });
  }
  const report = JSON.parse(readFileSync(result, 'utf8'));
  /** @type {{ status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[]} */
  const files = report.testResults;
  for (const { status, fullName, failureMessages = [] } of files.flatMap(({ assertionResults }) => assertionResults)) {
    if (status === 'passed' && failureMessages.length > 0) console.log(`! passed only on the second try, which is a bug of the test or of Parley: ${fullName}\n${failureMessages.join('\n').replace(/^/gm, '    ')}`);
  }
  const unloadable = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = report.numFailedTests + unloadable;
  if (files.length === 0) {
    console.log(`${project}: there is no test file${filters.length > 0 ? ' by that name' : ' yet'}.`);
  }
  return count({
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/** The suite inside the extension host. Leaves its results beside those of the other rings. */
export async function inHost() {
  const result = join(root, 'out/results/host.json');
  rmSync(result, { force: true });
  if (!existsSync(join(root, 'out/suite/index.js')) || !existsSync(join(root, 'dist/extension.js'))) {
    console.log('✗ inside VS Code: the extension or its suite was not built');
    return count({ failed: 1 });
  }
  const { runInHost } = await import('./inHost.mjs');
  const { tests, ended, output, launcher } = await runInHost();
  mkdirSync(join(root, 'out/results'), { recursive: true });
  writeFileSync(result, JSON.stringify(tests, undefined, 2));
  for (const test of tests) {
    console.log(`${{ passed: '✓', failed: '✗', skipped: '↓' }[test.state]} ${test.title}${test.ms === undefined ? '' : ` (${test.ms} ms)`}`);
    if (test.error) {
      console.log(test.error.replace(/^/gm, '    '));
    }
  }
  /** @param {string} state */
  const ofState = (state) => tests.filter((test) => test.state === state).length;
  if (!ended) {
    console.log(`✗ inside VS Code: the suite did not reach its end in ${launcher}.\n${output.split('\n').slice(-60).join('\n')}`);
  } else if (ofState('failed') > 0) {
    console.log(output.split('\n').slice(-30).join('\n'));
  }
  return count({ passed: ofState('passed'), failed: ofState('failed') + (ended ? 0 : 1), skipped: ofState('skipped') });
}

/** Whether any test file is under the folder. @param {string} folder */
export function hasTests(folder) {
  const path = join(root, folder);
  return existsSync(path) && readdirSync(path, { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('.test.ts'));
}
