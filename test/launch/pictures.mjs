/**
 * `npm run test:pictures [-- --accept | --sheets]`: compares the panel with the stored pictures and trees of
 * test/webview/pictures. `--accept` stores what it looks like now; look at the changed files before you commit them.
 * `--sheets` compares nothing: it puts every state in every theme and width on sheets in out/pictures/sheets, to be
 * looked at.
 */
import { parseArgs } from 'node:util';
import { installedChromium } from './chromium.mjs';
import { installDependencies, root } from './project.mjs';
import { run } from './run.mjs';

const { values } = parseArgs({
  options: { accept: { type: 'boolean', default: false }, sheets: { type: 'boolean', default: false } },
});
process.chdir(root);
await installDependencies();
await installedChromium();
const env = {
  ...process.env,
  ...(values.accept ? { PARLEY_ACCEPT_PICTURES: '1' } : {}),
  ...(values.sheets ? { PARLEY_PICTURE_SHEETS: '1' } : {}),
};
const { code } = await run(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.mjs', '--project', 'webview', 'pictures'],
  { env },
);
process.exitCode = code ?? 1;
