import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { driverExtension } from '../../launch/driver.mjs';
import { until } from '../../launch/poll.mjs';
import { copySampleWorkspace, removeFolder, root, sampleWorkspace } from '../../launch/project.mjs';
import { fewExtensions, type Server, startServer } from '../../launch/server.mjs';
import { sharedProfile } from '../../launch/sharedBrowser.mjs';
import { Workbench } from '../../launch/workbench.mjs';

/** Where pictures of failed tests go. */
export const screenshots = join(root, 'out/screenshots');

export interface WindowOptions {
  /** Machine settings beside the quiet defaults. */
  readonly settings?: Record<string, unknown>;
  /** False opens the folder in Restricted Mode. */
  readonly trust?: boolean;
  /** A command that runs the server as its last words. */
  readonly under?: readonly string[];
  /** Variables for the server and with it the extension host. */
  readonly env?: Record<string, string | undefined>;
  /** Opens this folder instead of a fresh copy of the sample workspace; "" opens none. */
  readonly folder?: string;
  /** Extension folders; the repository itself when left out. */
  readonly install?: readonly string[];
  /** State of an earlier server to go on with; the caller removes it. */
  readonly dataDir?: string;
  /** One that runs already; it ends with the window. The other options of servers have no effect then. */
  readonly server?: Server;
  /** VS Code's own extensions beside the few that tests have. */
  readonly builtIn?: readonly string[];
  /** A server of its own also where one could be shared: for tests that look at all that it holds or runs. */
  readonly own?: boolean;
  /**
   * A window of its own also where the last test's could go on: for tests of what happens when a window opens or
   * closes.
   */
  readonly fresh?: boolean;
}

/** A server with the browser for it. The browser outlives them all, the server a window where it can be shared. */
interface Place {
  readonly server: Server;
  readonly context: BrowserContext;
}

// Without animations VS Code draws only what changes.
const profile = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
/** What VS Code gives the panel in such a window, in px. */
const sideBarWidth = 300;
const theme = { 'workbench.colorTheme': 'Dark Modern' };

/** The demo agent waits between its steps for people to follow. */
const quickDemo = { PARLEY_DEMO_SPEED: '0.1' };

/** For windows that need nothing special: VS Code's code is loaded and compiled once. */
let shared: Place | undefined;

/** Where servers that have ended were reached: the browser has VS Code's code compiled for these addresses. */
const freePorts: number[] = [];

/** Ends a server, and with it all that the browser keeps for its address but the code. */
async function endPlace({ server, context }: Place): Promise<void> {
  await server.stop();
  const browser = await context.newCDPSession(context.pages()[0]!);
  await browser.send('Storage.clearDataForOrigin', { origin: `http://127.0.0.1:${server.port}`, storageTypes: 'all' });
  await browser.detach();
  freePorts.push(server.port);
}

async function makePlace({
  install = [root],
  dataDir,
  settings,
  trust = true,
  env,
  under = [],
  own = false,
  builtIn = [],
  server: running,
}: WindowOptions): Promise<Place> {
  const context = await sharedProfile(profile);
  if (running) return { server: running, context };
  // Before trust and for the packaged extension VS Code is as it comes.
  const isWhole = !trust || install.length === 0;
  const server = await startServer({
    port: freePorts.pop() ?? 0,
    install: isWhole || own ? install : [...install, driverExtension],
    ...(isWhole ? {} : { builtIn: [...fewExtensions, ...builtIn] }),
    ...(dataDir === undefined ? {} : { dataDir }),
    settings: { ...theme, ...settings },
    trust,
    env: { ...quickDemo, ...env },
    under,
  });
  return { server, context };
}

/** Whether the window can be one of the shared server. */
const canShare = ({
  install,
  dataDir,
  trust = true,
  env,
  under,
  own = false,
  builtIn,
  server,
}: WindowOptions): boolean =>
  [install, dataDir, env, under, builtIn, server].every((option) => option === undefined) && trust && !own;

/** Whether another test can use the window, once it was made almost new. */
const canBeLeft = (options: WindowOptions): boolean => canShare(options) && options.folder === undefined;

/**
 * The windows that tests have left for the next ones, of this file or another: one for the demo agent and one for
 * agents that tests configure, so that modes and answers of one do not meet the other. It takes seconds to open one.
 */
const left = new Map<'demo' | 'configured', Window>();

const agentsOf = ({ settings }: WindowOptions) => (settings?.['parley.agents'] === undefined ? 'demo' : 'configured');

/** A VS Code window with a workspace of its own. */
export class Window {
  private isOpen = true;

  private constructor(
    private readonly place: Place,
    private readonly isShared: boolean,
    readonly workbench: Workbench,
    /** The workspace folder on disk. */
    readonly folder: string,
    private readonly removeFolder: (() => void) | undefined,
  ) {}

