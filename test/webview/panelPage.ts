import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject } from 'vitest';
import type { FromWebview, Said } from '../../src/protocol/fromWebview';
import type { ToWebview } from '../../src/protocol/messages';
import type { ViewPatch } from '../../src/protocol/patch';
import type { PanelUiState, ThreadView } from '../../src/protocol/viewModel';
import { sharedBrowser } from '../launch/sharedBrowser.mjs';
import { leaveUnpainted, painted } from '../launch/unpainted.mjs';
import { bodyClass, panelUrl } from './harness.mjs';

type Theme = Parameters<typeof panelUrl>[1];

interface Standing {
  posted: FromWebview[];
  violations: string[];
  /** As `requestAnimationFrame`, uncounted. */
  frame(draw: FrameRequestCallback): number;
  /** Frames that the panel waits for. */
  awaited(): number;
  advance(ms: number): void;
  send(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}

declare global {
  interface Window {
    harness: Standing;
    /** How often something took the focus. */
    focused: number;
  }
}

const still: BrowserContextOptions = {
  deviceScaleFactor: 1,
  reducedMotion: 'reduce',
  locale: 'en-US',
  timezoneId: 'UTC',
};

let browser: Browser;
const open: PanelPage[] = [];
/** A page for the next test that needs nothing special: loading the panel anew clears all that it holds. */
let spare: Page | undefined;

/**
 * Opens pages in the browser that all files share. After each test its pages are closed and must not have complained.
 */
export function useHarness(): void {
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterEach(async () => {
    for (const panel of open.splice(0)) {
      const complaints = await panel.complaints();
      await panel.close();
      expect(complaints).toEqual([]);
    }
  });
}

/** The panel in a page, as a test drives it: messages of a host go in, what a user sees and does comes from `page`. */
export class PanelPage {
  private generation = 0;
  private sequence = 0;
  private readonly errors: string[] = [];
  /** Errors that a test provokes on purpose. */
  readonly expected: RegExp[] = [];

  private constructor(
    readonly page: Page,
    private readonly isPlain: boolean,
  ) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
  }

  static async open(
    options: {
      readonly theme?: Theme;
      readonly width?: number;
      readonly height?: number;
      readonly reducedMotion?: 'reduce';
      /** For pictures: the same on every machine. */ readonly isStill?: true;
      readonly prepare?: (page: Page) => Promise<unknown>;
    } = {},
  ): Promise<PanelPage> {
    const isPlain = !options.prepare && !options.reducedMotion && !options.isStill;
    const viewport = { width: options.width ?? 420, height: options.height ?? 800 };
    let page = isPlain ? spare : undefined;
    if (page) {
      spare = undefined;
      await page.setViewportSize(viewport);
    } else {
      const context = await browser.newContext({
        viewport,
        ...(options.reducedMotion ? { reducedMotion: options.reducedMotion } : {}),
        ...(options.isStill ? still : {}),
      });
      if (!options.isStill) await leaveUnpainted(context);
      page = await context.newPage();
    }
    const panel = new PanelPage(page, isPlain);
    open.push(panel);
    panel.page.setDefaultTimeout(60_000);
    await options.prepare?.(panel.page);
    await panel.page.goto(panelUrl(inject('panelPort'), options.theme, options.isStill));
    return panel;
  }

  /** A picture of the page, to be looked at. @param file its path */
  async screenshot(file: string): Promise<void> {
    await painted(this.page, () => this.page.screenshot({ path: file }));
  }

  /** Shows a state, as the host's answer to `ready` or `thread/resync`. */
  async show(view: ThreadView, ui: Partial<PanelUiState> = {}): Promise<void> {
    await this.send({
      type: 'thread/snapshot',
      stamp: { generation: ++this.generation, sequence: (this.sequence = 0) },
      view,
      ui: { draft: '', mentions: [], expanded: {}, ...ui },
    });
    await this.frames();
  }

