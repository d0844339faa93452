import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from '../../vscode/e2e/chat';
import { FakeAgent } from '../../vscode/e2e/fakeAgent';
import { test } from '../../vscode/e2e/harness';
import { recordFigure } from '../figures';
import { hostOf, residentMegabytes } from '../processes';

const FILES = 200_000;

test("a workspace of 200,000 files without git: the panel opens, `@` finds a file, a turn's change is listed", async ({
  openWindow,
}) => {
  const state = temporaryFolder('many');
  const folder = join(state, 'work');
  for (let index = 0; index < FILES; index++) {
    if (index % 500 === 0) mkdirSync(join(folder, `part${index / 500}`), { recursive: true });
    writeFileSync(join(folder, `part${Math.floor(index / 500)}`, `file${index}.txt`), 'one\ntwo\n');
  }
  try {
    const window = await openWindow({ own: true, folder, settings: new FakeAgent(join(state, 'agent.log')).settings });
    const opened = Date.now();
    const chat = new Chat(await window.openChat());
    const panelMs = Date.now() - opened;
    const asked = Date.now();
    await chat.box.fill('@file199999');
    await chat.frame
      .getByRole('option', { name: /file199999\.txt/ })
      .first()
      .waitFor({ timeout: 60_000 });
    const mentionMs = Date.now() - asked;
    await chat.box.fill('');
    const file = join(folder, 'part7/file3501.txt');
    const sent = Date.now();
    await chat.send(`%%SHELL sed -i s/two/2/ ${file}`);
    await chat.idle(60_000);
    const turnMs = Date.now() - sent;
    const host = hostOf(window.server.pid);
    const bar = chat.frame.getByRole('group', { name: 'Changes', exact: true });
    await bar.waitFor({ timeout: 30_000 });
    await bar
      .getByText(/file3501/)
      .first()
      .waitFor();
    const text = await bar.innerText();
    recordFigure(
      'many-files',
      `panel ${panelMs} ms, @ ${mentionMs} ms, turn ${turnMs} ms, host ${residentMegabytes(host)} MB; ${text.replaceAll(/\s+/g, ' ')}`,
    );
    expect(mentionMs).toBeLessThan(30_000);
  } finally {
    removeFolder(state);
  }
}, 400_000);
