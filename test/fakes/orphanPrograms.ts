import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

/** Beside node_modules, so that node-pty is found. */
const programs = resolve(import.meta.dirname, '../../out/orphans');

/** Builds `orphanHost.js` and the watchdog. */
export async function buildOrphanHost(): Promise<void> {
  mkdirSync(programs, { recursive: true });
  const common = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['node-pty'],
    logLevel: 'error',
  } satisfies BuildOptions;
  await Promise.all([
    build({
      ...common,
      entryPoints: [resolve(import.meta.dirname, 'orphanHost.ts')],
      outfile: join(programs, 'orphanHost.js'),
    }),
    build({
      ...common,
      entryPoints: [resolve(import.meta.dirname, '../../src/node/watchdogMain.ts')],
      outfile: join(programs, 'watchdog.js'),
    }),
  ]);
}

/**
 * Starts it; see orphanHost.ts. Resolves when the command and the agent have been started.
 * @param scripts of a command, an agent and a helper program
 */
export async function startOrphanHost(folder: string, ...scripts: readonly string[]): Promise<ChildProcess> {
  const host = spawn(
    process.execPath,
    [join(programs, 'orphanHost.js'), join(programs, 'watchdog.js'), folder, ...scripts],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await new Promise((ready) => host.stdout!.once('data', ready));
  return host;
}
