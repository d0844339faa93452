import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { systemClock } from '../../src/host/platform/clock';
import { TerminalService } from '../../src/host/terminals/terminalService';
import { AgentProcess } from '../../src/node/agentProcess';
import { killMarked } from '../../src/node/markSweep';
import { processesStarted } from '../../src/node/processTable';
import { killProcessTree } from '../../src/node/processTree';
import { loadPtyBackend, pipeBackend } from '../../src/node/pty';
import { buildOrphanHost, startOrphanHost } from '../fakes/orphanPrograms';
import { orphanStorm, stormSurvivors, tryKill } from '../fakes/orphanStorm';
import { ORPHANS, orphanTree, someSeconds, survivors } from '../fakes/orphanTree';
import { waitUntil } from './waitUntil';

/*
 * Nothing that an agent or a command has started is left once it is over, however hard it tries. Trees:
 * test/fakes/orphanTree.ts.
 */

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-orphans-')));
const sessionId = 's1';

const planted = async (seconds: number) => {
  onTestFinished(() => {
    for (const pid of survivors(seconds)) process.kill(pid, 'SIGKILL');
  });
  await waitUntil('the whole tree', () => survivors(seconds).length === ORPHANS, 60_000);
};
const gone = (seconds: number) => waitUntil('nothing to be left', () => survivors(seconds).length === 0, 60_000);
/** The leader goes on, or leaves its tree behind once it is told to. */
const endings = (flag: string) => [
  'wait',
  'trap "" TERM HUP INT; while :; do sleep 1; done',
  `while [ ! -e '${flag}' ]; do sleep 0.05; done; exit 0`,
];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('no orphan', { timeout: 180_000 }, () => {
  it('a look at a quiet machine is clean, whatever threads the kernel runs', async () => {
    await waitUntil('a look at which no process comes or goes', () => {
      const { killed, hasGaps } = killMarked('nobody.');
      return !killed && !hasGaps;
    });
  });

  it('every start is counted, also of what is a zombie by now: a look beside it may have missed one', () => {
    const before = processesStarted();
    // The parent waits for nobody, so the child stays in the list as what no look reads.
    const parent = spawn('sh', ['-c', '(exit 0) & exec sleep 600'], { stdio: 'ignore' });
    onTestFinished(() => void parent.kill('SIGKILL'));
    expect(Number(processesStarted())).toBeGreaterThan(Number(before));
  });

  describe.each([
    { name: 'node-pty', backend: () => loadPtyBackend() },
    { name: 'pipes', backend: async () => pipeBackend },
  ])('of a command on $name', ({ backend }) => {
    const start = async (script: string) => {
      const service = new TerminalService({
        scopes: (id) => (id === sessionId ? { sessionId, agent: 'Test', cwd: folder, roots: [folder] } : undefined),
        clock: systemClock,
        log: silentLogger,
        environment: () => process.env,
        backend,
      });
      onTestFinished(() => service.dispose());
      const { terminalId } = await service.createTerminal(
        { sessionId, command: 'sh', args: ['-c', script] },
        neverCancelled,
      );
      return { service, terminalId };
    };

    it('150, 151: release and kill end the whole tree, whether its leader runs, ignores SIGTERM or has ended', async () => {
      const run = async (kind: number, how: 'releaseTerminal' | 'killTerminal') => {
        const seconds = someSeconds();
        const flag = join(folder, `end-${seconds}`);
        const end = endings(flag)[kind]!;
        const { service, terminalId } = await start(`${orphanTree(seconds)} ${end}`);
        await planted(seconds);
        writeFileSync(flag, '');
        if (end.includes(flag)) await service.waitForTerminalExit({ sessionId, terminalId }, neverCancelled);
        await service[how]({ sessionId, terminalId });
        await gone(seconds);
      };
      await Promise.all([0, 1, 2].flatMap((kind) => [run(kind, 'releaseTerminal'), run(kind, 'killTerminal')]));
    });

    it('154: the end of the session, of its agent and of the extension end the whole tree', async () => {
      const ends = [
        (service: TerminalService) => service.disposeSession(sessionId),
        (service: TerminalService) => service.endSession(sessionId),
        (service: TerminalService) => service.dispose(),
      ];
      await Promise.all(
        ends.map(async (end) => {
          const seconds = someSeconds();
          const { service } = await start(`${orphanTree(seconds)} wait`);
          await planted(seconds);
          end(service);
          await gone(seconds);
        }),
      );
    });
  });

  it('180: of an agent that is stopped, or crashes; that of another one is left alone', async () => {
    const other = new AgentProcess({ command: 'cat', args: [], cwd: folder, env: process.env });
    onTestFinished(() => other.dispose());
    const run = async (end: (agent: AgentProcess) => void) => {
      const seconds = someSeconds();
      const agent = new AgentProcess({
        command: 'sh',
        args: ['-c', `${orphanTree(seconds)} cat`],
        cwd: folder,
        env: process.env,
      });
      onTestFinished(() => agent.dispose());
      await planted(seconds);
      end(agent);
      await gone(seconds);
    };
    await Promise.all([run((agent) => void agent.stop()), run((agent) => process.kill(agent.pid!, 'SIGKILL'))]);
    expect(other.exit).toBeUndefined();
  });

  it('a group is left alone where all of it came after the end of the leader whose number it has', async () => {
    const before = Date.now();
    const seconds = someSeconds();
    onTestFinished(() => {
      for (const pid of survivors(seconds)) process.kill(pid, 'SIGKILL');
    });
    const leader = spawn('sh', ['-c', `sleep ${seconds} & exit 0`], { detached: true, stdio: 'ignore' });
    await new Promise((ended) => leader.once('exit', ended));
    await waitUntil('what it left behind', () => survivors(seconds).length === 1);
    await killProcessTree(leader.pid!, { leaderEndedAt: before - 1_000, mark: 'another' });
    expect(survivors(seconds)).toHaveLength(1);
    await killProcessTree(leader.pid!, { leaderEndedAt: Date.now() + 1_000, mark: 'another' });
    await gone(seconds);
  });

  it("the browser that a page was opened in is the user's own, unless a program steers it", async () => {
    const programs = mkdtempSync(join(folder, 'browser-'));
    copyFileSync('/bin/sh', join(programs, 'firefox'));
    execFileSync('mkfifo', [join(programs, 'wait')]);
    // It waits for what nobody writes, and starts nothing.
    const browse = (flag: string) => `setsid '${programs}/firefox' -c 'read line <> "${programs}/wait"' ${flag} &`;
    const browsers = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return readlinkSync(`/proc/${pid}/exe`) === join(programs, 'firefox');
        } catch {
          return false;
        }
      });
    onTestFinished(() => {
      for (const pid of browsers()) process.kill(Number(pid), 'SIGKILL');
    });
    const agent = new AgentProcess({
      command: 'sh',
      args: ['-c', `${browse('https://example.org')} ${browse('--headless')} cat`],
      cwd: folder,
      env: process.env,
    });
    await waitUntil('both browsers', () => browsers().length === 2);
    await agent.stop();
    expect(
      browsers().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('https://example.org')),
    ).toEqual([true]);
  });

  describe('of an extension host', () => {
    beforeAll(buildOrphanHost);

    const startHost = async (...scripts: readonly string[]): Promise<ChildProcess> => {
      const host = await startOrphanHost(folder, ...scripts);
      onTestFinished(() => void host.kill('SIGKILL'));
      return host;
    };

    it.each([
      ['is killed with SIGKILL', (host: ChildProcess) => host.kill('SIGKILL')],
      ['ends without a word', (host: ChildProcess) => host.stdin!.write('crash\n')],
      ['goes with its window', (host: ChildProcess) => host.stdin!.write('dispose\n')],
    ])('that %s', async (_name, end) => {
      const [ofCommand, ofAgent, ofLeftBehind, ofHelper] = [someSeconds(), someSeconds(), someSeconds(), someSeconds()];
      const host = await startHost(
        `${orphanTree(ofCommand)} wait`,
        `${orphanTree(ofAgent)} sh -c '${orphanTree(ofLeftBehind).replaceAll("'", `'"'"'`)}'; cat`,
        `${orphanTree(ofHelper)} wait`,
      );
      await Promise.all([planted(ofCommand), planted(ofAgent), planted(ofLeftBehind), planted(ofHelper)]);
      end(host);
      await Promise.all([gone(ofCommand), gone(ofAgent), gone(ofLeftBehind), gone(ofHelper)]);
    });

    it('that ends under daemons which are another process every few milliseconds (20 closings of a busy machine: test/attacks)', async () => {
      const id = `${process.pid}`;
      onTestFinished(() => {
        for (let pids = stormSurvivors(id); pids.length > 0; pids = stormSurvivors(id))
          for (const pid of pids) tryKill(pid);
      });
      const host = await startHost(`${orphanStorm(id, 10, 6)} wait`, `${orphanStorm(id, 10, 6)} cat`);
      await waitUntil('the storm', () => stormSurvivors(id).length >= 26, 20_000);
      host.kill('SIGKILL');
      // One look proves nothing: nothing must be seen for a whole second.
      let lastSeen = Date.now();
      await waitUntil(
        'nothing to be left',
        () => (stormSurvivors(id).length > 0 && (lastSeen = Date.now()), Date.now() - lastSeen > 1_000),
        60_000,
      );
    });
  });
});
