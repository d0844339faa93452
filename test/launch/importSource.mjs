import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * Imports a TypeScript module of the project where plain Node runs.
 * @param {string} path from the project's top folder
 * @param {string} [vscode] what takes the place of VS Code's API, if the module needs it
 */
export async function importSource(path, vscode) {
  // Its main file asks for files of Node by a `require` that a module from a data: address does not have.
  const alias = {
    '@vscode/l10n': join(root, 'node_modules/@vscode/l10n/dist/browser.js'),
    ...(vscode === undefined ? {} : { vscode: join(root, vscode) }),
  };
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    alias,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}
