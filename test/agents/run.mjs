/**
 * `npm run test:agents [-- NAME… | headless | vscode]`: real third-party agents against a model of our own, first over
 * our connection alone, then in a real VS Code. Installs what is missing (several hundred megabytes, once).
 */
import { join } from 'node:path';
import { build, installDependencies, root } from '../launch/project.mjs';
import { run } from '../launch/run.mjs';

process.chdir(root);
await installDependencies();
const { agents, install } = await import('./installed.mjs');

const words = process.argv.slice(2);
const names = words.filter((word) => word in agents);
const filters = words.filter((word) => !(word in agents));
for (const name of names.length > 0 ? names : Object.keys(agents)) await install(name);
await build();
if (!filters.includes('headless')) await (await import('../launch/chromium.mjs')).installedChromium();
const { code } = await run(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...filters, '--config', 'test/agents/vitest.config.mjs'],
  {
    env: { ...process.env, PARLEY_AGENTS: names.join(',') },
  },
);
process.exitCode = code;
