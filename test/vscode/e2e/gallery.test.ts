import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { tarGzOf } from '../../fakes/archives';
import { type Answer, startFileServer } from '../../fakes/fileServer';
import { removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from './chat';
import { screenshots, test, type Window } from './harness';

/* From an empty profile to the first answer of an agent from an index on loopback. */

/** The fake agent as a program of one file. */
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

/** An index with one agent, whose version a test can raise. */
async function startIndex(program: string) {
  const archive = (version: string) =>
    tarGzOf([{ name: 'bin/acorn.mjs', text: `${program}\n// ${version}\n`, mode: 0o755 }]);
  const index = { version: '1.0.0' };
  const binary = (version: string) => ({
    archive: `acorn-${version}.tar.gz`,
    cmd: './bin/acorn.mjs',
    args: ['acp'],
    sha256: createHash('sha256').update(archive(version)).digest('hex'),
  });
  const targets = ['linux-x86_64', 'linux-aarch64', 'darwin-aarch64', 'darwin-x86_64'];
  const files: Record<string, Answer> = {
    'index.json': (_, response) =>
      response.writeHead(200, { etag: `"${index.version}"` }).end(
        JSON.stringify({
          agents: [
            {
              id: 'acorn',
              name: 'Acorn',
              version: index.version,
              description: 'A small agent',
              icon: 'acorn.svg',
              distribution: { binary: Object.fromEntries(targets.map((target) => [target, binary(index.version)])) },
            },
          ],
        }),
      ),
    'acorn.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="currentColor" d="M8 1l7 14H1z"/></svg>',
    'acorn-1.0.0.tar.gz': archive('1.0.0'),
    'acorn-1.1.0.tar.gz': archive('1.1.0'),
  };
  const server = await startFileServer(files);
  return { server, index };
}

test('a stranger installs an agent from the index by the keyboard alone, gets an answer, updates it, goes back and removes it', async ({
  openWindow,
}) => {
  const { server, index } = await startIndex(await fakeAgent());
  const data = temporaryFolder('gallery');
  let opened: Window | undefined;
  try {
    const window = (opened = await openWindow({
      dataDir: data,
      settings: { 'parley.registry.url': `${server.url}index.json` },
    }));
    const { workbench } = window;
    const { page } = workbench;
    const settings = () =>
      window.server.settings()['parley.agents'] as Record<string, Record<string, unknown>> | undefined;
    const frame = await window.openChat();
    // The empty panel offers agents, and asks no server for them.
    await frame
      .getByRole('group', { name: 'Agents' })
      .getByRole('button', { name: /Claude Code/ })
      .waitFor();
    await workbench.screenshot(join(screenshots, 'gallery-starters.png'));
    expect(server.asked).toEqual([]);

    await workbench.runCommand('Parley: Show Agents');
    const row = frame.getByRole('group', { name: 'Agents' }).getByRole('listitem').filter({ hasText: 'Acorn' });
    await row.getByRole('button', { name: 'Install Acorn' }).waitFor();
    await page.keyboard.type('acorn');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const consent = workbench.dialog('Install Acorn 1.0.0?');
    await consent.waitFor();
    expect(await consent.innerText()).toContain(`${server.url}acorn-1.0.0.tar.gz`);
    await workbench.screenshot(join(screenshots, 'gallery-consent.png'));
    expect(server.asked.some(({ path }) => path.endsWith('.tar.gz'))).toBe(false);
    await consent.getByRole('button', { name: 'Install' }).click();
    await row.getByRole('button', { name: 'Use Acorn' }).waitFor();
    await workbench.screenshot(join(screenshots, 'gallery-installed.png'));
    await expect
      .poll(settings)
      .toMatchObject({ Acorn: { registry: 'acorn', version: '1.0.0', program: 'bin/acorn.mjs', args: ['acp'] } });
    await row.getByRole('button', { name: 'Use Acorn' }).press('Enter');
    const chat = new Chat(frame);
    await chat.focused();
    await chat.send('%%SAY first answer');
    await chat.sees(/^first answer$/);

    index.version = '1.1.0';
    await workbench.runCommand('Parley: Show Agents');
    await row.getByRole('button', { name: 'Update to 1.1.0' }).click();
    await workbench.dialog('Update Acorn to 1.1.0?').getByRole('button', { name: 'Update' }).click();
    await row.getByTitle('Acorn 1.1.0').waitFor();
    await expect.poll(settings).toMatchObject({ Acorn: { version: '1.1.0' } });
    await row.getByRole('button', { name: 'More actions for Acorn' }).click();
    await workbench.pick('Go Back to 1.0.0');
    await row.getByText('Stays on this version').waitFor();
    await expect.poll(settings).toMatchObject({ Acorn: { version: '1.0.0' } });

    // Without the server it still starts.
    await server.close();
    await frame.getByRole('button', { name: 'Close agents' }).click();
    await workbench.runCommand('Parley: Restart Agent');
    await chat.send('%%SAY offline answer');
    await chat.sees(/^offline answer$/);

    await workbench.runCommand('Parley: Show Agents');
    await frame.getByText(/can’t reach 127\.0\.0\.1/).waitFor();
    await row.getByRole('button', { name: 'More actions for Acorn' }).click();
    await workbench.pick('Remove…');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.getByRole('button', { name: 'Install Acorn' }).waitFor();
    expect(settings()?.['Acorn']).toBeUndefined();
    const installed = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('acorn.mjs'),
    );
    expect(installed).toEqual([]);
  } finally {
    await server.close().catch(() => undefined);
    // What runs there writes there.
    await opened?.close();
    removeFolder(data);
  }
});

