import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from './poll.mjs';
import { manifest, root } from './project.mjs';

/** The extension at the other end, for `ServerOptions.install`. */
export const driverExtension = join(root, 'test/vscode/driver');

/** A command that waits for its user ends later than the test goes on, in ms. */
const PATIENCE_MS = 500;

/** Commands of VS Code that tests use to get somewhere, by their titles in the palette. */
const ofCode = {
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'Terminal: Kill All Terminals': 'workbench.action.terminal.killAll',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Modal Editor': 'workbench.action.closeModalEditor',
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Focus Active Editor Group': 'workbench.action.focusActiveEditorGroup',
  'View: Hide Secondary Side Bar': 'workbench.action.closeAuxiliaryBar',
  'View: Hide Panel': 'workbench.action.closePanel',
  'View: Toggle Maximized Panel': 'workbench.action.toggleMaximizedPanel',
  'View: Toggle Secondary Side Bar Visibility': 'workbench.action.toggleAuxiliaryBar',
};

/** @type {Map<string, string> | undefined} */
let ids;

/**
 * The identifier of a command by its title in the palette; undefined for one that is not known here.
 * @param {string} title
 */
export function commandNamed(title) {
  if (!ids) {
    const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
    /** @param {string} text */
    const inEnglish = (text) => text.replace(/^%(.*)%$/, (_, key) => texts[key]);
    ids = new Map(Object.entries(ofCode));
    for (const { command, title, category } of manifest().contributes.commands)
      ids.set(`${inEnglish(category ?? '')}: ${inEnglish(title)}`, command);
  }
  return ids.get(title);
}

/** Runs commands in one window through the extension in `test/vscode/driver`. */
export class Driver {
  #socket;

  /**
   * @param {string} dataDir the server's
   * @param {string} opened the folder or the workspace file of the window; "" for none
   */
  constructor(dataDir, opened) {
    this.#socket = join(dataDir, `driver-${createHash('sha1').update(opened).digest('hex').slice(0, 8)}`);
  }

  /** Call before the window is loaded anew: the extension host before must not take what is meant for the next one. */
  forget() {
    rmSync(this.#socket, { force: true });
  }

  /**
   * Runs a command and resolves when it has ended, or asks its user something.
   * @param {string} command
   * @param {{ file?: string, link?: string, text?: string }} [argument]
   * @param {{ asks?: boolean }} [options] asks: false where its end is waited for
   */
  async run(command, argument = {}, { asks = true } = {}) {
    let last = '';
    await until(
      () => `the extension host to take ${command}; ${last}`,
      async () => {
        const { error, isConnected } = await this.#try({ command, ...argument }, asks);
        last = error ?? '';
        // While the window starts, nobody listens yet, or VS Code's own commands are not there.
        if (error && isConnected && !/not found/.test(error)) throw new Error(`${command}: ${error}`);
        return !error;
      },
      { timeout: 120_000 },
    );
  }

  /** @param {object} request @param {boolean} asks @returns {Promise<{ error?: string, isConnected: boolean }>} */
  #try(request, asks) {
    return new Promise((resolve) => {
      let isConnected = false;
      const connection = connect(this.#socket);
      /** @param {string} [error] */
      const end = (error) => {
        connection.destroy();
        resolve({ error, isConnected });
      };
      connection.once('connect', () => {
        isConnected = true;
        connection.write(`${JSON.stringify(request)}\n`);
        if (asks) setTimeout(() => end(), PATIENCE_MS).unref();
      });
      connection.once('close', () => {
        isConnected = false;
        end('the connection was closed');
      });
      connection.once('error', ({ message }) => end(message));
      connection.once('data', (data) => end(JSON.parse(String(data)).error));
    });
  }
}
