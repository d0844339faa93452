import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Frame } from 'playwright-core';
import { afterAll, test as base } from 'vitest';
import { launchChromium } from '../../launch/chromium.mjs';
import { copySampleWorkspace, root } from '../../launch/project.mjs';
import { type Server, startServer } from '../../launch/server.mjs';
import { Workbench } from '../../launch/workbench.mjs';

/** Where pictures of failed tests go. */
export const screenshots = join(root, 'out/screenshots');

let browser: Promise<Browser> | undefined;

/** The one browser of a test file. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}

export interface WindowOptions {
  /** Machine settings beside the quiet defaults. */
  readonly settings?: Record<string, unknown>;
  /** False opens the folder in Restricted Mode. */
  readonly trust?: boolean;
  /** A command that runs the server as its last words. */
  readonly under?: readonly string[];
  /** Variables for the server and with it the extension host. */
  readonly env?: Record<string, string | undefined>;
  /** Opens this folder instead of a fresh copy of the sample workspace. */
  readonly folder?: string;
  /** Extension folders; the repository itself when left out. */
  readonly install?: readonly string[];
  /** State of an earlier server to go on with; the caller removes it. */
  readonly dataDir?: string;
}

/** A VS Code of its own for one test file or one test: server, window and workspace. */
export class Window {
  readonly #stop: (() => Promise<void> | void)[] = [];

  private constructor(
    readonly server: Server,
    readonly context: BrowserContext,
    readonly workbench: Workbench,
    /** The workspace folder on disk. */
    readonly folder: string,
  ) {}

  static async open(options: WindowOptions = {}): Promise<Window> {
    const copy = options.folder === undefined ? copySampleWorkspace() : undefined;
    const folder = options.folder ?? copy?.folder ?? '';
    const server = await startServer({
      install: options.install ?? [root],
      ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
      settings: { 'workbench.colorTheme': 'Dark Modern', ...options.settings },
      trust: options.trust ?? true,
      env: options.env ?? {},
      under: options.under ?? [],
    });
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 1440, height: 900 } });
    const workbench = await Workbench.open(context, server, { folder });
    const window = new Window(server, context, workbench, folder);
    window.#stop.push(() => context.close(), () => server.stop(), () => copy?.remove());
    return window;
  }

  /** Opens the chat panel and resolves to its frame, in which locators and roles work as on a page. */
  openChat(): Promise<Frame> {
    return this.workbench.openChat();
  }

  async close(): Promise<void> {
    for (const stop of this.#stop.splice(0)) {
      await stop();
    }
  }
}

const open = new Set<Window>();

/** Keeps what one needs to see why a test failed: a picture and what the window and the server said. */
async function recordFailure(window: Window, name: string): Promise<void> {
  const file = join(screenshots, name.replace(/[^\w]+/g, '-').slice(0, 120));
  mkdirSync(screenshots, { recursive: true });
  await window.workbench.screenshot(`${file}.png`).catch(() => undefined);
  writeFileSync(`${file}.log`, [...window.workbench.console, '', '--- server', ...window.server.log].join('\n'));
  console.log(`A picture of the window is in ${file}.png`);
}

/**
 * Vitest's `test` with `openWindow`: opens a VS Code that is closed when the test ends, and pictured if it failed.
 *
 *     test('sends a prompt', async ({ openWindow }) => {
 *         const window = await openWindow({ settings: { … } });
 *         const chat = await window.openChat();
 *         await chat.getByRole('textbox', { name: 'Message' }).fill('hello');
 *     });
 */
export const test = base.extend<{ openWindow: (options?: WindowOptions) => Promise<Window> }>({
  openWindow: async ({ task }, use) => {
    const mine: Window[] = [];
    await use(async (options) => {
      const window = await Window.open(options);
      mine.push(window);
      open.add(window);
      return window;
    });
    for (const window of mine) {
      if (task.result?.state === 'fail') {
        await recordFailure(window, task.name);
      }
      await window.close();
      open.delete(window);
    }
  },
});

afterAll(async () => {
  for (const window of open) {
    await window.close();
  }
  await (await browser)?.close();
  browser = undefined;
});
