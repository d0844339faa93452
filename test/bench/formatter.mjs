/**
 * `npm run bench:formatter`: an agent's command changes thousands of files in one turn, in a real VS Code. Prints how long
 * it takes until all of them are listed, the longest time for which the extension host could do nothing else, and how long
 * a key takes meanwhile until it is painted. `--files 5000` says how many; `--profile FILE` writes a CPU profile of the host.
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

const { values } = parseArgs({ options: { files: { type: 'string', default: '5000' }, profile: { type: 'string' } } });
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
  settings: { 'parley.agents': { Bench: { command: process.execPath, args: [join(root, 'test/fakes/fakeAgent.mjs')] } }, 'parley.defaultAgent': 'Bench' },
});
const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const workbench = await Workbench.open(context, server, { folder });
  await workbench.openChat();
  const chat = await workbench.chat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await chat.evaluate(installRecorder);
  const bar = chat.getByRole('group', { name: 'Changes', exact: true });
  const listed = (/** @type {RegExp} */ count) => until('the files in the list', async () => count.test((await bar.textContent().catch(() => '')) ?? ''), { timeout: 300_000 });

  if (values.profile) writeFileSync(`${lag}.profile`, '');
  const formatter = 'const fs=require("fs"),path=require("path");for(const d of fs.readdirSync("src"))for(const f of fs.readdirSync(path.join("src",d))){const p=path.join("src",d,f);fs.writeFileSync(p,fs.readFileSync(p,"utf8").replaceAll("  ;",";"))}';
  writeFileSync(join(folder, 'format.cjs'), formatter);
  const formatted = await measure('formatted', async () => {
    await box.fill(`@@SHELL cd '${folder}' && '${process.execPath}' format.cjs`);
    await box.press('Enter');
    const typing = typeWhile(box, () => listed(new RegExp(`${files.toLocaleString('en')} files|${files} files`)));
    await typing;
  });
  if (values.profile) {
    rmSync(`${lag}.profile`);
    await until('the profile', () => existsSync(`${lag}.cpuprofile`), { timeout: 60_000 });
    copyFileSync(`${lag}.cpuprofile`, values.profile);
  }
  const kept = await measure('kept', async () => {
    await bar.getByRole('button', { name: 'Keep', exact: true }).click();
    await until('an empty list', async () => (await bar.count()) === 0, { timeout: 300_000 });
  });
  const record = /** @type {any} */ (await chat.evaluate('window.parleyBench'));
  const keys = record.keys.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  console.log(`\n${files} files: listed after ${formatted.seconds} s, longest block of the host ${formatted.longest} ms (${formatted.blocks} over 30 ms), kept in ${kept.seconds} s (longest block ${kept.longest} ms)`);
  console.log(`panel: longest task ${record.longestTask.toFixed(0)} ms, worst frame ${record.worstFrame.toFixed(0)} ms, key→paint ${(keys[Math.floor(keys.length / 2)] ?? 0).toFixed(0)} ms median, ${(keys.at(-1) ?? 0).toFixed(0)} ms worst`);
} finally {
  await browser.close();
  await server.stop();
  removeFolder(state);
}

/** @param {string} what @param {() => Promise<unknown>} work */
async function measure(what, work) {
  const from = Date.now();
  await work();
  const seconds = ((Date.now() - from) / 1000).toFixed(1);
  const blocks = readFileSync(lag, 'utf8').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])).filter(({ at }) => at >= from);
  console.log(`${what}: ${seconds} s; blocks ${blocks.map(({ at, ms }) => `${ms}@${((at - from) / 1000).toFixed(1)}`).join(' ')}`);
  return { seconds, longest: Math.max(0, ...blocks.map(({ ms }) => ms)), blocks: blocks.length };
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

/** All files are clean in git, as in a project of a person. */
function makeRepository() {
  for (let i = 0; i < files; i++) {
    const sub = join(folder, 'src', String(Math.floor(i / 50)));
    if (i % 50 === 0) mkdirSync(sub, { recursive: true });
    const lines = Array.from({ length: 60 }, (_, line) => (line % 20 === 7 ? `  const value${line} = ${i}  ;` : `  call(${line}, ${i});`));
    writeFileSync(join(sub, `file${i}.ts`), `${lines.join('\n')}\n`);
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
}
