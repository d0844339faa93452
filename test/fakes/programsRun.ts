import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A program as the system was asked to run it. Arguments beyond 500 characters are cut. */
export interface ProgramRun {
  /** As it was given, most often absolute. */
  readonly file: string;
  /** Without the program's own name. */
  readonly args: readonly string[];
}

/**
 * Records every program that a process and all that it starts execute, however short they live. It asks the kernel, by
 * strace on Linux. Elsewhere `canSee` is false and nothing is recorded: then only what a program leaves behind shows
 * that it ran.
 */
export class ProgramsRun {
  private readonly file = join(mkdtempSync(join(tmpdir(), 'parley-programs-')), 'strace');
  /** Whether this machine can record. */
  readonly canSee =
    process.platform === 'linux' &&
    spawnSync('strace', ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=execve', '/bin/true']).status ===
      0;

  /** The words of a command line before the program that is to be recorded. */
  get under(): readonly string[] {
    return this.canSee
      ? [
          'strace',
          '-f',
          '--seccomp-bpf',
          '-qq',
          '-e',
          'trace=execve,execveat',
          '-e',
          'status=successful',
          '-e',
          'signal=none',
          '-s',
          '500',
          '-o',
          this.file,
        ]
      : [];
  }

  /** What ran so far. */
  get all(): ProgramRun[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const found = /\bexecve(?:at)?\((?:\w+, )?("(?:[^"\\]|\\.)*"), \[(.*?)\](?:\.\.\.)?, /.exec(line);
        if (!found) return [];
        return {
          file: unquoted(found[1]!),
          args: [...found[2]!.matchAll(/"(?:[^"\\]|\\.)*"/g)].slice(1).map(([word]) => unquoted(word)),
        };
      });
  }
}

/** strace writes strings as C does, with octal numbers for what is not ASCII. */
function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
      /^[0-7]/.test(code)
        ? String.fromCharCode(Number.parseInt(code, 8))
        : (({ n: '\n', t: '\t', r: '\r' } as Record<string, string>)[code] ?? code),
    );
}

/** One short line for each kind of run: the program, and for git its command. */
export function kindOf({ file, args }: ProgramRun): string {
  const name = basename(file);
  if (name !== 'git') return name;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-c') i++;
    else if (!args[i]!.startsWith('-')) return `git ${args[i]}`;
  }
  return name;
}
