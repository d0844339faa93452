import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `npm run test:long` takes its time, and makes what is only in it. */
const isLong = process.env['PARLEY_LONG'] === '1';

/** What fails once is a bug of Parley or of the test: there is no second try. */
const patient = {
  testTimeout: isLong ? 300_000 : 60_000,
  hookTimeout: 60_000,
  retry: 0,
  expect: { poll: { timeout: 20_000 } },
};

const cores = availableParallelism();
/** They wait for files and programs a part of the time. */
const quick = { ...patient, maxWorkers: cores + 1 };
/** Its tests wait for programs more than they compute. */
const waiting = { ...patient, pool: /** @type {const} */ ('forks'), maxWorkers: 2 * cores };
const ofStdio = readdirSync(new URL('stdio', import.meta.url))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/stdio/${name}`);
/** They have a `vscode` of their own in each file, so they share no modules. */
const withVscode = ofStdio.filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes("vi.mock('vscode'"));

/** They have a `vscode` of their own in each file, so they share no modules. A VM for each starts sooner than a thread. */
const ofHost = 'test/unit/host/**/*.test.ts';
/**
 * They start hundreds of programs. The larger a process, the longer that takes, so these have small processes instead
 * of threads in one that has all the modules.
 */
const ofPrograms = ['test/unit/node/**/*.test.ts', 'test/unit/permission/realShells.test.ts'];

/**
 * A ring that drives a browser or a VS Code: with the patience that a loaded machine needs. The files that a worker
 * runs share its modules, and with them its one browser.
 */
const slow = {
  ...patient,
  testTimeout: 600_000,
  hookTimeout: 900_000,
  pool: /** @type {const} */ ('forks'),
  isolate: false,
  maxWorkers: Math.min(cores, 4),
  sequence: { concurrent: false },
  // What is on screen follows what was done a frame or more later.
  expect: { poll: { timeout: 60_000 } },
};
/** Its pages wait for frames a quarter of the time. */
const ofPanel = { ...slow, maxWorkers: cores + 1 };
/** The files that this run leaves out (launch/test.mjs). */
const leftOut = process.env['PARLEY_LEFT_OUT']?.split(' ') ?? [];
/** What is measured is not to be disturbed. */
const alone = { ...slow, maxWorkers: 1, fileParallelism: false };

/**
 * Without results of an earlier run, Vitest begins with the largest files. These are small and take longest: begun last,
 * each would run alone at the end.
 */
const longest = /\/webview\/(accessibility|readFirst|pictures|markdownStreams|layout)\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  /**
   * @param {import('vitest/node').TestSpecification[]} files
   * @override
   */
  async sort(files) {
    const sorted = await super.sort(files);
    const isLongest = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) => longest.test(moduleId);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          root,
          environment: 'node',
          include: ['test/unit/**/*.test.ts'],
          exclude: [ofHost, ...ofPrograms],
          pool: 'threads',
          ...quick,
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-programs',
          root,
          environment: 'node',
          include: ofPrograms,
          pool: 'forks',
          ...quick,
          isolate: false,
        },
      },
      { test: { name: 'unit-host', root, environment: 'node', include: [ofHost], pool: 'vmThreads', ...quick } },
      {
        test: {
          name: 'stdio',
          root,
          environment: 'node',
          include: ofStdio,
          exclude: withVscode,
          ...waiting,
          isolate: false,
        },
      },
      { test: { name: 'stdio-vscode', root, environment: 'node', include: withVscode, ...waiting } },
      {
        test: {
          name: 'conformance',
          root,
          environment: 'node',
          include: ['test/conformance/**/*.test.ts'],
          ...patient,
        },
      },
      {
        test: {
          name: 'webview',
          root,
          environment: 'node',
          include: ['test/webview/**/*.test.ts'],
          globalSetup: ['test/webview/built.ts'],
          ...ofPanel,
        },
      },
      { test: { name: 'attacks', root, environment: 'node', include: ['test/attacks/**/*.test.ts'], ...alone } },
      {
        test: {
          name: 'e2e',
          root,
          environment: 'node',
          include: ['test/vscode/e2e/**/*.test.ts'],
          exclude: leftOut,
          ...slow,
        },
      },
    ],
  },
});
