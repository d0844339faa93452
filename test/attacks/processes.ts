import { readdirSync, readFileSync } from 'node:fs';

/** One process of Linux, as `/proc` shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly commandLine: string;
}

/** All processes that can be read. Linux only. */
export function processes(): Process[] {
  return readdirSync('/proc').flatMap((name): Process[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [
        {
          pid: Number(name),
          parent,
          commandLine: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
        },
      ];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}

/** The extension host that a server of VS Code started. */
export function hostOf(server: number): number {
  const host = processes().find(
    ({ parent, commandLine }) => parent === server && commandLine.includes('type=extensionHost'),
  );
  if (!host) throw new Error('the server has no extension host');
  return host.pid;
}

/** What a process holds in memory now. */
export function residentMegabytes(pid: number): number {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
