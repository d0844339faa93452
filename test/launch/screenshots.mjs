/**
 * `npm run screenshots`: the pictures of the README, taken from the real panel in a real VS Code with the demo agent.
 * Written to media/screenshots. With `--all` also every theme at 300, 420 and 700 pixels, into out/screenshots/looks,
 * to be looked at before a release.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './chromium.mjs';
import { until } from './poll.mjs';
import { build, copySampleWorkspace, installDependencies, root } from './project.mjs';
import { startServer } from './server.mjs';
import { Workbench } from './workbench.mjs';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const themes = values.all
  ? /** @type {const} */ (['Dark Modern', 'Light Modern', 'Default High Contrast', 'Default High Contrast Light'])
  : /** @type {const} */ (['Dark Modern', 'Light Modern']);
/** Pictures that the README shows: what, and in which theme. */
const inReadme = ['permission-dark', 'edit-light', 'review-dark'];
const widths = values.all ? [300, 420, 700] : [420];

await installDependencies();
await build();
const workspace = copySampleWorkspace();
const server = await startServer({
  install: [root],
  env: { PARLEY_DEMO_SPEED: '0.2' },
  settings: {
    'workbench.colorTheme': 'Dark Modern',
    'window.commandCenter': false,
    'window.title': '${activeEditorShort}',
  },
});
const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 860 },
    deviceScaleFactor: values.all ? 1 : 1.5,
  });
  const workbench = await Workbench.open(context, server, { folder: workspace.folder });
  await workbench.openFile('tokenizer.ts');
  await workbench.openChat();
  await workbench.setSecondarySideBarWidth(420);
  await look(workbench, 'welcome');
  await send(workbench, '/edit');
  await permission(workbench, /^Permission: Edit/);
  await look(workbench, 'permission');
  await answer(workbench, /^Permission: Edit/);
  await idle(workbench);
  await look(workbench, 'edit');
  await send(workbench, '/edit several');
  await answer(workbench, /^Permission: Edit/);
  await until('the end, with whatever it asks on the way', async () => {
    await (
      await workbench.chat()
    )
      .getByRole('group', { name: /^Permission: / })
      .getByRole('button', { name: /^Allow once/ })
      .click({ timeout: 500 })
      .catch(() => undefined);
    return (await (await workbench.chat()).getByRole('button', { name: 'Send', exact: true }).count()) > 0;
  });
  const tree = workbench.page.locator('.pane-header').filter({ hasText: 'Agent Changes' });
  await workbench.runCommand('Parley: Focus on Agent Changes View');
  await workbench.page.getByRole('tree', { name: 'Agent Changes' }).getByRole('treeitem').first().waitFor();
  await look(workbench, 'review');
  await tree.click();
  await send(workbench, '/run');
  await answer(workbench, /^Permission: /);
  await idle(workbench);
  await look(workbench, 'terminal');
  await send(workbench, '/plan');
  await (await workbench.chat()).getByRole('button', { name: /Plan \d+ \/ \d+/ }).waitFor();
  await idle(workbench);
  await send(workbench, '/markdown');
  await idle(workbench);
  await look(workbench, 'markdown');
} finally {
  await browser.close();
  await server.stop();
  workspace.remove();
}

/** @param {Workbench} workbench @param {string} name */
async function look(workbench, name) {
  if (!values.all && !inReadme.some((picture) => picture.startsWith(`${name}-`))) return;
  for (const theme of themes) {
    if (!values.all && !inReadme.includes(`${name}-${theme.split(' ')[0]?.toLowerCase()}`)) continue;
    await workbench.setTheme(theme);
    for (const width of widths) {
      await workbench.setSecondarySideBarWidth(width);
      // The edge that was dragged is lit while the pointer is on it.
      await workbench.page.mouse.move(600, 500);
      const slug = theme.toLowerCase().replaceAll(' ', '-');
      const file = values.all
        ? join(root, 'out/screenshots/looks', `${name}-${slug}-${width}.png`)
        : join(root, 'media/screenshots', `${name}-${theme.split(' ')[0]?.toLowerCase()}.png`);
      await workbench.screenshot(file);
    }
  }
}

/** @param {Workbench} workbench @param {string} text */
async function send(workbench, text) {
  const chat = await workbench.chat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await box.click();
  await box.fill(text);
  await box.press('Escape');
  await box.press('Enter');
  await until('the turn', async () =>
    (
      await chat
        .locator('.user-message')
        .last()
        .innerText()
        .catch(() => '')
    ).includes(text),
  );
}

/** @param {Workbench} workbench @param {RegExp} name */
async function permission(workbench, name) {
  const card = (await workbench.chat()).getByRole('group', { name });
  await card.waitFor();
  return card;
}

/** @param {Workbench} workbench @param {RegExp} name */
async function answer(workbench, name) {
  const card = await permission(workbench, name);
  const allow = card.getByRole('button', { name: /^Allow once/ });
  // A locked answer leads on to what was not in view.
  await until('an answer that can be given', () =>
    allow.evaluate((button) => {
      const isLocked = button.getAttribute('aria-disabled') === 'true';
      if (isLocked) /** @type {HTMLButtonElement} */ (button).click();
      return !isLocked;
    }),
  );
  await allow.click();
  await card.waitFor({ state: 'detached' });
}

/** @param {Workbench} workbench */
async function idle(workbench) {
  const chat = await workbench.chat();
  await until(
    'the turn to end',
    async () => (await chat.getByRole('button', { name: 'Send', exact: true }).count()) > 0,
  );
}
