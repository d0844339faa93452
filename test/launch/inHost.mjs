/**
 * Runs out/suite/index.js inside a real extension host. There is one suite and there are two ways to it: the desktop
 * product through @vscode/test-electron, and, where that cannot be had, the VS Code from npm in a browser.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from './chromium.mjs';
import { onPath } from './onPath.mjs';
import { cacheFolder, copySampleWorkspace, root, wantedVersion } from './project.mjs';
import { run } from './run.mjs';
import { fewExtensions, languageServer, startServer } from './server.mjs';
import { leaveUnpainted } from './unpainted.mjs';

/**
 * @typedef {{ state: 'passed' | 'failed' | 'skipped', title: string, name: string, ms?: number, error?: string }}
 * TestLine
 */
/** @typedef {{ launcher: string, tests: TestLine[], ended: boolean, output: string }} HostRun */

const suite = join(root, 'out/suite/index.js');
const caller = join(root, 'test/vscode/caller');
const deadline = 30 * 60_000;

/** Collects the suite's own lines from whatever else a console says. */
class Report {
  /** @type {TestLine[]} */
  tests = [];
  ended = false;

  /** @param {string} text @returns {boolean} whether it was one of ours */
  read(text) {
    const found = /PARLEY-TEST (\{.*\})/.exec(text);
    if (!found) {
      return false;
    }
    const line = JSON.parse(String(found[1]));
    if (line.state === 'end') {
      this.ended = true;
    } else {
      this.tests.push(line);
    }
    return true;
  }
}

/** @param {(line: string) => void} say @returns {Promise<HostRun>} */
export async function runInHost(say) {
  const electron = await electronProgram();
  return electron ? runInElectron(electron, say) : runInServer(say);
}

/**
 * @param {{ program: string, from: string }} electron
 * @param {(line: string) => void} say
 * @returns {Promise<HostRun>}
 */
async function runInElectron({ program, from }, say) {
  const launcher = `desktop VS Code (@vscode/test-electron, ${from})`;
  say(`Inside VS Code: ${launcher}`);
  const workspace = copySampleWorkspace();
  try {
    const { output } = await run(
      process.execPath,
      [join(root, 'test/launch/electron.mjs'), program, suite, workspace.folder, root, caller],
      { quiet: true },
    );
    const report = new Report();
    output.split(/\r?\n/).forEach((line) => report.read(line));
    return { launcher, tests: report.tests, ended: report.ended, output };
  } finally {
    workspace.remove();
  }
}

/**
 * Two windows share the suite where there is a core for each.
 * @param {(line: string) => void} say
 * @returns {Promise<HostRun>}
 */
async function runInServer(say) {
  const launcher = 'VS Code from npm, in Chromium';
  say(`Inside VS Code: ${launcher}`);
  const parts = availableParallelism() > 1 && !process.env['PARLEY_TEST_GREP'] ? ['1/2', '2/2'] : ['1/1'];
  const browser = await launchChromium();
  try {
    const runs = await Promise.all(parts.map((part) => runPart(browser, part)));
    return {
      launcher,
      tests: runs.flatMap(({ tests }) => tests),
      ended: runs.every(({ ended }) => ended),
      output: runs.map(({ output }) => output).join('\n'),
    };
  } finally {
    await browser.close();
  }
}

/** @param {import('playwright-core').Browser} browser @param {string} part see test/vscode/suite/index.ts */
async function runPart(browser, part) {
  const workspace = copySampleWorkspace();
  const server = await startServer({
    development: true,
    // It brings a program to debug.
    install: [caller],
    builtIn: [...fewExtensions, 'ipynb', ...languageServer],
    env: { PARLEY_TEST_PART: part },
  });
  const report = new Report();
  /** @type {string[]} */
  const output = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const exit = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no end within ${deadline / 60_000} minutes`)), deadline);
      // These two are what the workbench looks for in its window to hand a suite's console and exit code out.
      void page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
        const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
        if (!report.read(text)) {
          output.push(`[${type}] ${text}`);
        }
      });
      void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => {
        clearTimeout(late);
        resolve(code);
      });
      void page.on('crash', () => reject(new Error('the page crashed')));
    });
    await leaveUnpainted(page);
    await page.goto(server.url({ folder: workspace.folder, extension: root, tests: suite }));
    await exit.catch((error) => output.push(String(error)));
    await page.context().close();
  } finally {
    await server.stop();
    workspace.remove();
  }
  return { tests: report.tests, ended: report.ended, output: [...output, '--- server', ...server.log].join('\n') };
}

/** A desktop VS Code that can run here: there is a screen for it, and it is on this machine or can be downloaded. */
async function electronProgram() {
  const launcher = process.env['PARLEY_LAUNCHER'];
  if (launcher === 'npm') return undefined;
  const wanted = wantedVersion();
  if (wanted !== undefined) {
    const { downloadAndUnzipVSCode } = await reachable();
    return {
      program: await downloadAndUnzipVSCode({ version: wanted, cachePath: cacheFolder, timeout: 60_000 }),
      from: wanted,
    };
  }
  const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  if (!hasScreen && launcher !== 'electron') {
    return undefined;
  }
  const cached = existsSync(cacheFolder) && readdirSync(cacheFolder).some((name) => name.startsWith('vscode-'));
  const { downloadAndUnzipVSCode, fetchStableVersions } = await reachable();
  if (
    cached ||
    (await fetchStableVersions(true, 3000).then(
      (versions) => versions.length > 0,
      () => false,
    ))
  ) {
    const program = await downloadAndUnzipVSCode({ version: 'stable', cachePath: cacheFolder, timeout: 60_000 }).catch(
      () => undefined,
    );
    if (program) {
      return { program, from: cached ? 'cached' : 'downloaded' };
    }
  }
  const desktop = desktopProgram();
  return desktop && { program: desktop, from: 'the one on PATH' };
}

async function reachable() {
  const electron = await import('@vscode/test-electron');
  // The package keeps this to itself in its index; without it, one cannot ask for versions with a short deadline.
  const { fetchStableVersions } = await import('@vscode/test-electron/out/download.js');
  return { downloadAndUnzipVSCode: electron.downloadAndUnzipVSCode, fetchStableVersions };
}

/** The program behind the `code` on PATH, which is a script beside it. */
function desktopProgram() {
  const script = onPath('code');
  const programs = ['../../code', '../../Code.exe', '../../../../MacOS/Electron', '../../../../MacOS/Code'];
  return script && programs.map((path) => join(realpathSync(script), path)).find((path) => existsSync(path));
}
