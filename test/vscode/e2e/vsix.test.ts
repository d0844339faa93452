import { expect } from 'vitest';
import { makePackage } from '../../launch/package.mjs';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import { installExtension } from '../../launch/server.mjs';
import { test } from './harness';

test('the packaged extension installs and shows its chat panel', async ({ openWindow }) => {
  const folder = temporaryFolder('vsix');
  try {
    const vsix = await makePackage({ folder, isBuilt: true });
    const output = await installExtension(vsix, { dataDir: folder });
    expect(output).toContain('successfully installed');
    const window = await openWindow({ install: [], dataDir: folder });
    const chat = await window.openChat();
    await expect.poll(() => chat.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(true);
    await window.close();
  } finally {
    removeFolder(folder);
  }
});
