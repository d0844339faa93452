/**
 * The webview as the extension host serves it, without a VS Code: the production bundle under the production content
 * security policy, in a document whose tokens are those of a VS Code theme, beside a stand-in for `acquireVsCodeApi`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildOptions, targets } from '../../esbuild.mjs';
import { importSource } from '../launch/importSource.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const nonce = 'harness0nonce';
const { panelDocument } = /** @type {typeof import('../../src/host/panel/panelDocument')} */ (
  await importSource('src/host/panel/panelDocument.ts')
);

/** @typedef {'dark' | 'light' | 'dark-modern' | 'light-modern' | 'hc-dark' | 'hc-light'} Theme */

/**
 * The address of the panel.
 * @param {number} port
 * @param {Theme} [theme]
 * @param {boolean} [isStill] for pictures: with fonts of its own and a clock that stands
 */
export function panelUrl(port, theme = 'dark', isStill = false) {
  return `http://127.0.0.1:${port}/?theme=${theme}${isStill ? '&still' : ''}`;
}

/** How VS Code tells a webview the kind of the theme. @param {Theme} theme */
export function bodyClass(theme) {
  return theme === 'hc-light'
    ? 'vscode-high-contrast vscode-high-contrast-light'
    : theme === 'hc-dark'
      ? 'vscode-high-contrast'
      : theme.startsWith('light')
        ? 'vscode-light'
        : 'vscode-dark';
}

/** Serves the harness page; `url(theme)` is its address. */
export async function startHarness() {
  const files = await bundle();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file =
      url.pathname === '/outer'
        ? { type: 'text/html', body: outer(url.searchParams.get('theme') ?? 'dark', address.port) }
        : url.pathname === '/'
          ? {
              type: 'text/html',
              body: page(/** @type {Theme} */ (url.searchParams.get('theme') ?? 'dark'), url.searchParams.has('still')),
            }
          : files.get(url.pathname);
    response.writeHead(file ? 200 : 404, {
      'content-type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
      'cache-control': 'max-age=600',
    });
    response.end(file?.body ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port: address.port,
    /** @param {Theme} [theme] */
    url: (theme) => panelUrl(address.port, theme),
    /** A page of another site that shows the panel in a frame: another process, as in VS Code. */
    outerUrl: () => `http://localhost:${address.port}/outer`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The webview's part of the build, in memory, and the stand-in for VS Code. */
async function bundle() {
  /** @type {Map<string, { type: string, body: string | Uint8Array }>} */
  const files = new Map();
  const parts = targets({ tests: false }).filter((target) => target.entry.startsWith('webview/'));
  await Promise.all(
    parts.map(async (target) => {
      const { outputFiles } = await esbuild.build({
        ...buildOptions(target, { dev: false }),
        write: false,
        minify: process.env['HARNESS_DEV'] === undefined,
      });
      for (const { path, contents } of outputFiles) {
        files.set(path.slice(`${root}dist`.length), {
          type: path.endsWith('.css') ? 'text/css' : 'text/javascript',
          body: contents,
        });
      }
    }),
  );
  files.set('/codicon.css', {
    type: 'text/css',
    body: readFileSync(`${root}node_modules/@vscode/codicons/dist/codicon.css`),
  });
  files.set('/codicon.ttf', {
    type: 'font/ttf',
    body: readFileSync(`${root}node_modules/@vscode/codicons/dist/codicon.ttf`),
  });
  files.set('/standIn.js', { type: 'text/javascript', body: readFileSync(new URL('./standIn.js', import.meta.url)) });
  // The empty document that VS Code serves beside the panel's.
  files.set('/fake.html', {
    type: 'text/html',
    body: '<!DOCTYPE html><html lang="en"><head><title>Fake</title></head><body></body></html>',
  });
  files.set('/vscode.css', { type: 'text/css', body: readFileSync(new URL('./themes/vscode.css', import.meta.url)) });
  files.set('/still.js', { type: 'text/javascript', body: readFileSync(new URL('./still.js', import.meta.url)) });
  files.set('/still.css', { type: 'text/css', body: readFileSync(new URL('./themes/still.css', import.meta.url)) });
  for (const folder of ['dejavu-sans', 'dejavu-mono'].map((name) => `${root}node_modules/@fontsource/${name}/files/`)) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.woff2')))
      files.set(`/fonts/${name}`, { type: 'font/woff2', body: readFileSync(folder + name) });
  }
  for (const theme of ['dark', 'light', 'dark-modern', 'light-modern', 'hc-dark', 'hc-light']) {
    files.set(`/theme-${theme}.css`, {
      type: 'text/css',
      body: readFileSync(new URL(`./themes/${theme}.css`, import.meta.url)),
    });
  }
  return files;
}

/** @param {string} theme @param {number} port */
function outer(theme, port) {
  return `<!DOCTYPE html><title>Outer</title><link rel="icon" href="data:,"><body style="margin:0"><iframe src="http://127.0.0.1:${port}/?theme=${encodeURIComponent(theme)}" style="border:0;width:420px;height:900px"></iframe></body>`;
}

/**
 * The panel's document with the tokens and default styles that VS Code adds to a webview.
 * @param {Theme} theme
 * @param {boolean} isStill
 */
function page(theme, isStill) {
  const added = `<link rel="icon" href="data:,">
<link rel="stylesheet" href="vscode.css">
<link rel="stylesheet" href="theme-${theme}.css">
${isStill ? `<link rel="stylesheet" href="still.css">\n<script nonce="${nonce}" src="still.js"></script>` : ''}
<script nonce="${nonce}" src="standIn.js"></script>
`;
  return panelDocument({ nonce, source: "'self'", address: (name) => name, language: 'en' })
    .replace('<link rel="stylesheet"', (first) => added + first)
    .replace('<body>', `<body class="${bodyClass(theme)}">`);
}
