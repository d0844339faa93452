/**
 * `node test/bench/terminalVsCode.mjs [--mb 100] [--runs 3] [--only plain,colours]`: a command that writes so much at
 * once, in VS Code's own terminal and in a terminal of an agent in the panel, in the same window of the real VS Code.
 * The command itself looks at the clock before and after, so each terminal is as fast as it takes output off the
 * command's hands. Numbers, not a test: nothing fails here.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { until } from '../launch/poll.mjs';
import {
  build,
  copySampleWorkspace,
  installDependencies,
  removeFolder,
  root,
  temporaryFolder,
} from '../launch/project.mjs';
import { startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { floods } from './floods.mjs';

const { values } = parseArgs({
  options: { mb: { type: 'string', default: '100' }, runs: { type: 'string', default: '3' }, only: { type: 'string' } },
});
const bytes = Number(values.mb) * 1_000_000;

await installDependencies();
await build();
const folder = temporaryFolder('flood');
const workspace = copySampleWorkspace();
const server = await startServer({
  install: [root],
  settings: {
    'parley.agents': { Fake: { command: process.execPath, args: [join(root, 'test/fakes/fakeAgent.mjs')] } },
    'parley.defaultAgent': 'Fake',
  },
});
const browser = await launchChromium();
try {
  const workbench = await Workbench.open(await browser.newContext({ viewport: { width: 1280, height: 900 } }), server, {
    folder: workspace.folder,
  });
  const script = join(folder, 'flood.sh');
  writeFileSync(
    script,
    `from=$(date +%s%N); cat "$1"; echo "$(( ($(date +%s%N) - from) / 1000 ))" > "$2.part"; mv "$2.part" "$2"\n`,
  );
  const done = join(folder, 'done');
  /** @param {string} file @returns {Promise<number>} milliseconds */
  const took = async (file) => {
    await until(`the end of ${file}`, () => existsSync(done), { timeout: 300_000 });
    const ms = Number(readFileSync(done, 'utf8')) / 1000;
    rmSync(done);
    return ms;
  };
  const chat = await workbench.openChat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await workbench.runCommand('Terminal: Create New Terminal');
  const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-helper-textarea');
  await terminal.waitFor({ state: 'attached' });
  console.log('output      VS Code MB/s   Parley MB/s   × VS Code');
  for (const name of Object.keys(floods).filter((flood) => !values.only || values.only.split(',').includes(flood))) {
    const file = join(folder, name);
    writeFileSync(file, floods[/** @type {keyof typeof floods} */ (name)](bytes));
    const own = [];
    const parley = [];
    // By turns, so that both meet the machine in the same moods.
    for (let run = 0; run < Number(values.runs); run++) {
      await terminal.focus();
      await workbench.page.keyboard.type(`sh ${script} ${file} ${done}\n`);
      own.push(await took(file));
      await box.fill(`%%TERMINAL sh ${script} ${file} ${done}`);
      await box.press('Enter');
      parley.push(await took(file));
      await until(
        'the turn to end',
        async () => (await chat.getByRole('button', { name: 'Stop', exact: true }).count()) === 0,
        { timeout: 60_000 },
      );
    }
    const [a, b] = [median(own), median(parley)];
    console.log(
      name.padEnd(12) +
        (bytes / 1000 / a).toFixed(1).padStart(12) +
        (bytes / 1000 / b).toFixed(1).padStart(14) +
        (b / a).toFixed(2).padStart(12),
    );
    rmSync(file);
  }
} finally {
  await browser.close();
  await server.stop();
  workspace.remove();
  removeFolder(folder);
}

/** @param {number[]} all */
function median(all) {
  return /** @type {number} */ (all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}
