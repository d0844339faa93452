/**
 * `npm run conformance [-- RING…]`: runs the rings, all when none is named, then says of every rule of the checklist
 * whether it holds, and writes that to REPORT.md. `--results` runs none and reads what the last runs left. Ends with an
 * error when a MUST or SHOULD does not hold, or when a test that a rule relies on has no result.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/project.mjs';
import { run } from '../launch/run.mjs';
import { checklist } from './checklist.mjs';
import { proofOf, ringOf } from './item.mjs';
import { judge, resultsOf, whenRun } from './results.mjs';

/** @typedef {import('./item.mjs').Item & import('./results.mjs').Judged} Row */

const levels = { M: 'MUST', S: 'SHOULD', Y: 'MAY', R: 'ours' };
const needed = [...new Set(checklist.flatMap(({ proofs }) => proofs.map((proof) => ringOf(proofOf(proof).file))))];
/** @type {Record<string, string>} */
const foldersOf = { host: 'vscode/suite', e2e: 'vscode/e2e' };
const words = process.argv.slice(2);

if (!words.includes('--results')) {
  await run(process.execPath, [join(root, 'test/launch/test.mjs'), ...(words.length > 0 ? words : needed)], {
    cwd: root,
  });
}
const results = new Map(needed.map((ring) => [ring, resultsOf(ring)]));
/** @type {Row[]} */
const rows = checklist.map((item) => ({ ...item, ...judge(item, (ring) => results.get(ring) ?? []) }));
const idle = needed.filter((ring) => results.get(ring)?.length === 0);
const problems = [
  ...idle.map((ring) => `the ring ${ring} left no results, so nothing that it proves holds`),
  ...rows
    .flatMap(({ number, name, problems: own }) => own.map((problem) => `${number}-${name}: ${problem}`))
    .filter((problem) => !idle.some((ring) => problem.includes(`no result of ${foldersOf[ring] ?? ring}/`))),
];
// A rule of our own, or a MAY, may wait; a rule of the protocol that waits is a rule that does not hold.
const unmet = rows.filter(
  ({ verdict, level }) => verdict === 'fail' || (verdict === 'open' && (level === 'M' || level === 'S')),
);

writeFileSync(join(root, 'test/conformance/REPORT.md'), markdown());
for (const row of rows)
  console.log(
    [
      `${row.number}-${row.name}`.padEnd(48),
      row.level,
      said(row).padEnd(9),
      row.source.padEnd(16),
      row.rings.join(' ').padEnd(20),
      row.open ?? '',
    ]
      .join('  ')
      .trimEnd(),
  );
console.log();
for (const ring of needed) console.log(`${ring}: ${age(whenRun(ring))}`);
console.log(`\n${summary().join('\n')}`);
if (problems.length > 0) console.log(`\n${problems.map((problem) => `✗ ${problem}`).join('\n')}`);
console.log(
  unmet.length === 0 ? '\n✓ every MUST and SHOULD holds' : `\n✗ ${unmet.length} rules do not hold or are open`,
);
process.exitCode = unmet.length > 0 ? 1 : 0;

/** @param {Row} row */
function said({ verdict, proofs }) {
  return verdict === 'open' ? (proofs.length > 0 ? 'in part' : 'not built') : verdict;
}

/** @param {number | undefined} at epoch milliseconds */
function age(at) {
  if (at === undefined) return 'never run';
  const minutes = Math.round((Date.now() - at) / 60_000);
  return minutes < 2
    ? 'run just now'
    : minutes < 120
      ? `run ${minutes} minutes ago`
      : `run ${Math.round(minutes / 60)} hours ago`;
}

function summary() {
  return Object.entries(levels).map(([level, word]) => {
    const own = rows.filter((row) => row.level === level);
    const of = (/** @type {string} */ verdict) => own.filter((row) => row.verdict === verdict).length;
    return `${level} (${word}): ${of('pass')} of ${own.length} hold, ${of('open')} open, ${of('fail')} fail`;
  });
}

function markdown() {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');
  const table = rows.map(
    (row) =>
      `| ${row.number}-${row.name} | ${cell(row.rule)} | ${row.level} | ${row.source} | ${row.rings.join(', ')} | ${row.count || ''} | ${said(row)} |`,
  );
  const open = rows
    .filter((row) => row.open !== undefined)
    .map((row) => `- **${row.number}-${row.name}** (${row.level}): ${row.open}`);
  return [
    '# Conformance',
    '',
    'What a client of the Agent Client Protocol has to do, and whether Parley does it. Written by `npm run conformance`; the rules and the',
    'tests that prove them are in `test/conformance/items`. M is a MUST of the protocol, S a SHOULD, Y a MAY, R a rule of our own that real',
    'agents made necessary. A ring is a kind of test: `unit` (the pure core), `stdio` and `conformance` (an agent in a process of its own),',
    '`webview` (the panel in a browser), `host` and `e2e` (inside of a real VS Code).',
    '',
    ...summary().map((line) => `- ${line}`),
    '',
    '| Item | Rule | Level | Source | Ring | Tests | Result |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...table,
    '',
    ...(open.length > 0 ? ['## What is open', '', ...open, ''] : []),
  ].join('\n');
}
