import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { type PublishedPackage, startRegistry } from '../../fakes/npmRegistry.mjs';
import { until } from '../../launch/poll.mjs';
import { copySampleWorkspace, removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from './chat';
import { screenshots, test } from './harness';

/* An agent that Parley installs from npm, in a folder that would like to be it. */

const name = '@parley-test/agent';

/** The fake agent as a package of one file. */
async function fakeAgent(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/fakes/fakeAgent.mjs')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return `#!/usr/bin/env node\n${outputFiles[0]!.text.replace(/^#!.*\n/, '')}`;
}

/** Programs and npm settings of a repository that leave the file `ran` when they run. */
function makeHostile(folder: string, registry: string): string {
  const ran = join(dirname(folder), 'ran');
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), 0o755);
  };
  for (const program of ['node', 'npm', 'npx', 'agent'])
    put(`node_modules/.bin/${program}`, `#!/bin/sh\necho ${program} >> '${ran}'\n`);
  put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', bin: { agent: 'cli.mjs' } }));
  put(`node_modules/${name}/cli.mjs`, `#!/bin/sh\necho package >> '${ran}'\n`);
  put('.npmrc', `registry=${registry}\n@parley-test:registry=${registry}\n`);
  put(
    'package.json',
    JSON.stringify({ name: 'app', dependencies: { [name]: '1.0.0' }, overrides: { [name]: '9.9.9' } }),
  );
  return ran;
}

test('an agent is installed once, with progress and Cancel, then starts offline, and no program of the folder runs', async ({
  openWindow,
}) => {
  const cli = await fakeAgent();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const part: PublishedPackage = { name: '@parley-test/part', version: '1.0.0', files: {} };
  const agent = (version: string, more: Partial<PublishedPackage> = {}): PublishedPackage => ({
    name,
    version,
    bin: 'cli.mjs',
    files: { 'cli.mjs': cli },
    fields: { dependencies: { '@parley-test/part': '1.0.0' } },
    ...more,
  });
  const registry = await startRegistry([part, agent('1.0.0', { held }), agent('1.1.0')]);
  const evil = await startRegistry([]);
  const mine = temporaryFolder('npm');
  const copy = copySampleWorkspace();
  try {
    writeFileSync(join(mine, 'npmrc'), `registry=${registry.url}\ncache=${join(mine, 'cache')}\n`);
    const ran = makeHostile(copy.folder, evil.url);
    const wire = join(mine, 'wire.ndjson');
    const window = await openWindow({
      folder: copy.folder,
      env: {
        NPM_CONFIG_USERCONFIG: join(mine, 'npmrc'),
        PATH: ['node_modules/.bin', join(copy.folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      },
      settings: {
        'parley.agents': { Installed: { npm: `${name}@1.0.0`, env: { FAKE_AGENT_LOG: wire } } },
        'parley.defaultAgent': 'Installed',
      },
    });
    const { workbench, server } = window;
    const chat = new Chat(await window.openChat());
    // There are none while VS Code writes the file.
    const version = () =>
      (server.settings()['parley.agents'] as { Installed: { npm: string } } | undefined)?.Installed.npm;
    // Opening the window downloads nothing.
    expect(registry.asked).toEqual([]);

    await chat.send('%%SAY never sent');
    await chat.frame.getByText(`First start downloads ${name}@1.0.0 with npm: 1 of 2 packages`).waitFor();
    await workbench.screenshot(join(screenshots, 'agent-install.png'));
    await chat.button('Cancel').first().click();
    await chat.idle();
    release();
    // In the session with the message that was never sent, the agent would first be offered the conversation.
    await workbench.runCommand('Parley: New Session');
    await chat.send('%%SAY first answer');
    await chat.sees(/^first answer$/);
    expect(existsSync(wire)).toBe(true);

    await workbench.runCommand('Parley: Update Agents…');
    await workbench.pick('Check npm for a Newer Version');
    await workbench.answerNotification(/1\.1\.0 is available/, 'Update to 1.1.0');
    await workbench.notification(/1\.1\.0 is installed/).waitFor();
    await expect.poll(version).toBe(`${name}@1.1.0`);

    // From here on there is no registry.
    await registry.close();
    await workbench.runCommand('Parley: Restart Agent');
    await chat.send('%%SAY offline answer');
    await chat.sees(/^offline answer$/);
    await workbench.runCommand('Parley: Update Agents…');
    await workbench.pick('Go Back to 1.0.0');
    await until('the setting to name the version before', () => version() === `${name}@1.0.0`);
    await workbench.runCommand('Parley: Restart Agent');
    await chat.send('%%SAY older answer');
    await chat.sees(/^older answer$/);
    expect([existsSync(ran) && readFileSync(ran, 'utf8'), evil.asked]).toEqual([false, []]);
  } finally {
    await registry.close().catch(() => undefined);
    await evil.close();
    copy.remove();
    removeFolder(mine);
  }
});
