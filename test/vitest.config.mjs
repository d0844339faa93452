import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What fails once is a bug of Parley or of the test. */
const patient = { testTimeout: 30_000, hookTimeout: 30_000, retry: 0 };

/**
 * A ring that drives a browser or a VS Code: with the patience that a loaded machine needs. The files that a worker runs
 * share its modules, and with them its one browser.
 */
const slow = {
  ...patient,
  testTimeout: 120_000,
  hookTimeout: 300_000,
  pool: /** @type {const} */ ('forks'),
  isolate: false,
  maxWorkers: 1,
  fileParallelism: false,
  sequence: { concurrent: false },
  // What is on screen follows what was done a frame or more later.
  expect: { poll: { timeout: 10_000 } },
};

/** A second try is named at the end of the run. No whole run without one was seen yet; that comes before this goes. */
const inVsCode = { retry: 1 };

export default defineConfig({
  root,
  test: {
    projects: [
      { test: { name: 'unit', root, environment: 'node', include: ['test/unit/**/*.test.ts'], pool: 'threads', ...patient } },
      { test: { name: 'stdio', root, environment: 'node', include: ['test/stdio/**/*.test.ts'], ...patient } },
      { test: { name: 'conformance', root, environment: 'node', include: ['test/conformance/**/*.test.ts'], ...patient } },
      { test: { name: 'webview', root, environment: 'node', include: ['test/webview/**/*.test.ts'], globalSetup: ['test/webview/built.ts'], ...slow } },
      { test: { name: 'attacks', root, environment: 'node', include: ['test/attacks/**/*.test.ts'], ...slow } },
      { test: { name: 'e2e', root, environment: 'node', include: ['test/vscode/e2e/**/*.test.ts'], ...slow, ...inVsCode } },
    ],
  },
});
