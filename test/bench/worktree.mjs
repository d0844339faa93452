/**
 * `npm run bench:worktree`: how long the first prompt takes until its session works in a worktree of its own, in a real
 * VS Code on a repository of 100,000 files, beside `git worktree add` alone. `--files N` says how many, `--runs N` takes
 * the median of N (3).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { build, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { fewExtensions, startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '100000' }, runs: { type: 'string', default: '3' } },
});
const files = Number(values.files);
const runs = Math.max(1, Number(values.runs));

await installDependencies();
await build();
const state = temporaryFolder('bench-worktree');
const folder = join(state, 'workspace');
makeRepository();
const server = await startServer({
  install: [root],
  builtIn: fewExtensions,
  settings: {
    'parley.agents': { Bench: { command: process.execPath, args: [join(root, 'test/fakes/fakeAgent.mjs')] } },
    'parley.defaultAgent': 'Bench',
  },
});
const browser = await launchChromium();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const workbench = await Workbench.open(context, server, { folder });
  const chat = await workbench.openChat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  /** @type {number[]} */
  const parley = [];
  /** @type {number[]} */
  const alone = [];
  for (let run = 0; run < runs; run++) {
    alone.push(
      await seconds(async () => git('worktree', 'add', '-q', '-b', `alone-${run}`, join(state, `alone-${run}`))),
    );
    if (run === 0) {
      await chat.getByRole('button', { name: 'Works in: This folder' }).click();
      await workbench.quickInputRows('New Worktree').first().click();
    } else await workbench.runCommand('Parley: New Session');
    await chat.getByRole('button', { name: 'Works in: New worktree' }).waitFor();
    await box.fill(`Try ${run}`);
    await box.press('Escape');
    parley.push(
      await seconds(async () => {
        await box.press('Enter');
        await chat.getByRole('button', { name: `Worktree: try-${run}` }).waitFor({ timeout: 300_000 });
      }),
    );
    await chat.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 60_000 });
  }
  const [one, other] = [median(parley), median(alone)];
  console.log(
    `\n${files} files: ${one.toFixed(1)} s until the session works in the worktree, git worktree add alone ${other.toFixed(1)} s (${(one / other).toFixed(2)})`,
  );
} finally {
  await browser.close();
  await server.stop();
  removeFolder(state);
}

/** @param {() => Promise<unknown>} work */
async function seconds(work) {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
}

/** @param {readonly number[]} all @returns {number} */
function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}

function makeRepository() {
  for (let i = 0; i < files; i++) {
    const sub = join(folder, 'src', String(Math.floor(i / 100)));
    if (i % 100 === 0) mkdirSync(sub, { recursive: true });
    writeFileSync(join(sub, `file${i}.ts`), `export const value${i} = ${i};\n`.repeat(10));
  }
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
}

/** @param {string[]} args */
function git(...args) {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
}
