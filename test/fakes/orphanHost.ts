import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { systemClock } from '../../src/host/platform/clock';
import { TerminalService } from '../../src/host/terminals/terminalService';
import { AgentProcess } from '../../src/node/agentProcess';
import { watchPrograms } from '../../src/node/programWatch';
import { runProgram } from '../../src/node/runProgram';
import { Watchdog } from '../../src/node/watchdog';

/*
 * Stands for an extension host: `orphanHost.js <watchdog.js> <folder> <script of a command> <script of an agent>
 * <script of a helper program>`. Runs them, and does what it is told on stdin: `dispose` (a window that is reloaded:
 * everything is disposed and the process ends at once), `crash`.
 */
const [program = '', folder = '', command = '', agent = '', helper = ''] = process.argv.slice(2);
const watchdog = watchPrograms(new Watchdog(program));
const service = new TerminalService({
  scopes: (sessionId) => ({ sessionId, agent: 'Test', cwd: folder, roots: [folder] }),
  clock: systemClock,
  log: silentLogger,
  environment: () => process.env,
  watchdog,
});
const running = new AgentProcess({ command: 'sh', args: ['-c', agent], cwd: folder, env: process.env, watchdog });
void runProgram('/bin/sh', ['-c', helper], { cwd: folder, env: process.env, timeoutMs: 60_000, maxBytes: 1_000 }).catch(
  () => undefined,
);
void service
  .createTerminal({ sessionId: 's', command: 'sh', args: ['-c', command] }, neverCancelled)
  .then(() => console.log('ready'));

process.stdin.on('data', (data: Buffer) => {
  if (data.toString().trim() === 'dispose') {
    running.dispose();
    service.dispose();
    watchdog.dispose();
  }
  process.exit();
});
