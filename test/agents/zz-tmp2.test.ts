import { readFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../vscode/e2e/harness';
for (let i = 0; i < 5; i++) test('write' + i, async ({ openWindow }) => {
  const window = await openWindow({ env: { PARLEY_DEMO_SPEED: '0' }, settings: { 'parley.defaultAgent': 'Parley Demo' } });
  const chat = await window.openChat();
  await chat.getByRole('textbox', { name: 'Message' }).fill('fix it'); await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await chat.getByRole('group', { name: /^Permission/ }).waitFor();
  await chat.getByRole('button', { name: 'Allow once' }).click();
  await chat.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden', timeout: 60000 });
  const log = await chat.getByRole('log').innerText();
  if (/could not save/.test(log)) { cpSync(window.server.dataDir, '/tmp/p/data' + i, { recursive: true }); console.log(log, window.workbench.console.join('\n')); }
  expect(log).not.toMatch(/could not save/);
}, 100000);
