/**
 * `npm test [-- RING… [FILE…]]`: installs what is missing, builds, runs the rings and ends with "N passed, N failed".
 * A word that names no ring is a part of a test file's name: `npm test -- e2e permission`.
 */
import { join } from 'node:path';
import { installDependencies, root } from './project.mjs';
import { run } from './run.mjs';

process.chdir(root);
await installDependencies();
// What is imported below needs the packages that were just installed.
const { checkedBy, count, hasTests, inHost, vitest } = await import('./rings.mjs');

/** @typedef {import('./rings.mjs').Count} Count */

/** @type {string[]} */
const filters = [];

/** @type {Record<string, { tests?: string, browser?: boolean, run: () => Promise<Count> }>} */
const rings = {
  check: { run: () => checkedBy('types (tsc)', 'node_modules/typescript/bin/tsc', ['--build', '--pretty']) },
  lint: { run: () => checkedBy('lint (oxlint)', 'node_modules/oxlint/bin/oxlint', []) },
  unit: { tests: 'test/unit', run: () => vitest('unit', filters) },
  stdio: { tests: 'test/stdio', run: () => vitest('stdio', filters) },
  conformance: { tests: 'test/conformance', run: () => vitest('conformance', filters) },
  webview: { tests: 'test/webview', browser: true, run: () => vitest('webview', filters) },
  host: { tests: 'test/vscode/suite', browser: true, run: inHost },
  attacks: { tests: 'test/attacks', browser: true, run: () => vitest('attacks', filters) },
  e2e: { tests: 'test/vscode/e2e', browser: true, run: () => vitest('e2e', filters) },
};

/** @type {Record<string, string[]>} */
const groups = { unit: ['check', 'lint', 'unit'], vscode: ['host', 'e2e'] };

/** @type {Set<string>} */
const chosen = new Set();
for (const word of process.argv.slice(2)) {
  const names = groups[word] ?? (word in rings ? [word] : undefined);
  if (names) {
    names.forEach((name) => chosen.add(name));
  } else {
    filters.push(word);
  }
}
const order = Object.keys(rings).filter((name) => chosen.size === 0 || chosen.has(name));

let total = count();
/** @param {Count} more */
const add = (more) => {
  total = {
    passed: total.passed + more.passed,
    failed: total.failed + more.failed,
    skipped: total.skipped + more.skipped,
    stories: [...total.stories, ...more.stories],
  };
};

const built = await run(process.execPath, [join(root, 'esbuild.mjs'), '--tests']);
if (built.code !== 0) {
  add(count({ failed: 1, stories: ['✗ the build failed, see its first lines'] }));
}
if (order.some((name) => rings[name]?.browser)) {
  const { installedChromium } = await import('./chromium.mjs');
  await installedChromium();
}
for (const name of order) {
  const ring = rings[name];
  console.log(`\n── ${name} ──`);
  if (ring?.tests && !hasTests(ring.tests)) {
    console.log(`There is no test in ${ring.tests} yet.`);
    continue;
  }
  const start = Date.now();
  try {
    add(await /** @type {NonNullable<typeof ring>} */ (ring).run());
  } catch (error) {
    add(count({ failed: 1, stories: [`✗ ${name} broke: ${error instanceof Error ? error.stack : String(error)}`] }));
  }
  console.log(`(${name}: ${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

if (total.stories.length > 0) console.log(`\n── what did not pass at once ──\n${total.stories.join('\n')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
