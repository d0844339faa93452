import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Frame } from 'playwright-core';
import { test as base } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { copySampleWorkspace, removeFolder, root, sampleWorkspace } from '../../launch/project.mjs';
import { fewExtensions, type Server, startServer } from '../../launch/server.mjs';
import { sharedBrowser } from '../../launch/sharedBrowser.mjs';
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
  /** A server of its own also where one could be shared: for tests that look at all that it holds or runs. */
  readonly own?: boolean;
  /** Goes on in the window that the test before in the same file has left, if that had the same options; see `refresh`. */
  readonly reuse?: boolean;
}

/** A server with a browser's storage for it. Both outlive a window where they can be shared. */
interface Place {
  readonly server: Server;
  readonly context: BrowserContext;
}

const viewport = { width: 1440, height: 900 };
const theme = { 'workbench.colorTheme': 'Dark Modern' };

/** Servers for windows that need nothing special, by their variables: VS Code's code is loaded and compiled once. */
const shared = new Map<string, Promise<Place>>();

async function makePlace({ install = [root], dataDir, settings, trust = true, env = {}, under = [] }: WindowOptions): Promise<Place> {
  // Before trust and for the packaged extension VS Code is as it comes.
  const isWhole = !trust || install.length === 0;
  const server = await startServer({ install, ...(isWhole ? {} : { builtIn: fewExtensions }), ...(dataDir === undefined ? {} : { dataDir }), settings: { ...theme, ...settings }, trust, env, under });
  // Without animations VS Code draws only what changes.
  return { server, context: await (await sharedBrowser()).newContext({ viewport, reducedMotion: 'reduce' }) };
}

/** The key of a server that can be shared; undefined where the window needs its own. */
function sharedAs({ install, dataDir, trust = true, env = {}, under, own = false }: WindowOptions): string | undefined {
  const isPlain = !own && install === undefined && dataDir === undefined && trust && under === undefined;
  return isPlain && Object.keys(env).every((name) => name === 'PARLEY_DEMO_SPEED') ? JSON.stringify(env) : undefined;
}

/** The window that a test has left for the next one in its file with the same options. */
let left: { readonly name: string; readonly window: Window } | undefined;

/** A VS Code window with a workspace of its own. */
export class Window {
  private isOpen = true;

  private constructor(
    private readonly place: Place,
    private readonly key: string | undefined,
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

  /** @param name of a window that a test before may have left */
  static async open(options: WindowOptions = {}, name?: string): Promise<Window> {
    const found = left;
    left = undefined;
    if (found && found.name === name) {
      await found.window.refresh(options).catch(async (error: unknown) => {
        await found.window.close(false);
        throw error;
      });
      return found.window;
    }
    await found?.window.close();
    const copy = options.folder === undefined ? copySampleWorkspace() : undefined;
    const folder = options.folder ?? copy?.folder ?? '';
    const key = sharedAs(options);
    const before = key === undefined ? undefined : await shared.get(key);
    const place = before ?? (await makePlace(options));
    if (before) before.server.replaceSettings({ ...theme, ...options.settings });
    else if (key !== undefined) shared.set(key, Promise.resolve(place));
    const workbench = await Workbench.open(place.context, place.server, { folder });
    return new Window(place, key, workbench, folder, copy?.remove);
  }

  /** Leaves the window for a test that asks for one of this name. */
  leave(name: string): void {
    left = { name, window: this };
  }

  /** Makes the window almost new: no editors, no pending changes, the sample's files, and a new session in the panel. */
  private async refresh({ settings }: WindowOptions): Promise<void> {
    const { workbench, folder } = this;
    const { page } = workbench;
    this.server.replaceSettings({ ...theme, ...settings });
    if ((await page.locator('.editor-group-container .tab').count()) > 0) {
      await workbench.runCommand('View: Close All Editors');
      await until('the editors to close', async () => {
        await page.getByRole('button', { name: /^Don't Save/ }).click({ timeout: 100 }).catch(() => undefined);
        return (await page.locator('.editor-group-container .tab').count()) === 0;
      });
    }
    if (await workbench.statusBarItem(/to review/).isVisible()) {
      await workbench.runCommand('Parley: Keep All Changes');
      await workbench.statusBarItem(/to review/).waitFor({ state: 'detached' });
    }
    if (await page.locator('.notifications-toasts .notification-list-item').first().isVisible()) await workbench.runCommand('Notifications: Clear All Notifications');
    const own = new Set(readdirSync(sampleWorkspace));
    for (const name of readdirSync(folder)) if (!own.has(name)) removeFolder(join(folder, name));
    cpSync(sampleWorkspace, folder, { recursive: true, force: true });
    await workbench.runCommand('Parley: New Session');
    const chat = await this.openChat();
    await chat.locator('.user-message').first().waitFor({ state: 'detached' });
  }

  /** Opens the chat panel and resolves to its frame, in which locators and roles work as on a page. */
  openChat(): Promise<Frame> {
    return this.workbench.openChat();
  }

  /** @param isSound whether the server can go on to another window; a failed test may have left anything */
  async close(isSound = true): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { context, server } = this.place;
    if (this.key !== undefined && isSound) {
      // A page that is left says goodbye, so its extension host ends; one that is just closed could come back.
      for (const page of context.pages()) {
        await page.goto('about:blank').catch(() => undefined);
        await page.close();
      }
      await context.unrouteAll();
      await context.clearPermissions();
    } else {
      if (this.key !== undefined) shared.delete(this.key);
      await context.close();
      await server.stop();
    }
    this.removeFolder?.();
  }
}

/** Keeps what one needs to see why a test failed: a picture and what the window and the server said. */
async function recordFailure(window: Window, name: string): Promise<void> {
  const file = join(screenshots, name.replace(/[^\w]+/g, '-').slice(0, 120));
  mkdirSync(screenshots, { recursive: true });
  await window.workbench.screenshot(`${file}.png`).catch(() => undefined);
  writeFileSync(`${file}.log`, [...window.workbench.console, '', '--- server', ...window.server.log].join('\n'));
  console.log(`A picture of the window is in ${file}.png`);
}

/**
 * Vitest's `test` with `openWindow`: opens a VS Code window that is closed when the test ends, and pictured if it failed.
 *
 *     test('sends a prompt', async ({ openWindow }) => {
 *         const window = await openWindow({ settings: { … } });
 *         const chat = await window.openChat();
 *         await chat.getByRole('textbox', { name: 'Message' }).fill('hello');
 *     });
 */
export const test = base.extend<{ openWindow: (options?: WindowOptions) => Promise<Window> }>({
  openWindow: async ({ task }, use) => {
    const mine: { window: Window; name: string | undefined }[] = [];
    await use(async (options = {}) => {
      const name = options.reuse ? `${task.file.name} ${JSON.stringify(options)}` : undefined;
      const window = await Window.open(options, name);
      mine.push({ window, name });
      return window;
    });
    for (const { window, name } of mine) {
      const isSound = task.result?.state !== 'fail';
      if (!isSound) await recordFailure(window, task.name);
      if (isSound && name !== undefined) window.leave(name);
      else await window.close(isSound);
    }
  },
});
