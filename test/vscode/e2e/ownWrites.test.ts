import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { Window } from './harness';
import { killer, MortalHost } from './mortalHost';

/*
 * In a folder without git an agent writes to disk by itself, and the extension host is killed so soon that it has not
 * seen it. The agent's own command does both, so the time between them is what it says. Only in `npm run test:long`:
 * `npm test` does it with simulated hosts.
 */

/** How long after the write the host is killed, in ms. */
const delays = [0, 50, 200, 500];

let state: string;
let window: Window;
let host: MortalHost;

beforeAll(async () => {
  state = temporaryFolder('own');
  const folder = join(state, 'work');
  const socket = join(state, 'killer.sock');
  mkdirSync(folder);
  const settings = { ...new FakeAgent(join(state, 'agent.log')).settings };
  window = await Window.open({ folder, install: [root, killer], env: { PARLEY_KILLER: socket }, settings });
  host = new MortalHost(window.workbench, socket);
});

afterAll(async () => {
  await window?.close();
  removeFolder(state);
});

// A real process has to be killed at once, with all its threads.
describe.runIf(process.platform === 'linux')(
  'the extension host is killed after an agent has written to disk by itself',
  () => {
    test.each(delays)('%i ms after it: the change is pending, and Undo brings the lines back', async (delay) => {
      const [changed, created, gone] = ['changed', 'created', 'gone'].map((name) =>
        join(window.folder, `${name}-${delay}.txt`),
      ) as [string, string, string];
      const lines = `one ${delay}\ntwo ${delay}\nthree ${delay}\n`;
      for (const path of [changed, gone]) writeFileSync(path, lines);
      const chat = new Chat(await window.openChat());
      await host.run('parley.newSession');
      const pid = await host.ask<number>('pid');
      const command = `echo one ${delay} > ${changed}; echo new > ${created}; rm ${gone}; sleep ${delay / 1000}; kill -9 ${pid}`;
      await host.until(Infinity, async () => {
        await chat.send(`%%SHELL ${command}`);
        await until('the end of the host', async () => (await host.ask('pid')) !== pid);
      });
      expect(readFileSync(changed, 'utf8')).toBe(`one ${delay}\n`);
      const toReview = window.workbench.statusBarItem(/^\d+ changes to review/);
      // The host that was killed may have seen some of it and saved it, and does so the longer it lives.
      if (delay === 0) {
        const found = window.workbench.notification(/files? changed while Parley was not running/);
        await found.or(toReview).first().waitFor();
      }
      await toReview.waitFor();
      await window.workbench.reload();
      await window.workbench.statusBarItem(/^\d+ changes to review/).waitFor();
      for (const path of [changed, created, gone]) await host.run('parley.undoFile', path);
      expect([readFileSync(changed, 'utf8'), readFileSync(gone, 'utf8')]).toEqual([lines, lines]);
      expect(() => readFileSync(created)).toThrow('ENOENT');
    });
  },
);
