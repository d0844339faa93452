/**
 * Loads files of the built extension in a Node without VS Code, whose API is empty: `node loadBundle.mjs <file>…`. It
 * fails where a module fails while it is loaded.
 */
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const hooks = `export const resolve = async (name, context, next) =>
  name === 'vscode' ? { url: 'data:text/javascript,', shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
