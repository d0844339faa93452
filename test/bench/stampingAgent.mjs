/**
 * The built-in agent, which notes when its first text leaves: writes that moment (ms since 1970) into the file
 * `PARLEY_BENCH_STAMP`, anew for each prompt. From there to the last paint is what a user waits for, whoever shows it.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const file = process.env.PARLEY_BENCH_STAMP ?? '';
const write = process.stdout.write.bind(process.stdout);
let stamped = false;

process.stdout.write = /** @type {typeof process.stdout.write} */ (
  (/** @type {any} */ data, /** @type {any[]} */ ...rest) => {
    if (!stamped && String(data).includes('agent_message_chunk')) {
      stamped = true;
      writeFileSync(file, String(Date.now()));
    }
    return write(data, ...rest);
  }
);
process.stdin.on('data', (data) => {
  if (String(data).includes('session/prompt')) stamped = false;
});
createRequire(import.meta.url)('../../dist/demoAgent.js');
