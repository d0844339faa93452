/**
 * `npm run bench:review`: what the review costs where there is much of it: one file of 100,000 lines with 1,000 and
 * with 5,000 hunks, 5,000 changed files, and Restore of 3,000 files on disk. Plain Node, no editor. Numbers, not a
 * test: nothing fails here.
 */
import { importSource } from '../launch/importSource.mjs';

const { Ledger } = await importSource('src/changes/ledger.ts');
const { changeGroups } = await importSource('src/changes/changeGroups.ts');
const { targetsIn } = await importSource('src/changes/scope.ts');
const { DEFAULT_GUARDS, guardMatcher } = await importSource('src/changes/guardedFiles.ts');

const RUNS = 5;
const path = '/p/large.ts';
const text = (/** @type {boolean} */ changed) =>
  Array.from({ length: 100_000 }, (_, i) =>
    changed && i % 100 === 7 ? `changed ${i}` : `const value${i % 500} = compute(${i});`,
  ).join('\n');
const [before, after] = [text(false), text(true)];

console.log('One file of 100,000 lines with 1,000 hunks');
report(
  'the agent writes it, and its hunks are known',
  () => new Ledger(),
  (ledger) => open(ledger),
);
report('one key typed in it', opened, (ledger) => {
  ledger.edited(path, `${after.slice(0, 2_000_000)}x${after.slice(2_000_000)}`);
  ledger.get(path);
});
report('one hunk kept', opened, (ledger) => {
  ledger.keep(path, [ledger.get(path).hunks[500].id]);
  ledger.get(path);
});
report('one hunk undone: the plan', opened, (ledger) => ledger.plan(path, 'undo', [ledger.get(path).hunks[500].id]));
report('all undone: the plan', opened, (ledger) => ledger.plan(path, 'undo'));
report('saved, as JSON', opened, (ledger) => JSON.stringify(ledger.saved.get(path)));

console.log('\nOne file of 100,000 lines with 5,000 hunks');
const [plain = '', dense = '', denser = ''] = [0, 1, 2].map((version) =>
  Array.from({ length: 100_000 }, (_, i) =>
    version > 0 && i % 20 === 7 ? `version ${version} ${i}` : `const value${i % 500} = compute(${i});`,
  ).join('\n'),
);
const openDense = () => {
  const ledger = new Ledger();
  ledger.agentWrote(path, plain, dense, 'e0');
  return ledger;
};
report('all undone: the plan', openDense, (ledger) => ledger.plan(path, 'undo'));
report(
  'all undone, and all but one come back',
  () => undone(openDense()),
  (ledger) => ledger.edited(path, dense.replace('version 1 7', 'mine')),
);
report('the agent changes all of them again', openDense, (ledger) => ledger.agentWrote(path, dense, denser, 'e1'));

console.log('\n5,000 files');
report(
  'written one after the other',
  () => new Ledger(),
  (ledger) => many(ledger).changes,
);
report(
  'all changes, after one of them',
  () => many(new Ledger()),
  (ledger) => {
    ledger.agentWrote('/p/f7.ts', 'b\n', 'c\n', 'e9');
    return ledger.changes;
  },
);
report('the tree by turn', manySessions, (sessions) => changeGroups(sessions, 'turn'));
report('the targets of Keep All', manySessions, (sessions) => targetsIn(sessions, {}));
report(
  'which of them are guarded',
  () => guardMatcher(DEFAULT_GUARDS),
  (matches) => {
    for (let i = 0; i < 5_000; i++) matches(`packages/p${i}/src/file${i}.ts`);
  },
);

console.log('\n3,000 files on disk');
const { timeRestore } = await importSource('test/bench/restore.ts', 'test/fakes/diskVscode.ts');
for (const [what, { ms, cpu }] of Object.entries(
  /** @type {Record<string, { ms: number, cpu: number }>} */ (await timeRestore(3_000)),
))
  console.log(row(ms, `${what} (${cpu} ms of the processors)`));

/** @param {any} ledger */
function open(ledger) {
  ledger.agentWrote(path, before, after, 'e0');
  ledger.get(path);
  return ledger;
}

/** @param {any} ledger */
function undone(ledger) {
  ledger.done(path, 'undo', plain);
  return ledger;
}

function opened() {
  return open(new Ledger());
}

/** @param {any} ledger */
function many(ledger) {
  for (let i = 0; i < 5_000; i++) ledger.agentWrote(`/p/f${i}.ts`, 'a\n', 'b\n', `e${i % 7}`);
  return ledger;
}

function manySessions() {
  return [{ sessionId: 's', changes: many(new Ledger()).changes }];
}

/**
 * Prints the median time of some runs.
 * @template T @param {string} what @param {() => T} prepare @param {(given: T) => unknown} run
 */
function report(what, prepare, run) {
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    const given = prepare();
    const started = performance.now();
    run(given);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  console.log(row(times[RUNS >> 1] ?? 0, what));
}

/** @param {number} ms @param {string} what */
function row(ms, what) {
  return `  ${ms.toFixed(1).padStart(8)} ms  ${what}`;
}