  get server(): Server {
    return this.place.server;
  }

  get context(): BrowserContext {
    return this.place.context;
  }

  /**
   * Waits until a draft is on disk: the panel tells of it a moment after the last key, VS Code passes that on, and the
   * host writes it.
   */
  async keeps(draft: string): Promise<void> {
    const storage = join(this.server.dataDir, 'data/User/workspaceStorage');
    const states = () =>
      readdirSync(storage)
        .map((name) => join(storage, name, 'parley.parley/state.json'))
        .filter((file) => existsSync(file));
    await until('the draft on disk', () => states().some((file) => readFileSync(file, 'utf8').includes(draft)));
  }

  static async open(options: WindowOptions = {}): Promise<Window> {
    const found = canBeLeft(options) && !options.fresh ? left.get(agentsOf(options)) : undefined;
    if (found) {
      left.delete(agentsOf(options));
      await found.refresh(options).catch(async (error: unknown) => {
        await recordFailure(found, 'a window that another test has left');
        await found.close(false);
        throw error;
      });
      return found;
    }
    const isShared = canShare(options);
    const copy = options.folder === undefined ? copySampleWorkspace() : undefined;
    const folder = options.folder ?? copy?.folder ?? '';
    const before = isShared ? shared : undefined;
    const place = before ?? (await makePlace(options));
    if (before) before.server.replaceSettings({ ...theme, ...options.settings });
    else if (isShared) shared = place;
    const workbench = await Workbench.open(place.context, place.server, { folder });
    return new Window(place, isShared, workbench, folder, copy?.remove);
  }

  /** Goes to the next test that can use it, or closes it. */
  async leave(options: WindowOptions): Promise<void> {
    if (!canBeLeft(options) || left.has(agentsOf(options))) return this.close();
    await this.closeOtherPages();
    left.set(agentsOf(options), this);
  }

  /** Waits until editors have closed, without what was typed into them. */
  private async closed(selector: string): Promise<void> {
    const { page } = this.workbench;
    const discard = page.getByRole('button', { name: /^Don't Save/ });
    await until(`${selector} to close`, async () => {
      if (await discard.isVisible()) await discard.click({ timeout: 5_000 }).catch(() => undefined);
      return (await page.locator(selector).count()) === 0;
    });
  }

  /**
   * Makes the window almost new: no editors, no pending changes, the sample's files, and a new session in the panel.
   */
  private async refresh({ settings }: WindowOptions): Promise<void> {
    const { workbench, folder } = this;
    const { page } = workbench;
    // Of the pages of one context Chromium draws the one in front; timers of the others run once a second.
    await page.bringToFront();
    await page.setViewportSize(profile.viewport);
    await this.context.unrouteAll();
    await this.context.clearPermissions();
    this.server.replaceSettings({ ...theme, ...settings });
    await workbench.settingsRead();
    // A view, an editor or a terminal over the panel.
    await page.keyboard.press('Escape');
    // In one of settings, the key closes what it offers for completion.
    if ((await page.locator('.monaco-modal-editor-block').count()) > 0) {
      await workbench.runCommand('View: Close Modal Editor');
      await this.closed('.monaco-modal-editor-block');
    }
    await workbench.runCommand('Terminal: Kill All Terminals');
    await workbench.runCommand('View: Hide Panel');
    if ((await page.locator('.editor-group-container .tab').count()) > 0) {
      await workbench.runCommand('View: Close All Editors');
      await this.closed('.editor-group-container .tab');
    }
    // An undo that was discarded with unsaved text makes its change pending again, as soon as the host hears of that.
    await until('nothing to review', async () => {
      if (!(await workbench.statusBarItem(/to review/).isVisible())) return true;
      await workbench.runCommand('Parley: Keep All Changes');
      return false;
    });
    if (await page.locator('.notifications-toasts .notification-list-item').first().isVisible())
      await workbench.runCommand('Notifications: Clear All Notifications');
    const own = new Set(readdirSync(sampleWorkspace));
    for (const name of readdirSync(folder)) if (!own.has(name)) removeFolder(join(folder, name));
    cpSync(sampleWorkspace, folder, { recursive: true, force: true });
    await workbench.runCommand('Parley: New Session', String(settings?.['parley.defaultAgent'] ?? 'Parley Demo'));
    const chat = await this.openChat();
    if (Math.abs((await workbench.secondarySideBar.boundingBox())!.width - sideBarWidth) > 20)
      await workbench.setSecondarySideBarWidth(sideBarWidth);
    await chat.locator('.user-message').first().waitFor({ state: 'detached' });
    // A draft goes from one session without a prompt to the next.
    await chat.getByRole('textbox', { name: 'Message' }).fill('');
    // The active file is offered beside what is attached.
    const attached = chat.locator('.composer .chips').getByRole('button', { name: /^Remove / });
    await until('an empty draft', async () => {
      if ((await attached.count()) === 0) return true;
      await attached
        .first()
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      return false;
    });
  }

  /** Opens the chat panel and resolves to its frame, in which locators and roles work as on a page. */
  openChat(): Promise<Frame> {
    return this.workbench.openChat();
  }

  /** Closes what the test has opened besides, such as a second window. */
  private async closeOtherPages(): Promise<void> {
    const kept = new Set([this.context.pages()[0], ...[this, ...left.values()].map(({ workbench }) => workbench.page)]);
    for (const page of this.context.pages()) if (!kept.has(page)) await sayGoodbye(page);
  }

  /** @param isSound whether the server can go on to another window; a failed test may have left anything */
  async close(isSound = true): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.isShared && !isSound) {
      // The windows that others have left go with their server.
      shared = undefined;
      for (const other of left.values()) other.removeFolder?.();
      left.clear();
    }
    await this.closeOtherPages();
    await sayGoodbye(this.workbench.page);
    await this.context.unrouteAll();
    await this.context.clearPermissions();
    if (!this.isShared || !isSound) await endPlace(this.place);
    this.removeFolder?.();
  }
}

