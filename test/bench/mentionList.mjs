/**
 * `npm run bench:mentions`: what one key costs in the list of `@` with 200,000 files, beside the floor: `indexOf` over
 * the same paths. Plain Node, no editor. Numbers, not a test.
 */
import { importSource } from '../launch/importSource.mjs';

const { matchPaths, pathList } = await importSource('src/host/files/fileMatch.ts', 'test/fakes/fakeVscode.ts');
const folders = ['src/host', 'src/view', 'packages/core/lib', 'test/unit', 'docs/guides'];
const words = ['token', 'Session', 'panel', 'Index', 'reader', 'View', 'change', 'Writer'];
const paths = Array.from(
  { length: 200_000 },
  (_, i) =>
    `${folders[i % folders.length]}/part${i % 997}/${words[i % words.length]}${words[(i >> 3) % words.length]}${i}.ts`,
);
const list = pathList(paths, paths.length);
const lower = paths.map((path) => path.toLowerCase());

/** @param {() => unknown} work @returns {{ median: number, worst: number }} ms */
function timed(work) {
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { median: times[10] ?? 0, worst: times.at(-1) ?? 0 };
}

console.log('Typed after @       list, ms   worst   floor, ms   ratio');
for (const query of ['t', 'tok', 'sessionview', 'src/host token', 'tkr', 'zzz']) {
  const ours = timed(() => matchPaths(list, query, 50));
  const floor = timed(() => lower.filter((path) => path.indexOf(query) >= 0));
  const columns = [ours.median, ours.worst, floor.median, ours.median / floor.median].map((n) => n.toFixed(1));
  console.log(query.padEnd(16) + columns.map((text) => text.padStart(11)).join(''));
}
