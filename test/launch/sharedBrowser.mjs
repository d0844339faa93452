import { launchChromium } from './chromium.mjs';

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

/** The one browser of a worker: all test files that it runs share it, and it ends with the worker. */
export function sharedBrowser() {
  browser ??= launchChromium();
  return browser;
}
