import { readdirSync, readFileSync } from 'node:fs';

/**
 * A shell script that makes `daemons` processes that leave parents, group and session, half of which ignore SIGTERM,
 * and `hoppers`: daemons that are another process every few milliseconds. `stormSurvivors` finds them by a variable of
 * the environment.
 * @param folder where the script of the hoppers may lie
 */
export function orphanStorm(id: string, daemons: number, hoppers: number): string {
  const hop = 'sleep 0.03; setsid sh -c "$HOP" & exit 0';
  return `
    export ORPHAN_STORM=${id}
    i=0; while [ $i -lt ${daemons} ]; do
      case $((i % 3)) in
        0) ( ( setsid sleep 600 & ) & ) ;;
        1) ( ( setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 600; done' & ) & ) ;;
        2) nohup sleep 600 >/dev/null 2>&1 & ;;
      esac
      i=$((i + 1))
    done
    export HOP='${hop}'
    i=0; while [ $i -lt ${hoppers} ]; do setsid sh -c "$HOP" & i=$((i + 1)); done
  `;
}

/** The processes of such a storm that run now. */
export function stormSurvivors(id: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`ORPHAN_STORM=${id}\0`) &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

export function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