test('an agent of the user’s own is added with a form, tested, and answers', async ({ openWindow }) => {
  const program = join(root, 'test/fakes/fakeAgent.mjs');
  const window = await openWindow({ settings: { 'parley.registry.url': '' } });
  const { workbench } = window;
  const frame = await window.openChat();
  await workbench.runCommand('Parley: Show Agents');
  await frame.getByRole('button', { name: 'Add agent' }).click();
  await frame.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  await frame.getByRole('textbox', { name: 'Command', exact: true }).fill(process.execPath);
  await frame.getByRole('textbox', { name: 'Arguments' }).fill(join(root, 'no-such-agent.mjs'));
  await frame.getByRole('button', { name: 'Test Connection' }).click();
  await workbench.dialog('Start Mine to test the connection?').getByRole('button', { name: 'Start' }).click();
  await frame.getByText(/The process ended with exit code 1/).waitFor();
  await frame.getByRole('textbox', { name: 'Arguments' }).fill(program);
  await frame.getByRole('button', { name: 'Add Variable' }).click();
  await frame.getByRole('textbox', { name: 'Name of the variable' }).fill('MY_KEY');
  await frame.getByRole('checkbox', { name: 'Secret' }).check();
  await frame.getByLabel('Value of MY_KEY').fill('hunter2');
  await frame.getByRole('button', { name: 'Test Connection' }).click();
  const question = workbench.dialog('Start Mine to test the connection?');
  await expect.poll(() => question.innerText()).toContain(program);
  expect(await question.innerText()).not.toContain('hunter2');
  await question.getByRole('button', { name: 'Start' }).click();
  await frame.getByText('The agent answered.').waitFor();
  await workbench.screenshot(join(screenshots, 'gallery-form.png'));
  await frame.getByRole('button', { name: 'Save' }).click();
  const row = frame.getByRole('group', { name: 'Agents' }).getByRole('listitem').filter({ hasText: 'Mine' });
  await row.getByRole('button', { name: 'Use Mine' }).click();
  expect(window.server.settings()['parley.agents']).toEqual({
    Mine: { command: process.execPath, args: [program], env: { MY_KEY: '${secret}' } },
  });
  const chat = new Chat(frame);
  await chat.focused();
  await chat.send('%%SAY my answer');
  await chat.sees(/^my answer$/, 30_000);
});
