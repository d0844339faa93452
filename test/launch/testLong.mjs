/**
 * `npm run test:long [-- PART…]`: what takes too long for `npm test`, which makes a short form of each: fuzzing, kills at every
 * step, thousands of files, the long attacks, real agents. A whole run writes what came out to test/LONG.md.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';

const test = join(root, 'test/launch/test.mjs');

/** @type {Record<string, { what: string, command: readonly string[] }>} */
const parts = {
  fuzz: { what: 'The decoders and the panel, 2,000 cases each, and 40 streamed documents', command: [test, 'unit', 'webview', 'fuzz', 'markdown'] },
  kills: { what: 'The extension host killed at every step of a write, Keep, Undo, restore and redo', command: [join(root, 'test/launch/testKill.mjs')] },
  thousands: { what: '3,000 changed files: undone, stopped, kept, restored', command: [test, 'e2e', 'thousands'] },
  attacks: { what: '200,000 files, 1,500 turns, 5,000 options, 20 closings of a busy machine', command: [test, 'attacks'] },
  agents: { what: 'Real agents against a model of our own', command: [join(root, 'test/agents/run.mjs')] },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`);
  process.exit(1);
}

/** @type {string[]} */
const rows = [];
for (const [name, { what, command }] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n══ ${name} ══`);
  const start = Date.now();
  const { code, output } = await run(process.execPath, command, { cwd: root, env: { ...process.env, PARLEY_LONG: '1' } });
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  const counted = /\d+ passed, \d+ failed.*/.exec(output.trimEnd().split('\n').at(-1) ?? '')?.[0];
  rows.push(`| ${name} | ${what} | ${counted ?? (code === 0 ? 'passed' : 'failed')} | ${minutes} min |`);
  if (code !== 0) process.exitCode = 1;
}
console.log(`\n${rows.join('\n')}`);
if (wanted.length === 0) writeFileSync(join(root, 'test/LONG.md'), await page());

async function page() {
  const { output: commit } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, quiet: true });
  const { output: changes } = await run('git', ['status', '--porcelain', '--', 'src', 'webview'], { cwd: root, quiet: true });
  return [
    '# The last long run',
    '',
    '`npm run test:long` writes this page; `npm test` makes a short form of each part.',
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit.trim()}${changes.trim() ? ' with changes' : ''}, Node ${process.version}, ${process.platform}.`,
    '',
    '| Part | What | Result | Took |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    ...attackFigures(),
  ].join('\n');
}

/** What the long attacks measured. */
function attackFigures() {
  const figures = ['many-files', 'many-turns', 'endless-options', 'huge-lists'].flatMap((name) => {
    const file = join(root, 'out/results/attacks', `${name}.txt`);
    return existsSync(file) ? [`- ${name}: ${readFileSync(file, 'utf8').trim()}`] : [];
  });
  return figures.length > 0 ? [...figures, ''] : [];
}