/** How long a window may take to say goodbye, in ms: it is closed then without. */
const GOODBYE_MS = 5_000;

/**
 * Closes a window whose extension host is to end with it, as a user closes a tab: one that is just gone could come
 * back. A navigation to a blank page may never end in a window that is behind another one.
 */
async function sayGoodbye(page: Page): Promise<void> {
  const closed = page.waitForEvent('close', { timeout: GOODBYE_MS });
  await page.close({ runBeforeUnload: true });
  await closed.catch(() => page.close());
}

/** What the frames of extensions hold, one a line: where only the output is kept, it says what a picture would show. */
async function webviewsOf({ workbench }: Window): Promise<string[]> {
  const frames = workbench.page.frames().filter((frame) => frame.url().includes('/webview/'));
  return Promise.all(
    frames.map(async (frame) => {
      const { pathname, searchParams } = new URL(frame.url());
      const text = await frame
        .evaluate(() => `${document.readyState}, ${document.body.className}: ${document.body.innerText.slice(0, 400)}`)
        .catch((error: unknown) => `cannot be asked (${String(error).split('\n', 1)[0]})`);
      const extension = searchParams.get('extensionId') ?? 'the inner frame';
      return `${pathname.slice(-40)} of ${extension}, ${text.replaceAll(/\s+/g, ' ')}`;
    }),
  );
}

/** Keeps what one needs to see why a test failed: a picture and what the window and the server said. */
async function recordFailure(window: Window, name: string): Promise<void> {
  const file = join(screenshots, name.replace(/[^\w]+/g, '-').slice(0, 120));
  mkdirSync(screenshots, { recursive: true });
  await window.workbench.screenshot(`${file}.png`).catch(() => undefined);
  // What has no text in the picture: folded lists, and what is out of view.
  const panel = await Promise.all(
    window.workbench.page.frames().map((frame) =>
      frame
        .locator('[aria-label]')
        .evaluateAll((all) => all.map((one) => `${one.tagName} ${one.getAttribute('aria-label')}`))
        .catch(() => []),
    ),
  );
  writeFileSync(
    `${file}.log`,
    [...window.workbench.console, '', '--- server', ...window.server.log, '', '--- names', ...panel.flat()].join('\n'),
  );
  const said = [...(await webviewsOf(window)), ...window.workbench.console.slice(-20), ...window.server.log.slice(-10)];
  console.log([`A picture of the window is in ${file}.png`, ...said.map((line) => line.slice(0, 600))].join('\n'));
}

/**
 * Vitest's `test` with `openWindow`: opens a VS Code window that is closed when the test ends, and pictured if it
 * failed.
 *
 *     test('sends a prompt', async ({ openWindow }) => {
 *         const window = await openWindow({ settings: { … } });
 *         const chat = await window.openChat();
 *         await chat.getByRole('textbox', { name: 'Message' }).fill('hello');
 *     });
 */
export const test = base.extend<{ openWindow: (options?: WindowOptions) => Promise<Window> }>({
  openWindow: async ({ task }, use) => {
    const mine: { window: Window; options: WindowOptions }[] = [];
    await use(async (options = {}) => {
      const window = await Window.open(options);
      mine.push({ window, options });
      return window;
    });
    for (const { window, options } of mine) {
      const isSound = task.result?.state !== 'fail';
      if (isSound) await window.leave(options);
      else {
        await recordFailure(window, task.name);
        await window.close(false);
      }
    }
  },
});
