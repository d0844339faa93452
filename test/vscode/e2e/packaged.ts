import { join } from 'node:path';
import { expect } from 'vitest';
import { makePackage } from '../../launch/package.mjs';
import { manifest, removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { installExtension } from '../../launch/server.mjs';
import { vsixName } from '../../launch/vsixTargets.mjs';
import { Chat } from './chat';
import type { Window, WindowOptions } from './harness';

/**
 * The package of a target. A folder in `PARLEY_VSIX_FOLDER` has the packages, as a release made them; without it, this
 * one is made in `folder`.
 */
export async function packageFor(target: string, folder: string): Promise<string> {
  const made = process.env['PARLEY_VSIX_FOLDER'];
  return made ? join(root, made, vsixName(manifest(), target)) : makePackage({ folder, isBuilt: true, target });
}

/** Lets the demo agent run a command. */
export async function runsCommand(chat: Chat): Promise<void> {
  await chat.send('/run');
  await chat.answer(/^Permission: .*sample tests/, 'Allow once');
  await chat.sees(/12 passed/);
  await chat.idle();
}

/**
 * Installs the package of a target into a VS Code without development mode, and lets the demo agent run a command.
 * @param hasTerminals whether it runs on a pseudo-terminal; its card says so where it does not
 */
export async function runsPackaged(
  target: string,
  { hasTerminals }: { readonly hasTerminals: boolean },
  openWindow: (options: WindowOptions) => Promise<Window>,
): Promise<void> {
  const folder = temporaryFolder('vsix');
  try {
    const vsix = await packageFor(target, folder);
    expect(await installExtension(vsix, { dataDir: folder })).toContain('successfully installed');
    const window = await openWindow({ install: [], dataDir: folder });
    const chat = new Chat(await window.openChat());
    await runsCommand(chat);
    await expect.poll(() => chat.log.getByText('No pseudo-terminal').count()).toBe(hasTerminals ? 0 : 1);
    await window.close();
  } finally {
    removeFolder(folder);
  }
}
