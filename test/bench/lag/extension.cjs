/*
 * Lives in the extension host beside Parley and notes how long nothing else could run there: one line of JSON for each
 * time that the event loop was blocked, in the file PARLEY_BENCH_LAG: when it ended (ms since 1970), and for how long (ms).
 */
const { appendFileSync, existsSync, rmSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const EVERY_MS = 5;
const NOTED_MS = 30;

exports.activate = () => {
  const file = process.env.PARLEY_BENCH_LAG;
  if (!file) return;
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    const blocked = now - last - EVERY_MS;
    if (blocked >= NOTED_MS) appendFileSync(file, `${JSON.stringify({ at: now, ms: blocked })}\n`);
    last = now;
  }, EVERY_MS);
  profileOnDemand(file);
};

/** While a file `<file>.profile` exists the host is profiled; what came of it is written there as a CPU profile. @param {string} file */
function profileOnDemand(file) {
  const wish = `${file}.profile`;
  /** @type {Session | undefined} */
  let session;
  setInterval(() => {
    if (existsSync(wish) === (session !== undefined)) return;
    if (!session) {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.start');
      return;
    }
    const ended = session;
    session = undefined;
    ended.post('Profiler.stop', (error, result) => {
      if (!error) writeFileSync(`${file}.cpuprofile`, JSON.stringify(result.profile));
      ended.disconnect();
      rmSync(wish, { force: true });
    });
  }, 100);
}
