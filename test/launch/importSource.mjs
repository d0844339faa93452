import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from './project.mjs';

/** Imports a TypeScript module of the project that is pure, where plain Node runs. @param {string} path from the project's top folder */
export async function importSource(path) {
  const { outputFiles } = await build({ entryPoints: [join(root, path)], bundle: true, write: false, format: 'esm', platform: 'node' });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}
