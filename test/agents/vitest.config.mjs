import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Heavy and apart from `npm test`: real agents of other people, installed from npm, against a model of our own.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/agents/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    maxWorkers: 1,
  },
});
