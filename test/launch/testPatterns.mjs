/**
 * `npm run test:long -- patterns`: looks for regular expressions whose time grows faster than the text that they read.
 * Agents and repositories choose such texts, and one of 100,000 characters can stop the window for minutes. The checker,
 * which only this needs, is installed once.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { cacheFolder, root } from './project.mjs';
import { npm } from './run.mjs';

const checker = 'recheck@4.5.0';
/** Of one expression, in ms. What is not decided by then does not count as slow. */
const timeout = 10_000;

/**
 * How many expressions of a file may be slow, because they read little, or what no stranger writes.
 * @type {readonly (readonly [file: string, count: number, why: string])[]}
 */
const bounded = [
  ['src/changes/changeGroups.ts', 1, 'ids of turns, which Parley makes'],
  ['src/demo/workspace.ts', 1, 'addresses of the demo'],
  ['src/host/agents/check/likelyCause.ts', 1, 'the last lines on stderr'],
  ['src/host/attachments/attachmentStore.ts', 1, '80 characters'],
  ['src/host/files/ignoreRules.ts', 2, 'paths, and globs of the settings'],
  ['src/host/terminals/terminalCard.ts', 1, '64 characters'],
  ['src/node/gitTree.ts', 1, 'what Git prints of its index'],
  ['src/node/npmProgram.ts', 1, 'the first line of an installed program'],
  ['src/node/processTable.ts', 1, 'what the system prints of processes'],
  ['src/node/uv.ts', 1, 'what uv prints'],
  ['src/node/uvPackages.ts', 1, 'what uv prints of packages'],
  ['src/permission/secretText.ts', 2, 'its parts have limits'],
  ['src/permission/simpleCommands.ts', 1, 'a word with one pair of quotes'],
  ['src/registry/versions.ts', 1, 'its parts have limits'],
  ['src/thread/inputPrompt.ts', 4, 'the rows of a screen'],
  ['src/thread/permissiveMode.ts', 3, '2,000 characters of a description'],
  ['src/thread/textRow.ts', 1, 'a row of a screen'],
  ['src/view/commandOutput.ts', 1, 'its fence has a limit'],
  ['src/view/toolCallParts.ts', 2, 'its fence has a limit, and JSON that was read'],
  ['webview/lib/html.ts', 1, 'templates'],
  ['webview/markdown/completeTail.ts', 2, '2,000 characters'],
  ['webview/markdown/lines.ts', 1, '2,000 characters'],
  ['webview/markdown/sanitize.ts', 1, 'what does not end is read to the end, once'],
];

const { check } = await installedChecker();
/** @type {string[]} */
const slow = [];
let passed = 0;
const checked = new Map();
/** Of each file, how many more. */
const excused = new Map(bounded.map(([file, count]) => [file, count]));
for (const { file, pattern, flags } of patternsIn(['src', 'webview'])) {
  const key = `/${pattern}/${flags}`;
  if (!checked.has(key)) checked.set(key, await check(pattern, flags.replaceAll(/[dgv]/g, ''), { timeout }));
  const { status, complexity, attack } = checked.get(key);
  const left = excused.get(file) ?? 0;
  if (status === 'vulnerable') excused.set(file, left - 1);
  if (status !== 'vulnerable' || left > 0) passed++;
  else slow.push(`${file}: ${key}: ${complexity.summary}, with ${attack.pattern}`);
}
for (const line of slow) console.error(line);
console.log(`${passed} passed, ${slow.length} failed`);
process.exit(slow.length > 0 ? 1 : 0);

/** @param {readonly string[]} folders */
function patternsIn(folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
    )
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      /** @type {{ file: string, pattern: string, flags: string }[]} */
      const found = [];
      new Visitor({
        Literal: (node) => void ('regex' in node && found.push({ file, ...node.regex })),
      }).visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program);
      return found;
    });
}

/** @returns {Promise<{ check: (pattern: string, flags: string, limits: { timeout: number }) => Promise<any> }>} */
async function installedChecker() {
  const folder = join(cacheFolder, 'patterns');
  if (!existsSync(join(folder, 'node_modules/recheck'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await npm(['install', '--prefix', folder, checker]);
  }
  return createRequire(join(folder, 'package.json'))('recheck');
}
