import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { mustRun, run } from './run.mjs';

/** A browser without windows, which computes about a quarter less. */
const headlessShell = '/usr/bin/chromium-headless-shell';
/** Somebody watches. */
export const isHeaded = process.env['PARLEY_HEADED'] === '1';

/** Where systems put a browser that speaks Chromium's protocol. */
const known = [
  ...(isHeaded ? [] : [headlessShell]),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** No sandbox: containers and root have none to give. The rest keeps the browser from calling home. */
const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Frames of a page that is not in front must be painted all the same: tests look at them.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // As in VS Code: a frame of another origin that computes without end leaves the panel alone. The shell lets them share.
  '--site-per-process',
];

/** The program of a browser on this machine; PARLEY_CHROMIUM names another one. @returns {string | undefined} */
export function findChromium() {
  const chosen = process.env['PARLEY_CHROMIUM'];
  if (chosen) {
    return chosen;
  }
  const downloaded = chromium.executablePath();
  return known.find((path) => existsSync(path)) ?? (existsSync(downloaded) ? downloaded : undefined);
}

/** The major version and kind of a browser: text is drawn in another way by each. @param {string} version */
export function browserKind(version) {
  return [version.split('.')[0], ...(findChromium() === headlessShell ? ['headless shell'] : [])].join(' ');
}

/**
 * Finds a browser, or gets one: from Debian where we may install packages, else by Playwright's own download.
 * @param {(message: string) => void} [report]
 * @returns {Promise<string>}
 */
export async function installedChromium(report = (message) => console.log(message)) {
  const found = findChromium();
  if (found) {
    return found;
  }
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    report('Installing Chromium (apt-get)…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // The lists may be old or partly unreachable; whether the package can be had is what counts.
    await run('apt-get', ['update', '-qq'], { env, quiet: true });
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'fonts-dejavu-core'];
    const shell = isHeaded ? 'chromium' : 'chromium-headless-shell';
    // Older releases have no shell of its own.
    const { code } = await run('apt-get', [...install, shell], { env, quiet: true });
    if (code !== 0) await mustRun('apt-get', [...install, 'chromium'], { env });
  } else {
    report('Downloading Chromium (playwright)…');
    await mustRun(process.execPath, [
      new URL('../../node_modules/playwright-core/cli.js', import.meta.url).pathname,
      'install',
      'chromium',
    ]);
  }
  const now = findChromium();
  if (!now) {
    throw new Error(
      'No Chromium, Chrome or Edge was found or could be installed. Set PARLEY_CHROMIUM to the path of one.',
    );
  }
  return now;
}

/**
 * What Playwright is told of a browser, however it is started.
 * @param {{ headed?: boolean, args?: readonly string[] }} [options]
 */
export const launchOptions = ({ headed = isHeaded, args = [] } = {}) => ({
  headless: !headed,
  args: [...flags, ...args],
});

/**
 * Starts a browser; `await using` or `browser.close()` ends it.
 * @param {{ headed?: boolean, args?: readonly string[] }} [options]
 */
export async function launchChromium(options) {
  return chromium.launch({ executablePath: await installedChromium(), ...launchOptions(options) });
}
