import { chromium } from 'playwright-core';
import { installedChromium, launchChromium, launchOptions } from './chromium.mjs';
import { leaveUnpainted } from './unpainted.mjs';

/**
 * Scripts that come over a thread of their own do not find their compiled code, which is kept for those of the main
 * thread. The other names are Playwright's, of which this switch takes the place, as far as they matter on one machine.
 */
const keepCompiledCode = [
  '--disable-features=BackgroundResourceFetch,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,PaintHolding,ThirdPartyStoragePartitioning',
];

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

/** The one browser of a worker: all test files that it runs share it, and it ends with the worker. */
export function sharedBrowser() {
  browser ??= launchChromium();
  return browser;
}

/** @type {Promise<import('playwright-core').BrowserContext> | undefined} */
let profile;

/**
 * The one browser of a worker for windows of VS Code, with a profile on disk: Chromium keeps the compiled code of large
 * scripts only there. Each origin has its own storage in it. Its first page stays blank: without one the browser would
 * end.
 * @param {import('playwright-core').BrowserContextOptions} options of the first call
 */
export function sharedProfile(options) {
  profile ??= launchProfile(options);
  return profile;
}

/** @param {import('playwright-core').BrowserContextOptions} options */
async function launchProfile(options) {
  const launch = launchOptions({ args: keepCompiledCode });
  // Without a name Playwright makes a folder, and removes it at the end.
  const context = await chromium.launchPersistentContext('', {
    executablePath: await installedChromium(),
    ...launch,
    ...options,
  });
  context.setDefaultTimeout(120_000);
  await leaveUnpainted(context);
  return context;
}
