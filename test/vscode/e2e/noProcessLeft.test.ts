import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { ORPHANS, orphanTree, someSeconds, survivors } from '../../fakes/orphanTree';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window, type WindowOptions } from './harness';

/* What an agent has started ends with its window, however that ends. */

describe.runIf(process.platform === 'linux')('no process is left', () => {
  const leave = async (openWindow: (options: WindowOptions) => Promise<Window>) => {
    const log = newWireLog();
    const window = await openWindow({ settings: new FakeAgent(log).settings });
    const chat = new Chat(await window.openChat());
    const seconds = someSeconds();
    const script = join(window.folder, 'leave.sh');
    writeFileSync(script, `${orphanTree(seconds)} wait`);
    await chat.send(`%%TERMINALLEAVE sh ${script}`);
    await until('the whole tree', () => survivors(seconds).length === ORPHANS);
    return { window, seconds, log };
  };
  const gone = (seconds: number) => until('nothing to be left', () => survivors(seconds).length === 0);

  test('after the window is reloaded', async ({ openWindow }) => {
    const { window, seconds } = await leave(openWindow);
    await window.workbench.reload();
    await gone(seconds);
  });

  test('after the extension host is killed with SIGKILL', async ({ openWindow }) => {
    const { seconds, log } = await leave(openWindow);
    const agent = readdirSync('/proc').find((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('fakeAgent.mjs') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(log)
        );
      } catch {
        return false;
      }
    });
    const host = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${agent}/status`, 'utf8'))![1]);
    process.kill(host, 'SIGKILL');
    await gone(seconds);
    await until('the agent to be gone', () => !existsSync(`/proc/${agent}`));
  });
});
