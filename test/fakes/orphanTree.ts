import { readdirSync, readFileSync } from 'node:fs';

/**
 * A shell script that starts processes of every kind that is hard to end. All of them run `sleep <seconds>`, by which
 * `survivors` finds them without any of our own means.
 */
export function orphanTree(seconds: number): string {
  return `
    sleep ${seconds} &
    nohup sleep ${seconds} >/dev/null 2>&1 &
    sh -c 'trap "" TERM HUP INT; exec sleep ${seconds}' &
    setsid sleep ${seconds} &
    setsid sh -c 'trap "" TERM HUP INT; exec sleep ${seconds}' <&- >&- 2>&- &
    ( ( setsid sleep ${seconds} & ) & )
    ( ( setsid sh -c 'trap "" TERM HUP INT; ( sleep ${seconds} & ) ; while :; do sleep ${seconds}; done' & ) & )
  `;
}

/** How many `sleep`s `orphanTree` starts. */
export const ORPHANS = 8;

let next = 0;

/** A number of seconds that no other process waits for. */
export function someSeconds(): number {
  return 4_000_000 + (process.pid % 100_000) * 100 + ++next;
}

/** The processes of such a tree that run now. */
export function survivors(seconds: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0` &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
