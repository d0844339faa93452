import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandNamed, Driver } from './driver.mjs';
import { until } from './poll.mjs';
import { versionColor } from './server.mjs';
import { painted } from './unpainted.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */
/** @typedef {string | RegExp} Name */

/** What the workbench says about native modules that were not compiled and hosts that are not reached. */
const noise = /spdlog|watchdog|vsda|ERR_NAME_NOT_RESOLVED|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/;

/** VS Code's own themes by their setting, with the end of the class name that the window then has. */
const themes = {
  'Dark 2026': '-2026-dark-json',
  'Light 2026': '-2026-light-json',
  'Dark Modern': '-dark_modern-json',
  'Light Modern': '-light_modern-json',
  'Default High Contrast': '-hc_black-json',
  'Default High Contrast Light': '-hc_light-json',
};

/** Commands that end by themselves, whatever there is. */
const neverAsks = new Set([
  'Parley: Open Chat',
  'View: Focus Active Editor Group',
  'View: Hide Panel',
  'View: Hide Secondary Side Bar',
  'View: Toggle Secondary Side Bar Visibility',
]);

/**
 * A VS Code window in a browser, used as a user uses it: by what is visible and by ARIA roles and names.
 * Every method waits for what it needs and fails at a deadline; none sleeps.
 */
export class Workbench {
  /** Console lines and page errors since the start, for a failure's report. @type {string[]} */
  console = [];

  /** The quick way to commands, where the server has the extension for it. @type {Driver | undefined} */
  #driver;
  #folder;

  /**
   * @param {Page} page
   * @param {import('./server.mjs').Server} server
   * @param {string} [folder] what the window opens; "" for nothing
   */
  constructor(page, server, folder = '') {
    this.page = page;
    this.server = server;
    this.#folder = folder;
    this.#driver = server.hasDriver ? new Driver(server.dataDir, folder) : undefined;
    page.on('console', (message) => {
      if (!noise.test(message.text())) {
        this.console.push(`[${message.type()}] ${message.text()}`);
      }
    });
    page.on('pageerror', (error) => this.console.push(`[pageerror] ${error.message}`));
  }

  /**
   * Opens a window and resolves when its status bar stands. Extensions may still be starting.
   * @param {import('playwright-core').BrowserContext} context @param {import('./server.mjs').Server} server
   * @param {import('./server.mjs').OpenOptions} options
   */
  static async open(context, server, options) {
    const workbench = new Workbench(await context.newPage(), server, options.folder);
    workbench.#driver?.forget();
    // Chromium draws the page in front, and runs timers of the others once a second.
    await workbench.page.bringToFront();
    await workbench.page.goto(server.url(options));
    await workbench.ready();
    if (options.folder?.endsWith('.code-workspace')) await workbench.#hasFolders(options.folder);
    return workbench;
  }

