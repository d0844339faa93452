/**
 * `npm test [-- RING… [FILE…]]`: installs what is missing, builds, runs the rings and ends with "N passed, N failed".
 * A word that names no ring is a part of a test file's name: `npm test -- e2e permission`. Without any word, the stories
 * of test/vscode/onlyLong.mjs are left out.
 */
import { join } from 'node:path';
import { installDependencies, root } from './project.mjs';
import { run } from './run.mjs';
import { longParts, longStories, storyFile } from '../vscode/onlyLong.mjs';

process.chdir(root);
await installDependencies();
// What is imported below needs the packages that were just installed.
const { checkedBy, count, hasTests, inHost, vitest } = await import('./rings.mjs');
const isLong = process.env['PARLEY_LONG'] === '1';

/** @typedef {import('./rings.mjs').Count} Count */

/** @type {string[]} */
const filters = [];

/**
 * @type {Record<string, { tests?: string, browser?: boolean, run: (say: import('./rings.mjs').Say) => Promise<Count>
 * }>}
 */
const rings = {
  check: { run: (say) => checkedBy('types (tsc)', 'node_modules/typescript/bin/tsc', ['--build', '--pretty'], say) },
  lint: { run: (say) => checkedBy('lint (oxlint)', 'node_modules/oxlint/bin/oxlint', [], say) },
  format: {
    run: (say) =>
      checkedBy(
        'format (oxfmt)',
        'node_modules/oxfmt/bin/oxfmt',
        ['--check', 'src', 'webview', 'test', 'esbuild.mjs'],
        say,
      ),
  },
  unit: { tests: 'test/unit', run: (say) => vitest('unit', filters, say) },
  stdio: { tests: 'test/stdio', run: (say) => vitest('stdio', filters, say) },
  conformance: { tests: 'test/conformance', run: (say) => vitest('conformance', filters, say) },
  webview: { tests: 'test/webview', browser: true, run: (say) => vitest('webview', filters, say) },
  host: { tests: 'test/vscode/suite', browser: true, run: inHost },
  // These take minutes: `npm run test:attacks` and `npm run test:long` make them.
  ...(isLong
    ? {
        attacks: {
          tests: 'test/attacks',
          browser: true,
          run: (/** @type {import('./rings.mjs').Say} */ say) => vitest('attacks', filters, say),
        },
      }
    : {}),
  e2e: { tests: 'test/vscode/e2e', browser: true, run: inWindows },
};

/** Installs VS Code first where it is missing: no test waits that long. @param {import('./rings.mjs').Say} say */
async function inWindows(say) {
  const { vscodeFromNpm } = await import('./vscode.mjs');
  await vscodeFromNpm(say);
  return vitest('e2e', filters, say, leftOut.map(storyFile));
}

/** @type {Record<string, string[]>} */
const groups = { unit: ['check', 'lint', 'format', 'unit'], vscode: ['host', 'e2e'] };

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
/** Nothing is left out that was named. */
const leftOut = isLong || filters.length > 0 ? [] : [...(chosen.size > 0 ? [] : longStories), ...longParts];
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
// Where a browser has to be installed, that happens beside the rings that need none.
const { installedChromium } = await import('./chromium.mjs');
const browser = order.some((name) => rings[name]?.browser) ? installedChromium() : undefined;
browser?.catch(() => undefined);
/** @param {string} name @param {import('./rings.mjs').Say} say */
async function runRing(name, say) {
  const ring = rings[name];
  if (ring?.tests && !hasTests(ring.tests)) return say(`There is no test in ${ring.tests} yet.`);
  const start = Date.now();
  try {
    if (ring?.browser) await browser;
    add(await /** @type {NonNullable<typeof ring>} */ (ring).run(say));
  } catch (error) {
    add(count({ failed: 1, stories: [`✗ ${name} broke: ${error instanceof Error ? error.stack : String(error)}`] }));
  }
  say(`(${name}: ${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

/**
 * Rings that take turns; what they print comes when it is printed.
 * @param {readonly string[]} names
 * @param {import('./rings.mjs').Say} say
 */
async function runInTurn(names, say) {
  for (const name of names) {
    say(`\n── ${name} ──`);
    await runRing(name, say);
  }
}

/** @type {string[]} */
const held = [];
const print = (/** @type {string} */ line) => console.log(line);
// The suite inside VS Code waits a third of its time, so it runs beside the others and prints after them.
await Promise.all([
  runInTurn(
    order.filter((name) => name !== 'host'),
    print,
  ),
  runInTurn(
    order.filter((name) => name === 'host'),
    (line) => held.push(line),
  ),
]);
held.forEach(print);

if (total.stories.length > 0) console.log(`\n── what failed ──\n${total.stories.join('\n')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
