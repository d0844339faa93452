/**
 * `npm run bench:formatter`: an agent's command changes thousands of files in one turn, in a real VS Code; then the
 * window is reloaded, all of it is undone, done again and kept. Prints how long it takes until all files are listed,
 * are listed again, are as they were, and are gone from the list, each with the longest time for which the extension
 * host could do nothing else, and how long a key takes meanwhile until it is painted. `--files 5000` says how many;
 * `--profile FILE` writes a CPU profile of the host, `--of undone` says of which part (formatted, undone, kept).
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { until } from '../launch/poll.mjs';
import { build, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { installRecorder } from './recorder.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '5000' },
    profile: { type: 'string' },
    of: { type: 'string', default: 'formatted' },
  },
});
const files = Number(values.files);

await installDependencies();
await build();
const state = temporaryFolder('formatter');
const folder = join(state, 'workspace');
const lag = join(state, 'lag');
makeRepository();
writeFileSync(lag, '');
const server = await startServer({
  install: [root, join(root, 'test/bench/lag')],
  env: { PARLEY_BENCH_LAG: lag },
  settings: {
    'parley.agents': { Bench: { command: process.execPath, args: [join(root, 'test/fakes/fakeAgent.mjs')] } },
    'parley.defaultAgent': 'Bench',
  },
});
const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const workbench = await Workbench.open(context, server, { folder });
  await workbench.openChat();
  let chat = await workbench.chat();
  const box = () => chat.getByRole('textbox', { name: 'Message' });
  const bar = () => chat.getByRole('group', { name: 'Changes', exact: true });
  await chat.evaluate(installRecorder);
  const all = new RegExp(`${files.toLocaleString('en')} files|${files} files`);
  const areListed = () =>
    until(
      'the files in the list',
      async () =>
        all.test(
          (await bar()
            .textContent()
            .catch(() => '')) ?? '',
        ),
      { timeout: 300_000 },
    );
  const isEmpty = () => until('an empty list', async () => (await bar().count()) === 0, { timeout: 600_000 });
  const formatter =
    'const fs=require("fs"),path=require("path");for(const d of fs.readdirSync("src"))for(const f of fs.readdirSync(path.join("src",d))){const p=path.join("src",d,f);fs.writeFileSync(p,fs.readFileSync(p,"utf8").replaceAll("  ;",";"))}';
  writeFileSync(join(folder, 'format.cjs'), formatter);
  const format = async () => {
    await box().fill(`@@SHELL cd '${folder}' && '${process.execPath}' format.cjs`);
    await box().press('Escape');
    await box().press('Enter');
    await typeWhile(box(), areListed);
  };

  profile('formatted');
  const formatted = await measure('formatted', format);
  const first = /** @type {any} */ (await chat.evaluate('window.parleyBench'));
  const reloaded = await measure('reloaded', async () => {
    await workbench.reload();
    await workbench.openChat();
    chat = await workbench.chat();
    await areListed();
  });
  await chat.evaluate(installRecorder);
  profile('undone');
  const undone = await measure('undone', async () => {
    await bar().getByRole('button', { name: 'Undo', exact: true }).click();
    await workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
    await typeWhile(box(), isEmpty);
  });
  await box().fill('');
  const again = await measure('formatted again', format);
  profile('kept');
  const kept = await measure('kept', async () => {
    await bar().getByRole('button', { name: 'Keep', exact: true }).click();
    await isEmpty();
  });
  const second = /** @type {any} */ (await chat.evaluate('window.parleyBench'));
  console.log(
    `\n${files} files: listed after ${inWords(formatted)}; after a reload ${inWords(reloaded)}; undone in ${inWords(undone)}; listed again after ${inWords(again)}; kept in ${inWords(kept)}`,
  );
  for (const record of [first, second]) {
    const keys = record.keys.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    console.log(
      `panel: longest task ${record.longestTask.toFixed(0)} ms, worst frame ${record.worstFrame.toFixed(0)} ms, key→paint ${(keys[Math.floor(keys.length / 2)] ?? 0).toFixed(0)} ms median, ${(keys.at(-1) ?? 0).toFixed(0)} ms worst`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
  removeFolder(state);
}

/** @param {{ seconds: string, longest: number }} measured */
function inWords({ seconds, longest }) {
  return `${seconds} s (longest block of the host ${longest} ms)`;
}

/** The part that `--of` names is profiled. @param {string} part */
function profile(part) {
  if (values.profile && values.of === part) writeFileSync(`${lag}.profile`, '');
}

/** @param {string} what @param {() => Promise<unknown>} work */
async function measure(what, work) {
  const from = Date.now();
  await work();
  const seconds = ((Date.now() - from) / 1000).toFixed(1);
  const blocks = readFileSync(lag, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    .filter(({ at }) => at >= from);
  console.log(
    `${what}: ${seconds} s; blocks ${blocks.map(({ at, ms }) => `${ms}@${((at - from) / 1000).toFixed(1)}`).join(' ')}`,
  );
  if (values.profile && values.of === what) {
    rmSync(`${lag}.profile`);
    await until('the profile', () => existsSync(`${lag}.cpuprofile`), { timeout: 60_000 });
    copyFileSync(`${lag}.cpuprofile`, values.profile);
  }
  return { seconds, longest: Math.max(0, ...blocks.map(({ ms }) => ms)) };
}

/** @param {import('playwright-core').Locator} box @param {() => Promise<unknown>} work */
async function typeWhile(box, work) {
  let isOver = false;
  const ended = work().finally(() => (isOver = true));
  while (!isOver) {
    await box.press('a');
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await ended;
}

/** All files are clean in git, as in a project of a user. */
function makeRepository() {
  for (let i = 0; i < files; i++) {
    const sub = join(folder, 'src', String(Math.floor(i / 50)));
    if (i % 50 === 0) mkdirSync(sub, { recursive: true });
    const lines = Array.from({ length: 60 }, (_, line) =>
      line % 20 === 7 ? `  const value${line} = ${i}  ;` : `  call(${line}, ${i});`,
    );
    writeFileSync(join(sub, `file${i}.ts`), `${lines.join('\n')}\n`);
  }
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
}
