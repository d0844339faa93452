/**
 * `npm run test:attacks`: makes every attack of `items` in full, also those that take minutes, and writes to
 * REPORT.md what was tried and what held. `--results` makes none and reads what the last runs left. Ends with an error
 * when an attack did not hold, or when a test that a row relies on has no result.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { proofOf, ringOf } from '../conformance/item.mjs';
import { judge, resultsOf } from '../conformance/results.mjs';
import { root } from '../launch/project.mjs';
import { run } from '../launch/run.mjs';
import { attacks } from './attacks.mjs';

const files = [...new Set(attacks.flatMap(({ proofs }) => proofs.map((proof) => proofOf(proof).file)))];
const rings = [...new Set(files.map(ringOf))];

if (!process.argv.includes('--results')) {
  for (const ring of rings) {
    const own = files.filter((file) => ringOf(file) === ring).map((file) => basename(file));
    await run(process.execPath, [join(root, 'test/launch/test.mjs'), ring, ...own], {
      cwd: root,
      env: { ...process.env, PARLEY_LONG: '1' },
    });
  }
}
const results = new Map(rings.map((ring) => [ring, resultsOf(ring)]));
const rows = attacks.map((attack) => ({ ...attack, ...judge(attack, (ring) => results.get(ring) ?? []) }));
const failed = rows.filter(({ verdict }) => verdict === 'fail');

writeFileSync(join(root, 'test/attacks/REPORT.md'), markdown());
for (const { name, verdict, problems } of rows)
  console.log(
    `${{ pass: '✓', fail: '✗', open: '○' }[verdict]} ${name}${problems.map((problem) => `\n    ${problem}`).join('')}`,
  );
console.log(
  `\n${rows.length - failed.length} of ${rows.length} attacks held${rows.some(({ open }) => open) ? ', as far as the report says' : ''}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;

/** What the last run measured. @param {string} name */
function figureOf(name) {
  const file = join(root, 'out/results/attacks', `${name}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function markdown() {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');
  const said = { pass: 'held', fail: '**broke**', open: 'held in part' };
  /** @param {string} verdict */
  const of = (verdict) => rows.filter((row) => row.verdict === verdict).length;
  /** @param {{ problems: readonly string[] }} row */
  const wasNotRun = ({ problems }) =>
    problems.length > 0 && problems.every((problem) => problem.startsWith('no result of'));
  const missing = failed.filter(wasNotRun).length;
  const open = rows.flatMap((row) => (row.open === undefined ? [] : [`- **${row.name}**: ${row.open}`]));
  return [
    '# Attacks',
    '',
    'What was tried against Parley, and what held. `npm run test:attacks` makes every attack and writes this page; `npm test` makes those that',
    'take seconds. The rows and the tests that make them are in `test/attacks/items`. What Parley promises is in `SECURITY.md`.',
    '',
    `${of('pass')} of ${rows.length} held, ${of('open')} in part, ${failed.length - missing} broke${missing > 0 ? `, ${missing} not run in full` : ''}.`,
    '',
    '| Attack | What was tried | What must hold | Rings | Tests | Result | Measured |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${cell(row.tried)} | ${cell(row.holds)} | ${row.rings.join(', ')} | ${row.count} | ${wasNotRun(row) ? 'not run in full' : said[row.verdict]} | ${cell(figureOf(row.name))} |`,
    ),
    '',
    ...(open.length > 0 ? ['## What does not hold yet', '', ...open, ''] : []),
  ].join('\n');
}
