import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { Chat } from '../vscode/e2e/chat';
import { screenshots, Window } from '../vscode/e2e/harness';
import { bareMachine } from './bareMachine.mjs';
import { chosenAgents } from './chosen.mjs';
import { agents } from './installed.mjs';
import { startModel } from './model/server.mjs';

/*
 * The path of a new user with each built-in agent, on a machine without Node.js, npm, Python and uv: from the empty panel
 * through the gallery to a first answer.
 */

const builtIn = (
  JSON.parse(readFileSync(join(root, 'src/host/agents/catalogue.json'), 'utf8')) as { readonly name: string }[]
).map(({ name }) => name);

const bare = bareMachine();
/** Where VS Code's proxy was asked to connect to. */
const proxied: string[] = [];
const proxy = createServer().on('connect', (request, socket) => {
  proxied.push(request.url ?? '');
  const { hostname, port } = new URL(`http://${request.url}`);
  const there = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    there.pipe(socket).pipe(there);
  });
  there.on('error', () => socket.destroy());
  socket.on('error', () => there.destroy());
});
let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await model.close();
  proxy.closeAllConnections();
  proxy.close();
  removeFolder(bare);
});

// The gallery offers others only from the index.
test.each(chosenAgents().filter((name) => builtIn.includes(agents[name]!.title)))(
  '%s is installed through the gallery and answers',
  async (name) => {
    const { title, prepare } = agents[name]!;
    // Its package fetches its program with a script, which needs its own consent.
    const runsScript = name === 'opencode';
    const data = temporaryFolder('gallery');
    const home = temporaryFolder('home');
    // What an account is otherwise: where the model is, and a key for it.
    const env = { ...prepare(home, model.url), NO_BROWSER: '1' };
    // Programs are found as in a login shell.
    writeFileSync(join(home, '.profile'), `PATH="${bare}"\n`);
    const window = await Window.open({
      dataDir: data,
      env: {
        HOME: home,
        USERPROFILE: home,
        SHELL: '/bin/sh',
        PATH: bare,
        HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        // The model is on this machine.
        NO_PROXY: '127.0.0.1',
      },
      settings: {
        'parley.agents': { [title]: { env } },
        'parley.registry.url': '',
      },
    });
    try {
      const frame = await window.openChat();
      const since = Date.now();
      await frame
        .getByRole('group', { name: 'Agents' })
        .getByRole('button', { name: new RegExp(title) })
        .click();
      const consent = window.workbench.dialog(new RegExp(`Install ${title}`));
      await consent.waitFor();
      const words = await consent.innerText();
      expect(words).toMatch(/It needs Node\.js, which is missing here or too old\./);
      const [, host] = /From: (\S+)\s+node-/.exec(words) ?? [];
      await window.workbench.screenshot(join(screenshots, `gallery-${name}-consent.png`));
      const installing = Date.now();
      await consent.getByRole('button', { name: 'Install' }).click();
      // npm has not begun: that it uses the proxy, too, is npm's part.
      await frame.getByText(/^Downloading Node\.js/).waitFor();
      expect(proxied).toContain(`${host}:443`);
      if (runsScript)
        await window.workbench.page.getByRole('button', { name: 'Run Install Script' }).click({ timeout: 60_000 });
      const row = frame.getByRole('group', { name: 'Agents' }).getByRole('listitem').filter({ hasText: title });
      const use = row.getByRole('button', { name: `Use ${title}` });
      await use
        .or(row.getByRole('button', { name: /^Try / }))
        .first()
        .waitFor({ timeout: 240_000 });
      expect(await row.innerText()).toContain('Use');
      const installed = Date.now();
      await use.click();
      const chat = new Chat(frame);
      await chat.focused();
      await chat.send('%%SAY first answer');
      await chat.sees(/^first answer$/, 120_000);
      await window.workbench.screenshot(join(screenshots, `gallery-${name}-answer.png`));
      console.log(
        `${title}: consent after ${installing - since} ms, installed in ${installed - installing} ms, answered ${Date.now() - installed} ms later`,
      );
    } catch (error) {
      await window.workbench.screenshot(join(screenshots, `gallery-${name}-failed.png`));
      throw error;
    } finally {
      await window.close(false);
      removeFolder(data);
      removeFolder(home);
    }
  },
  400_000,
);