  /**
   * In a browser VS Code may read the file of a workspace before it listens to what comes of it; it shows no folder
   * then until the file changes. @param {string} file
   */
  async #hasFolders(file) {
    const none = this.page.getByText('You have not yet added a folder to the workspace');
    await this.page.locator('.explorer-folders-view .monaco-list-row').or(none).first().waitFor();
    await until(
      'the folders of the workspace',
      async () => {
        if ((await none.count()) === 0) return true;
        utimesSync(file, new Date(), new Date());
        return false;
      },
      { interval: 1_000 },
    );
  }

  async ready() {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 120_000 });
    await this.page
      .locator('.monaco-workbench .part.sidebar:visible, .monaco-workbench .part.editor:visible')
      .first()
      .waitFor();
  }

  /**
   * Reloads the window, as `Developer: Reload Window` does. In a browser VS Code saves its layout and the state of
   * webviews every five seconds, so a bar that was opened just before may be closed again: call `openChat` after it.
   */
  async reload() {
    this.#driver?.forget();
    await this.page.reload();
    await this.ready();
  }

  /** Reloads the window by VS Code's own command, which first saves the layout and the state of webviews. */
  async reloadByCommand() {
    this.#driver?.forget();
    const loaded = this.page.waitForEvent('load');
    // The palette goes with the page.
    await this.palette('Developer: Reload Window').catch(() => undefined);
    await loaded;
    await this.ready();
  }

  // Quick input: the palette, pickers and input boxes.

  /** The text box of the open quick input. */
  get quickInput() {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  /** The rows of the open quick input, or those that contain the text. @param {Name} [text] */
  quickInputRows(text) {
    const rows = this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /**
   * Closes the open quick input by a click beside it: Escape would go to a notification first, wherever that came from.
   */
  async closeQuickInput() {
    await this.page.locator('.part.statusbar').click({ position: { x: 400, y: 10 } });
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  /**
   * Runs a command by its title in the palette; without the palette where that is possible, which takes a second each
   * time.
   * @param {string} title @param {string} [argument] as a key of the user may give it; not from the palette
   */
  async runCommand(title, argument) {
    const command = this.#driver && commandNamed(title);
    if (!this.#driver || command === undefined) return this.palette(title);
    if (await this.quickInput.isVisible()) await this.closeQuickInput();
    await this.#driver.run(command, { text: argument }, { asks: !neverAsks.has(title) });
  }

  /**
   * Runs a command from the palette, waiting until it is offered. By its key: the rows of the list are reused for other
   * commands, also between the moments in which a click is aimed and made.
   * @param {string} title
   */
  async palette(title) {
    // An open quick input would take the key as typing.
    if (await this.quickInput.isVisible()) await this.closeQuickInput();
    const rows = this.quickInputRows();
    const label = { has: this.page.locator('.label-name', { hasText: new RegExp(`^${escape(title)}$`) }) };
    const chosen = rows.and(this.page.locator('.focused')).filter(label);
    let last = 'no look yet';
    let looks = 0;
    await until(
      () => `the command "${title}" in the palette; ${last}`,
      async () => {
        try {
          // The palette lists what is registered when its text changes, and an extension may register later.
          if (await this.quickInput.isVisible()) await this.quickInput.fill('>', { timeout: 2000 });
          // A view that takes the focus while it starts closes the palette again.
          else await this.page.keyboard.press('F1');
          await this.quickInput.fill(`>${title}`, { timeout: 2000 });
          // Soon again while extensions are starting, later on a slow machine.
          await rows.filter(label).waitFor({ timeout: Math.min(400 * ++looks, 2000) });
          // Others with the same words may come before it.
          for (let down = 0; down < 20 && !(await chosen.isVisible()); down++)
            await this.quickInput.press('ArrowDown', { timeout: 2000 });
          await chosen.waitFor({ timeout: 500 });
          return true;
        } catch {
          last = `offered: ${
            (await rows.allInnerTexts())
              .slice(0, 5)
              .map((text) => text.replaceAll(/\s+/g, ' '))
              .join(', ') || 'nothing'
          }`;
          return false;
        }
      },
      { timeout: 120_000 },
    );
    // Once: the palette may take the key long after it was pressed.
    await this.page.keyboard.press('Enter');
    // The command may show a quick input of its own.
    const taken = async () => (await this.quickInput.inputValue({ timeout: 500 }).catch(() => '')) !== `>${title}`;
    await until(`the palette to take "${title}"`, taken);
  }

  /**
   * Runs a command that shows a list, and again while the list is not there: a view that takes the focus while it
   * starts closes what is open, as it closes the palette.
   * @param {string} title @param {Name} [row] one that the list has
   */
  async openList(title, row) {
    const wanted = this.quickInputRows(row).first();
    const isListed = async () => {
      await this.runCommand(title);
      let wasShown = false;
      for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(50)) {
        if (await wanted.isVisible()) return true;
        const isShown = await this.quickInput.isVisible();
        if (wasShown && !isShown) return false;
        wasShown ||= isShown;
      }
      return false;
    };
    await until(`the list of "${title}"${row === undefined ? '' : ` with ${row}`}`, isListed);
  }

  /** Chooses the row with this text in the open picker. @param {Name} text */
  async pick(text) {
    const row = this.quickInputRows(text).first();
    await row.waitFor();
    await row.click();
  }

  /** Types into the open input box and accepts it. @param {string} text */
  async answer(text) {
    await this.quickInput.waitFor();
    await until('the text in the quick input', async () => {
      await this.quickInput.fill(text);
      return (await this.quickInput.inputValue()) === text;
    });
    await this.quickInput.press('Enter');
  }

  /**
   * Chooses an item of the open menu, by key: for a moment after it was opened a menu takes no click, and may not
   * notice the pointer.
   * @param {Name} name
   */
  async chooseMenuItem(name) {
    const item = await this.#toMenuItem(name);
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'hidden' });
  }

  /** Opens the submenu of an item of the open menu, by key. @param {Name} name */
  async openSubmenu(name) {
    const item = await this.#toMenuItem(name);
    await this.page.keyboard.press('ArrowRight');
    await until(`the submenu of "${name}"`, async () => (await item.getAttribute('aria-expanded')) === 'true');
  }

  /** Goes to an item of the open menu. @param {Name} name */
  async #toMenuItem(name) {
    const item = this.page.getByRole('menuitem', { name, exact: typeof name === 'string' });
    await item.waitFor();
    await until(`the focus on "${name}" in the menu`, async () => {
      const { isThere, isInMenu } = await item.evaluate((element) => {
        const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
        return {
          isThere: element.closest('.action-item')?.classList.contains('focused') === true,
          // Before, a key would go to what has the focus there.
          isInMenu: element.closest('.monaco-menu-container')?.contains(root.activeElement) === true,
        };
      });
      if (!isThere && isInMenu) await this.page.keyboard.press('ArrowDown');
      return isThere;
    });
    return item;
  }

  // The chat panel.

  /**
   * Opens the chat panel and resolves to its frame when the message box has the focus. What VS Code may do to it while a
   * window starts is undone as a user would, and said: the layout that it restores can close the panel again, and a
   * webview whose service worker misses a message gets no script.
   */
  async openChat() {
    const chat = await until('the chat panel to open', async () => {
      await this.runCommand('Parley: Open Chat');
      const opened = await this.chat({ timeout: 20_000 }).catch(() => undefined);
      if (opened) return opened;
      const isClosed = !(await this.isChatVisible());
      // With its script it is Parley's to show a message box.
      if (!isClosed && (await this.#chatHasScript())) return this.chat();
      console.log(`Parley: Open Chat is run again: the panel ${isClosed ? 'was closed' : 'has no script'}.`);
      if (!isClosed) await this.runCommand('View: Hide Secondary Side Bar');
      return undefined;
    });
    // The closing palette, too, gives the focus to something; until the box has it, keys may go elsewhere.
    await until('the focus in the message box', () =>
      chat
        .getByRole('textbox', { name: 'Message' })
        .evaluate((box) => box === document.activeElement && document.hasFocus()),
    );
    return chat;
  }

  /**
   * The frame of the view `parley.chat`, once the element is visible in it. VS Code puts a webview in an iframe within
   * an iframe, and makes new ones when the view was hidden: ask again after hiding, moving or reloading.
   * @param {{ selector?: string, timeout?: number }} [options] selector: what must be visible; the message box by
   * default
   * @returns {Promise<Frame>}
   */
  async chat({ selector = 'role=textbox[name="Message"]', timeout = 120_000 } = {}) {
    return this.webview({ extension: 'parley.parley', selector, timeout });
  }

  /**
   * The inner frame of an extension's webview, once the element is visible in it.
   * @param {{ extension: string, selector: string, timeout?: number }} options @returns {Promise<Frame>}
   */
  async webview({ extension, selector, timeout = 120_000 }) {
    const find = async () => {
      for (const frame of this.#framesOf(extension)) {
        // A frame may be torn down while it is asked; the next round asks its successor.
        if (
          await frame
            .locator(selector)
            .first()
            .isVisible()
            .catch(() => false)
        ) {
          return frame;
        }
      }
      return undefined;
    };
    return until(`a webview of ${extension} that shows ${selector}`, find, { timeout });
  }

  /** The inner frames of an extension's webviews. @param {string} extension its identifier, in small letters */
  #framesOf(extension) {
    return this.page.frames().filter((frame) => {
      // VS Code writes the identifier in the manifest's own letter case.
      const outer = frame.parentFrame()?.url().toLowerCase() ?? '';
      return outer.includes(`extensionid=${extension}`) && !frame.isDetached();
    });
  }

  /** Whether Parley's script has run in a webview: it fills the root at once. */
  async #chatHasScript() {
    for (const frame of this.#framesOf('parley.parley')) {
      const drawn = await frame
        .locator('#root > *')
        .count()
        .catch(() => 0);
      if (drawn > 0) return true;
    }
    return false;
  }

  /** True while a webview of the extension is on screen. */
  async isChatVisible() {
    const frames = this.page.locator('iframe.webview.ready');
    for (const frame of await frames.all()) {
      if (
        (await frame.getAttribute('src'))?.toLowerCase().includes('extensionid=parley.parley') &&
        (await frame.isVisible())
      ) {
        return true;
      }
    }
    return false;
  }

  // Parts of the window.

  /** A status bar entry by its accessible name. @param {Name} name */
  statusBarItem(name) {
    return this.page.locator('.part.statusbar').getByRole('button', { name });
  }

  /** A notification toast that contains the text. @param {Name} text */
  notification(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** Presses a button of a notification. @param {Name} text @param {Name} button */
  async answerNotification(text, button) {
    await this.notification(text).getByRole('button', { name: button }).click();
  }

  /** A modal dialog that contains the text. @param {Name} text */
  dialog(text) {
    return this.page.getByRole('dialog').filter({ hasText: text });
  }

  get secondarySideBar() {
    return this.page.locator('.part.auxiliarybar');
  }

  async hideSecondarySideBar() {
    if (await this.secondarySideBar.isVisible()) {
      await this.runCommand('View: Hide Secondary Side Bar');
      await this.secondarySideBar.waitFor({ state: 'hidden' });
    }
  }

  async showSecondarySideBar() {
    if (!(await this.secondarySideBar.isVisible())) {
      await this.runCommand('View: Toggle Secondary Side Bar Visibility');
      await this.secondarySideBar.waitFor();
    }
  }

  /**
   * Drags the edge between editor and secondary side bar until the bar is this wide.
   * @param {number} width in CSS pixels
   */
  async setSecondarySideBarWidth(width) {
    const measure = async () => (await this.secondarySideBar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await measure();
    const y = before.y + before.height / 2;
    // The edge that can be dragged is the gap of 4 px beside the bar.
    const edge = before.x - 2;
    await this.page.mouse.move(edge, y);
    await this.page.mouse.down();
    await this.page.mouse.move(edge + before.width - width, y, { steps: 8 });
    await this.page.mouse.up();
    await until(
      `the secondary side bar to be ${width} px wide`,
      async () => Math.abs((await measure()).width - width) <= 8,
    );
  }

  /** Opens a file of the workspace by the end of its path. @param {string} name */
  async openFile(name) {
    const base = name.slice(name.lastIndexOf('/') + 1);
    if (this.#driver)
      await this.#driver.run(
        'vscode.open',
        { file: await until(`${name} in ${this.#folder}`, () => this.#fileNamed(name)) },
        { asks: false },
      );
    else await this.#chooseFile(name, base);
    await this.page.getByRole('tab', { name: base, selected: true }).waitFor();
    // It takes the focus a moment after its tab is there, also from where the next keys go.
    await until(`the focus in ${base}`, () =>
      this.page.evaluate(() => {
        const active = document.activeElement;
        return (
          active?.closest('.part.editor') != null ||
          (active?.tagName === 'IFRAME' &&
            !active.getAttribute('src')?.toLowerCase().includes('extensionid=parley.parley'))
        );
      }),
    );
  }

  /** @param {string} name the end of a path in the folder */
  #fileNamed(name) {
    const found = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      `/${path.replaceAll('\\', '/')}`.endsWith(`/${name}`),
    );
    return found && join(this.#folder, found);
  }

  /** @param {string} name @param {string} base */
  async #chooseFile(name, base) {
    const label = { has: this.page.locator('.label-name', { hasText: new RegExp(`^${escape(base)}$`) }) };
    const chosen = this.quickInputRows().and(this.page.locator('.focused')).filter(label);
    await until(`${name} among the files`, async () => {
      // The picker lists the files once: one that came a moment ago may be missing until it is opened again.
      await this.runCommand('Go to File...');
      await this.quickInput.fill(name);
      if (
        !(await this.quickInputRows()
          .filter(label)
          .first()
          .waitFor({ timeout: 5_000 })
          .then(
            () => true,
            () => false,
          ))
      )
        return false;
      // By key, as in `runCommand`: the rows change until all have come.
      for (let down = 0; down < 20 && !(await chosen.isVisible()); down++) await this.quickInput.press('ArrowDown');
      return chosen.isVisible();
    });
    await this.quickInput.press('Enter');
  }

  /**
   * Opens a link as an application beside VS Code does: a browser has no way to hand one over.
   * @param {string} link
   */
  async openLink(link) {
    await this.#driver?.run('vscode.open', { link });
  }

  /** Changes machine settings and resolves when this window has read them. @param {Record<string, unknown>} changes */
  async changeSettings(changes) {
    this.server.updateSettings(changes);
    await this.settingsRead();
  }

  /** Resolves when this window and its extensions have read the machine settings as they are now. */
  async settingsRead() {
    const name = `--vscode-${versionColor.replaceAll('.', '-')}`;
    const read = () =>
      this.page
        .locator('.monaco-workbench')
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name).trim(), name);
    await until('the window to read its settings', async () => (await read()) === this.server.versionHex);
    // Extensions are told by the same way that this command takes, so before it has come back.
    await this.#driver?.run('setContext', { text: 'parleyTests.settingsRead' }, { asks: false });
  }

  /** Sets the colour theme and resolves when it is shown. @param {keyof typeof themes} name */
  async setTheme(name) {
    this.server.updateSettings({ 'workbench.colorTheme': name });
    await this.page.locator(`.monaco-workbench[class*="${themes[name]}"]`).waitFor({ timeout: 60_000 });
  }

  /** A picture of the whole window, webviews included. @param {string} path */
  async screenshot(path) {
    mkdirSync(dirname(path), { recursive: true });
    await painted(this.page, () => this.page.screenshot({ path }));
  }
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
