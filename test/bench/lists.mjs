/**
 * `npm run bench:lists`: the list of sessions while an agent streams, with few and with very many sessions; the first
 * column is the floor. Then what one key or cursor move costs in the review, with few and with many pending files.
 * Plain Node, no editor. Numbers, not a test.
 */
import { importSource } from '../launch/importSource.mjs';

const { timeSessionList } = await importSource('test/bench/sessionList.ts', 'test/fakes/fakeVscode.ts');
await timeSessionList(10);
/** @type {Readonly<Record<string, number>>[]} */
const results = [];
const sizes = [100, 50_000, 150_000];
for (const size of sizes) results.push(await timeSessionList(size));
console.log(`The list of sessions, in ms        ${sizes.map((size) => String(size).padStart(12)).join('')}`);
for (const what of Object.keys(results[0] ?? {}))
  console.log(`${what.padEnd(52)}${results.map((result) => (result[what] ?? 0).toFixed(1).padStart(10)).join('')}`);
