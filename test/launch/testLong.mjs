/**
 * `npm run test:long [-- PART…]`: what takes too long for `npm test`, which makes a short form of each or shows the
 * same in less than a window: fuzzing, half of the stories, kills at every step, thousands of files, the long attacks,
 * real agents. What came out of each part is written to test/LONG.md.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';
import { run } from './run.mjs';
import { longStories, storyFile } from '../vscode/onlyLong.mjs';

const test = join(root, 'test/launch/test.mjs');

/** @type {Record<string, { what: string, command: readonly string[], grep?: string }>} */
const parts = {
  fuzz: {
    what: 'The decoders, 2,000 cases each, all laws of the pure core eight times as often, and a host that is killed at every step',
    command: [test, 'unit'],
  },
  patterns: {
    what: 'Regular expressions of the sources, none of which may take more than linear time for a stranger’s text',
    command: [join(root, 'test/launch/testPatterns.mjs')],
  },
  markdown: { what: '40 documents that stream into the panel', command: [test, 'webview', 'markdown'] },
  stories: {
    what: 'What a user does in VS Code, where an inner ring shows the core of it in less time',
    command: [test, 'e2e', ...longStories.map(storyFile)],
  },
  bytes: {
    what: 'Every encoding in open files, written by agents and by their commands, undone and restored, inside VS Code',
    command: [test, 'host'],
    grep: '^bytes',
  },
  kills: {
    what: 'The extension host killed at every step of a write, Keep, Undo, restore and redo',
    command: [join(root, 'test/launch/testKill.mjs')],
  },
  thousands: { what: '3,000 changed files: undone, stopped, kept, restored', command: [test, 'e2e', 'thousands'] },
  packages: {
    what: 'The VSIX for this platform and the one without native parts, installed, each with a turn',
    command: [test, 'e2e', 'vsix'],
  },
  remote: {
    what: 'A VS Code server behind SSH, as a user of its own without Node.js; the connection is cut within a turn, and lost',
    command: [test, 'e2e', 'remote'],
  },
  attacks: {
    what: '200,000 files, 1,500 turns, 5,000 options, 20 closings of a busy machine',
    command: [test, 'attacks'],
  },
  agents: { what: 'Real agents against a model of our own', command: [join(root, 'test/agents/run.mjs')] },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`);
  process.exit(1);
}

const page = join(root, 'test/LONG.md');
const commit = await commitOf();
/** The last run of each part, as a row of the table. @type {Map<string, string>} */
const rows = new Map(
  existsSync(page)
    ? [...readFileSync(page, 'utf8').matchAll(/^\| (\w+) \| .*$/gm)].map(([row, name = '']) => [name, row])
    : [],
);
for (const [name, { what, command, grep }] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n══ ${name} ══`);
  const start = Date.now();
  const { code, output } = await run(process.execPath, command, {
    cwd: root,
    env: { ...process.env, PARLEY_LONG: '1', ...(grep === undefined ? {} : { PARLEY_TEST_GREP: grep }) },
  });
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  const counted = countIn(output);
  rows.set(
    name,
    `| ${name} | ${what} | ${counted ?? (code === 0 ? 'passed' : 'failed')} | ${minutes} min | ${new Date().toISOString().slice(0, 10)}, ${commit} |`,
  );
  if (code !== 0) process.exitCode = 1;
  writeFileSync(page, text());
}
console.log(`\n${readFileSync(page, 'utf8')}`);

/** What a run says last of its tests; Vitest by itself has words of its own. @param {string} output */
function countIn(output) {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n');
  const last = /\d+ passed, \d+ failed.*/.exec(lines.at(-1) ?? '')?.[0];
  const line = lines.findLast((text) => /^\s*Tests\s.*\bpassed\b/.test(text));
  if (last || !line) return last;
  const of = (/** @type {string} */ state) => new RegExp(`(\\d+) ${state}`).exec(line)?.[1];
  return `${of('passed')} passed, ${of('failed') ?? 0} failed${of('skipped') ? `, ${of('skipped')} skipped` : ''}`;
}

/** The commit that is tested, and whether something was changed since. */
async function commitOf() {
  const { output } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, quiet: true });
  const { output: changes } = await run('git', ['status', '--porcelain', '--', 'src', 'webview'], {
    cwd: root,
    quiet: true,
  });
  return `${output.trim()}${changes.trim() ? ' with changes' : ''}`;
}

function text() {
  return [
    '# The last long runs',
    '',
    '`npm run test:long` writes this page, a row for each part that it runs; `npm test` makes a short form of each, or shows the same in less than a window.',
    '',
    '| Part | What | Result | Took | When, commit |',
    '| --- | --- | --- | --- | --- |',
    ...Object.keys(parts).map((name) => rows.get(name) ?? `| ${name} | ${parts[name]?.what} | not run yet | | |`),
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
