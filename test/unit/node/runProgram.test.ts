import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { watchPrograms } from '../../../src/node/programWatch';
import { ProgramError, type ProgramOptions, runProgram } from '../../../src/node/runProgram';
import { systemProgram } from '../../../src/node/systemProgram';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const limits: ProgramOptions = {
  cwd: folder,
  env: { PATH: process.env['PATH'] },
  timeoutMs: 10_000,
  maxBytes: 1_000_000,
};
const node = (script: string, options: Partial<ProgramOptions> = {}) =>
  runProgram(process.execPath, ['-e', script], { ...limits, ...options });
const failure = async (run: Promise<Buffer>) => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProgramError);
  return error as ProgramError;
};
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    // What has ended and is not reaped yet runs no more.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? true;
  } catch {
    return true;
  }
};

describe.skipIf(process.platform === 'win32')('a helper program', () => {
  it('gets its input and gives its output', async () => {
    expect((await node('process.stdin.pipe(process.stdout)', { input: 'ünï\n' })).toString()).toBe('ünï\n');
  });

  it.each([
    [
      'ends with a code',
      'process.stdout.write("half"); console.error("why"); process.exitCode = 3',
      {},
      { reason: 'failed', exitCode: 3 },
      /ended with code 3: why/,
    ],
    [
      'says too much',
      'for (;;) require("fs").writeSync(1, "x".repeat(60000))',
      {},
      { reason: 'tooMuchOutput' },
      /more than 1000000 bytes/,
    ],
    ['never ends', 'setInterval(() => {}, 1000)', { timeoutMs: 500 }, { reason: 'timedOut' }, /no answer in 0.5 s/],
  ] as const)('that %s is an error that says so', async (_, script, options, expected, words) => {
    const error = await failure(node(script, options));
    expect(error).toMatchObject(expected);
    expect(error.message).toMatch(words);
  });

  it.each([undefined, 512])('that is not there is an error of its own (memory limit: %s)', async (maxMemory) => {
    const run = runProgram(path.join(folder, 'none'), [], {
      ...limits,
      ...(maxMemory === undefined ? {} : { maxMemory }),
    });
    expect((await failure(run)).reason).toBe('notFound');
  });

  it.runIf(process.platform === 'linux')('does not grow beyond its limit', async () => {
    const started = Date.now();
    // `tail` keeps a line that never ends, as ripgrep keeps an ignore file that is a link to a device.
    const error = await failure(runProgram('/usr/bin/tail', ['-n', '1', '/dev/zero'], { ...limits, maxMemory: 64 }));
    expect([error.reason, Date.now() - started < 60_000]).toEqual(['failed', true]);
  });

  it('ends with all that it started, in whatever group', async () => {
    const note = path.join(folder, 'child');
    const script = `const c = require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }); require('fs').writeFileSync(${JSON.stringify(note)}, String(c.pid)); for (;;) require('fs').writeSync(1, 'x'.repeat(60000))`;
    // It is ended for what it writes, which it does only once its child is there.
    await failure(node(script));
    const pid = Number(readFileSync(note, 'utf8'));
    await expect.poll(() => isGone(pid)).toBe(true);
  });

  it('is watched for as long as it runs', async () => {
    const seen: string[] = [];
    watchPrograms({
      watch: (pid) => (
        seen.push(`begin ${typeof pid}`),
        { leaderGone: () => undefined, dispose: () => void seen.push('end') }
      ),
    });
    await node('');
    expect(seen).toEqual(['begin number', 'end']);
  });

  it('of the system is not looked for on PATH', async () => {
    expect(
      existsSync('/bin/ps')
        ? await systemProgram('ps', ['-o', 'pid=', '-p', String(process.pid)])
        : String(process.pid),
    ).toContain(String(process.pid));
  });
});
