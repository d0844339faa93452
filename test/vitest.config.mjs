import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What fails is tried once more, for files, agents, shells and a whole VS Code have timing of their own; that it was needed
 * is said by name, with its reason and seed, at the end of the run, and is a bug to repair.
 */
const patient = { testTimeout: 30_000, hookTimeout: 30_000, retry: 1 };

/** A ring that drives a browser or a VS Code: one test at a time, with the patience that a loaded machine needs. */
const slow = {
  ...patient,
  testTimeout: 120_000,
  hookTimeout: 300_000,
  fileParallelism: false,
  maxWorkers: 1,
  sequence: { concurrent: false },
  // What is on screen follows what was done a frame or more later.
  expect: { poll: { timeout: 10_000 } },
};

// Browser, server and test run in one process each on two cores: no ring is started beside another.
export default defineConfig({
  root,
  test: {
    projects: [
      { test: { name: 'unit', root, environment: 'node', include: ['test/unit/**/*.test.ts'], ...patient } },
      { test: { name: 'stdio', root, environment: 'node', include: ['test/stdio/**/*.test.ts'], ...patient } },
      { test: { name: 'conformance', root, environment: 'node', include: ['test/conformance/**/*.test.ts'], ...patient } },
      { test: { name: 'webview', root, environment: 'node', include: ['test/webview/**/*.test.ts'], ...slow } },
      { test: { name: 'attacks', root, environment: 'node', include: ['test/attacks/**/*.test.ts'], ...(process.env['PARLEY_ATTACKS'] === 'all' ? {} : { exclude: ['test/attacks/long/**'] }), ...slow } },
      { test: { name: 'e2e', root, environment: 'node', include: ['test/vscode/e2e/**/*.test.ts'], ...slow } },
    ],
  },
});