  async patch(...patches: ViewPatch[]): Promise<void> {
    await this.send({
      type: 'thread/patch',
      stamp: { generation: this.generation, sequence: ++this.sequence },
      patches,
    });
    await this.frames();
  }

  /** Changes to another theme, as VS Code does. */
  async setTheme(theme: NonNullable<Theme>): Promise<void> {
    await this.page.evaluate(
      async ({ theme: name, kind }) => {
        const link = document.querySelector<HTMLLinkElement>('link[href^="theme-"]')!;
        document.body.className = kind;
        if (link.getAttribute('href') === `theme-${name}.css`) return;
        await new Promise((resolve) => {
          link.addEventListener('load', resolve, { once: true });
          link.href = `theme-${name}.css`;
        });
        const changes = document
          .getAnimations()
          .filter(
            (animation) =>
              animation.timeline instanceof DocumentTimeline &&
              animation.effect?.getComputedTiming().iterations !== Infinity,
          );
        await Promise.allSettled(changes.map((animation) => animation.finished));
      },
      { theme, kind: bodyClass(theme) },
    );
    await this.frames();
  }

  send(message: ToWebview): Promise<void> {
    return this.page.evaluate((m) => window.harness.send(m), message);
  }

  /** Lets the page draw what it was sent: also a panel that lets frames pass, because the last one cost much. */
  async frames(count = 2): Promise<void> {
    await this.page.evaluate(async (n) => {
      const { harness } = window;
      for (let i = 0; i < n || (harness.awaited() > 0 && i < 600); i++)
        await new Promise((resolve) => harness.frame(resolve));
    }, count);
  }

  /** Lets time pass for the page's timers and `performance.now`, in ms; frames, animations and events keep theirs. */
  async advance(ms: number): Promise<void> {
    await this.page.evaluate((passed) => window.harness.advance(passed), ms);
    await this.frames();
  }

  /** What the webview posted of one type, oldest first. */
  async posted<T extends FromWebview['type']>(type: T): Promise<Said<T>[]> {
    const all = await this.page.evaluate(() => window.harness.posted);
    return all.filter((m): m is Said<T> => m.type === type);
  }

  /** The first message of a type, waited for. */
  async nextPosted<T extends FromWebview['type']>(type: T): Promise<Said<T>> {
    await this.page.waitForFunction((t) => window.harness.posted.some((m) => m.type === t), type);
    return (await this.posted(type))[0]!;
  }

  /**
   * The user goes elsewhere in VS Code: what takes the focus from now on is counted.
   * @returns how often it was taken
   */
  async leave(): Promise<() => Promise<number>> {
    await this.page.evaluate(() => {
      window.focused = 0;
      HTMLElement.prototype.focus = () => void window.focused++;
      document.hasFocus = () => false;
    });
    return () => this.page.evaluate(() => window.focused);
  }

  /** Waits until the conversation does not scroll any more: wheels scroll smoothly. */
  async rests(): Promise<void> {
    let last: number | undefined;
    await expect
      .poll(
        async () => {
          const before = last;
          last = await this.thread.evaluate((e) => e.scrollTop);
          return last === before;
        },
        { interval: 150 },
      )
      .toBe(true);
  }

  get thread() {
    return this.page.getByRole('log', { name: 'Conversation' });
  }

  get box() {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  /** Keeps a plain page for the next test. */
  async close(): Promise<void> {
    this.page.removeAllListeners();
    if (!this.isPlain || spare) return this.page.context().close();
    await this.page.mouse.move(0, 0);
    spare = this.page;
  }

  /** Breaches of the policy, errors on the console, and errors that the webview itself reported. */
  async complaints(): Promise<string[]> {
    const inPage = await this.page.evaluate(() => [
      ...window.harness.violations,
      ...window.harness.posted.flatMap((m) => (m.type === 'log' ? [m.message] : [])),
    ]);
    return [...this.errors, ...inPage].filter((line) => !this.expected.some((pattern) => pattern.test(line)));
  }
}
