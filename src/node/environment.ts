import path from 'node:path';
import type { Clock } from '../base/scheduler';

/**
 * Variables of VS Code's own host that would change a child program's behaviour (Electron as Node, debuggers, IPC
 * hooks).
 */
const ownVariables =
  /^(ELECTRON_|VSCODE_|CHROME_DESKTOP$|NODE_OPTIONS$|NODE_CHANNEL_FD$|GDK_PIXBUF_MODULE|APPLICATION_INSIGHTS)/i;

function isHostVariable(name: string): boolean {
  return ownVariables.test(name);
}

/**
 * The host's environment without VS Code's own variables, overlaid by `extra`. Windows ignores the case of names: of
 * two that are one, the last stays.
 */
export function childEnvironment(
  base: NodeJS.ProcessEnv,
  extra: Readonly<Record<string, string>> = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string | undefined> {
  const clean = Object.entries(base).filter(([name]) => !isHostVariable(name));
  const keyOf = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const entries = [...clean, ...Object.entries(extra)];
  return Object.fromEntries(new Map(entries.map((entry) => [keyOf(entry[0]), entry])).values());
}

let loginPath: Promise<string | undefined> | undefined;

/** Stores the PATH of the user's login shell across restarts. */
export interface PathMemory {
  readonly known: string | undefined;
  readonly keep: (path: string) => void;
}

let memory: { readonly of: PathMemory; readonly clock: Clock } | undefined;

/** Uses the PATH that is stored from an earlier window while the shell is slow. */
export function rememberLoginPath(of: PathMemory, clock: Clock): void {
  memory = { of, clock };
}

/**
 * PATH as the user's login shell sets it, for a VS Code that was started from a desktop and so never saw it.
 * `undefined` on Windows, when VS Code came from a shell anyway, and when the shell does not answer in 5 s.
 */
export function loginShellPath(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  loginPath ??=
    process.platform === 'win32' || env['VSCODE_CLI'] === '1' || env['SHLVL'] !== undefined
      ? Promise.resolve(undefined)
      : askShell(env);
  return loginPath;
}

async function askShell(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { shellPath, soonOrKnown } = await import('./loginShell');
  const asked = shellPath(env);
  return memory ? soonOrKnown(asked, memory.of, memory.clock) : asked;
}

/** The environment of programs that are started for the user: the host's, with the PATH of their login shell. */
export async function userEnvironment(): Promise<NodeJS.ProcessEnv> {
  return childEnvironment(process.env, { PATH: joinPaths(await loginShellPath(), process.env['PATH']) });
}

/** Joins two PATHs; `first` wins, each folder appears once. */
export function joinPaths(first: string | undefined, second: string | undefined): string {
  const folders = [...(first ?? '').split(path.delimiter), ...(second ?? '').split(path.delimiter)].filter(
    (folder) => folder !== '',
  );
  return [...new Set(folders)].join(path.delimiter);
}
