/** What a command may write without end, by name: text of so many bytes. */

/** @param {(line: number) => string} line @param {number} bytes */
function lines(line, bytes) {
  const block = Array.from({ length: 2_000 }, (_, i) => line(i)).join('');
  return block.repeat(Math.ceil(bytes / Buffer.byteLength(block)));
}

export const floods = {
  /** Lines of a log. */
  plain: (/** @type {number} */ bytes) =>
    lines(
      (i) =>
        `2026-01-01 12:00:00 INFO  worker ${i} finished its part of the job in ${(i * 37) % 1000} ms, next one is queued\n`,
      bytes,
    ),
  /** A compiler's or a test runner's. */
  colours: (/** @type {number} */ bytes) =>
    lines(
      (i) =>
        `\x1b[32m✓\x1b[39m \x1b[1msuite ${i % 17}\x1b[22m › case ${i} \x1b[2m(${(i * 37) % 1000} ms)\x1b[22m \x1b[38;5;${i % 256}mok\x1b[0m\n`,
      bytes,
    ),
  /** `seq`, `yes`. */
  short: (/** @type {number} */ bytes) => lines((i) => `${i}\n`, bytes),
  /** A minified file. */
  long: (/** @type {number} */ bytes) => lines(() => 'x'.repeat(5_000), bytes),
  /** A progress bar. */
  progress: (/** @type {number} */ bytes) =>
    lines((i) => `\r\x1b[K[${'='.repeat(i % 40).padEnd(40)}] ${i % 100} % of what there is to fetch`, bytes),
  /** Wide characters. */
  unicode: (/** @type {number} */ bytes) =>
    lines((i) => `第${i}行：这是一个很长的日志，里面有宽字符和表情 😀 à é ü\n`, bytes),
};
