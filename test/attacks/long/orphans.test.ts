import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildOrphanHost, startOrphanHost } from '../../fakes/orphanPrograms';
import { orphanStorm, stormSurvivors, tryKill } from '../../fakes/orphanStorm';
import { waitUntil } from '../../stdio/waitUntil';

/*
 * 20 closings of a busy machine, each with 60 daemons and some that are another process every few milliseconds. Twenty
 * times, because what is left behind is left by a race.
 */
const ROUNDS = Number(process.env['ORPHAN_ROUNDS'] ?? 20);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-storm-')));
const endings: readonly [string, (host: ChildProcess) => void][] = [
  ['SIGKILL', (host) => host.kill('SIGKILL')],
  ['SIGTERM', (host) => host.kill('SIGTERM')],
  ['its window', (host) => host.stdin!.write('dispose\n')],
];

beforeAll(buildOrphanHost);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('a busy machine', () => {
  it.each(Array.from({ length: ROUNDS }, (_, n) => [n + 1, ...endings[n % endings.length]!] as const))(
    'closing %i, by %s, leaves no orphan',
    async (n, how, end) => {
      const busy = Array.from({ length: 4 }, () =>
        spawn('timeout', ['40', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }),
      );
      const [ofCommand, ofAgent] = [`${process.pid}c${n}`, `${process.pid}a${n}`];
      const left = () => [...stormSurvivors(ofCommand), ...stormSurvivors(ofAgent)];
      onTestFinished(() => {
        for (const { pid } of busy) process.kill(pid!, 'SIGTERM');
        for (let pids = left(); pids.length > 0; pids = left()) for (const pid of pids) tryKill(pid);
      });
      const host = await startOrphanHost(
        folder,
        `${orphanStorm(ofCommand, 30, 3)} wait`,
        `${orphanStorm(ofAgent, 30, 3)} cat`,
      );
      await waitUntil(
        'the storm',
        () => stormSurvivors(ofCommand).length >= 30 && stormSurvivors(ofAgent).length >= 30,
        30_000,
      );
      end(host);
      const began = Date.now();
      // One look proves nothing of hoppers: nothing must be seen for a whole second.
      let lastSeen = began;
      await waitUntil(
        'nothing to be left',
        () => (left().length > 0 && (lastSeen = Date.now()), Date.now() - lastSeen > 1_000),
        12_000,
      ).catch(() => undefined);
      console.log(`${n}: by ${how}, gone after ${lastSeen - began} ms`);
      expect(left()).toEqual([]);
    },
    90_000,
  );
});
