import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { systemClock } from '../../src/host/platform/clock';
import { TerminalService } from '../../src/host/terminals/terminalService';

/* One run of terminalFlood.mjs: `terminalReader.js bare|parley <file>`; the result goes to the parent. */

const [reader, file = ''] = process.argv.slice(2);

/** The longest time between two turns of the event loop, and the most memory seen. */
function watch() {
  let last = performance.now();
  const seen = { block: 0, rss: 0 };
  const look = () => {
    const now = performance.now();
    seen.block = Math.max(seen.block, now - last);
    last = now;
    immediate = setImmediate(look);
  };
  let immediate = setImmediate(look);
  const memory = setInterval(() => (seen.rss = Math.max(seen.rss, process.memoryUsage.rss())), 50);
  return () => {
    clearImmediate(immediate);
    clearInterval(memory);
    return seen;
  };
}

async function bare(): Promise<number> {
  const { spawn } = await import('node-pty');
  let length = 0;
  const pty = spawn('cat', [file], { cols: 100, rows: 30, encoding: null });
  pty.onData((data) => (length += data.length));
  await new Promise((resolve) => pty.onExit(resolve));
  return length;
}

async function parley(told: () => void): Promise<void> {
  const service = new TerminalService({
    scopes: (sessionId) => ({ sessionId, agent: 'Bench', cwd: '/', roots: ['/'] }),
    clock: systemClock,
    log: silentLogger,
    environment: () => process.env,
  });
  service.onDidPatch(told);
  const { terminalId } = await service.createTerminal({ sessionId: 's', command: 'cat', args: [file] }, neverCancelled);
  await service.waitForTerminalExit({ sessionId: 's', terminalId }, neverCancelled);
}

async function main(): Promise<void> {
  // What is loaded on first need does not count.
  await import('node-pty');
  const stop = watch();
  let looks = 0;
  const before = process.cpuUsage();
  const started = performance.now();
  if (reader === 'bare') await bare();
  else await parley(() => looks++);
  const ms = performance.now() - started;
  const { block, rss } = stop();
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms, cpu: (user + system) / 1000, block, rss, looks: (looks * 1000) / ms }, () => process.exit());
}

void main();
