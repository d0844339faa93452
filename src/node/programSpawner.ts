import { spawn } from 'node:child_process';

/**
 * The function that starts programs. Windows needs cross-spawn, which finds `npx.cmd` and quotes for it; elsewhere
 * cross-spawn is Node's own.
 */
export async function programSpawner(): Promise<typeof spawn> {
  return process.platform === 'win32' ? ((await import('cross-spawn')).default as typeof spawn) : spawn;
}
