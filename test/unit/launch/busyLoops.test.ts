import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startBusyLoops } from '../../launch/busyLoops.mjs';
import { until } from '../../launch/poll.mjs';

const module = path.join(import.meta.dirname, '../../launch/busyLoops.mjs');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('busy loops end when they are told to', async () => {
  const { pids, end } = startBusyLoops(2);
  expect(pids.map(isRunning)).toEqual([true, true]);
  end();
  await until('the loops to end', () => !pids.some(isRunning));
});

test.skipIf(process.platform === 'win32').each(['SIGKILL', 'SIGTERM'] as const)(
  'busy loops end with the process that started them, also by %s',
  async (signal) => {
    const code = `import(${JSON.stringify(pathToFileURL(module).href)}).then(({ startBusyLoops }) => { console.log(startBusyLoops(2).pids.join(' ')); setInterval(() => {}, 1000); })`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    starter.kill(signal);
    await until('the loops to end', () => !pids.some(isRunning));
  },
);
