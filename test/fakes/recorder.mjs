import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

/**
 * Stands between a client and any agent and writes down the wire: `node recorder.mjs LOG COMMAND ARGS…`. The log has
 * the format of wireLog.ts, so that the same assertions work on real agents and on the demo.
 */
const [logFile = '', command = '', ...args] = process.argv.slice(2);
const fd = openSync(logFile, 'a');
const started = performance.now();
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

log({ dir: 'note', event: 'start', pid: agent.pid });
tee('>', process.stdin, agent.stdin);
tee('<', agent.stdout, process.stdout);
agent.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
agent.on('close', (code, signal) => {
  log({ dir: 'note', event: 'end', code, signal });
  process.exitCode = code ?? 1;
});
process.on('SIGTERM', () => agent.kill('SIGTERM'));

/** @param {'>' | '<'} dir @param {import('node:stream').Readable} from @param {import('node:stream').Writable} to */
function tee(dir, from, to) {
  let rest = Buffer.alloc(0);
  from.on('data', (/** @type {Buffer} */ bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      logLine(dir, rest.subarray(start, end));
      start = end + 1;
    }
    rest = rest.subarray(start);
  });
  from.on('end', () => {
    if (rest.length > 0) log({ dir, line: rest.toString('utf8'), fault: 'unterminated' });
    if (dir === '>') log({ dir: 'note', event: 'stdin-end' });
  });
  from.pipe(to);
  to.on('error', () => {});
}

/** @param {'>' | '<'} dir @param {Buffer} bytes */
function logLine(dir, bytes) {
  const line = bytes.toString('utf8');
  log({ dir, line, ...(Buffer.from(line, 'utf8').equals(bytes) ? {} : { fault: 'not UTF-8' }) });
}

/** @param {object} entry */
function log(entry) {
  writeSync(fd, `${JSON.stringify({ t: Math.round(performance.now() - started), ...entry })}\n`);
}
