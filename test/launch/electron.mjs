/**
 * `node electron.mjs PROGRAM SUITE FOLDER EXTENSION…`: one run of the suite in a desktop VS Code, in a process of its
 * own so that the launcher can read its console.
 */
import { runTests } from '@vscode/test-electron';
import { removeFolder, temporaryFolder } from './project.mjs';

const [vscodeExecutablePath, extensionTestsPath = '', folder = '', ...extensionDevelopmentPath] = process.argv.slice(2);
const state = temporaryFolder('electron');
try {
  await runTests({
    ...(vscodeExecutablePath ? { vscodeExecutablePath } : {}),
    extensionDevelopmentPath,
    extensionTestsPath,
    launchArgs: [
      folder,
      '--disable-extensions',
      '--disable-workspace-trust',
      '--skip-welcome',
      `--user-data-dir=${state}`,
    ],
  });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  removeFolder(state);
}
