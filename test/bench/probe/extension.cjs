/*
 * Measures the extension host from inside. It answers one request after the other through two files: the bench writes
 * `<PARLEY_BENCH_PROBE>.ask` with `{ id, activate? }`, the probe writes `<PARLEY_BENCH_PROBE>.answer` with the same id.
 */
const { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const module_ = require('node:module');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');
const vscode = require('vscode');

const file = String(process.env.PARLEY_BENCH_PROBE);

/** Every module of Parley that was loaded, in bytes. @type {Map<string, number>} */
const loaded = new Map();

exports.activate = () => {
  module_.registerHooks({
    load(url, context, next) {
      if (/\/dist\/(?:extension|host\/[^/]+)\.mjs$/.test(url))
        loaded.set(url.replace(/^.*\/dist\//, ''), statSync(fileURLToPath(url)).size);
      return next(url, context);
    },
  });
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  let last;
  setInterval(async () => {
    if (!existsSync(`${file}.ask`)) return;
    const { id, activate } = JSON.parse(readFileSync(`${file}.ask`, 'utf8'));
    if (id === last) return;
    last = id;
    const before = performance.now();
    if (activate) await vscode.extensions.getExtension(activate).activate();
    const ms = performance.now() - before;
    for (let round = 0; round < 3; round++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { rss, heapUsed } = process.memoryUsage();
    const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0);
    writeFileSync(
      `${file}.new`,
      JSON.stringify({
        id,
        pid: process.pid,
        ms,
        rss,
        heapUsed,
        watches: watches(),
        bytes,
        loaded: Object.fromEntries(loaded),
      }),
    );
    renameSync(`${file}.new`, `${file}.answer`);
  }, 100);
};

/** What this process and those beside it under the same server watch, where the system tells; see proc(5). */
function watches() {
  if (process.platform !== 'linux') return undefined;
  let count = 0;
  for (const pid of [process.pid, process.ppid, ...childrenOf(process.ppid)]) {
    const folder = `/proc/${pid}/fdinfo`;
    try {
      for (const fd of readdirSync(folder)) {
        try {
          count += readFileSync(join(folder, fd), 'utf8').match(/^inotify /gm)?.length ?? 0;
        } catch {
          // Closed meanwhile.
        }
      }
    } catch {
      // Ended meanwhile.
    }
  }
  return count;
}

/** @param {number} parent */
function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          pid !== process.pid &&
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) . /, '')
            .split(' ')[0] === String(parent)
        );
      } catch {
        return false;
      }
    });
}
