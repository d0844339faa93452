/** Why uv failed, recognized by its messages, since uv has no error codes. System codes have Node's names. */
export type UvTrouble =
  | 'refused'
  | 'missing'
  | 'network'
  | 'certificate'
  | 'integrity'
  | 'source'
  | 'noPython'
  | 'oldUv'
  | 'ENOSPC'
  | 'EACCES'
  | '';

/**
 * Why a download failed. `status`: the server refused it. `cutOff`: it ended too early. `address`: Parley does not
 * download from there.
 */
export type DownloadTrouble =
  | 'status'
  | 'network'
  | 'timeout'
  | 'certificate'
  | 'redirect'
  | 'tooLarge'
  | 'cutOff'
  | 'checksum'
  | 'address';

/** Why an agent's package cannot be started. The host has the words for it. */
export type InstallProblem =
  | { readonly kind: 'noNode' }
  | { readonly kind: 'noNpm' }
  | { readonly kind: 'noUv' }
  | { readonly kind: 'oldNode'; readonly file: string; readonly version: string; readonly wanted: string }
  /** npm failed. `code` is npm's (`E404`, `ENOSPC`), "" if it gave none; `output` its last lines. */
  | { readonly kind: 'npm'; readonly code: string; readonly output: string }
  /** uv failed, with its last lines. */
  | { readonly kind: 'uv'; readonly code: UvTrouble; readonly output: string }
  /** A download failed. `status` is HTTP's. */
  | {
      readonly kind: 'download';
      readonly trouble: DownloadTrouble;
      readonly host: string;
      readonly status?: number;
      readonly output: string;
    }
  /** An archive that cannot or must not be unpacked, and why. */
  | { readonly kind: 'archive'; readonly output: string }
  /** A file of Parley could not be written; `code` is Node's. */
  | { readonly kind: 'disk'; readonly code: string; readonly output: string }
  /** The package is installed, but has no program that can be started. */
  | { readonly kind: 'noProgram'; readonly output: string }
  /** Parley's own runtime does not run on this machine. */
  | { readonly kind: 'ownRuntime'; readonly runtime: RuntimeName; readonly output: string }
  | { readonly kind: 'cancelled' };

/** What Parley can download for agents where the machine lacks it: Node.js with npm, or uv. */
export type RuntimeName = 'node' | 'uv';

/** Problems that a runtime of Parley's own solves. */
export type RuntimeLack = Extract<InstallProblem, { readonly kind: 'noNode' | 'noNpm' | 'oldNode' | 'noUv' }>;

/** True if this runtime of Parley's own solves the problem. */
export function lacks(runtime: RuntimeName, problem: InstallProblem): problem is RuntimeLack {
  const { kind } = problem;
  return runtime === 'uv' ? kind === 'noUv' : kind === 'noNode' || kind === 'noNpm' || kind === 'oldNode';
}

export class InstallFailure extends Error {
  constructor(readonly problem: InstallProblem) {
    super('output' in problem && problem.output ? `${problem.kind}: ${problem.output}` : problem.kind);
    this.name = 'InstallFailure';
  }

  /** Converts any error: those of the file system have a code. */
  static of(error: unknown): InstallFailure {
    if (error instanceof InstallFailure) return error;
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
    return new InstallFailure({ kind: 'disk', code: code ?? '', output: message });
  }
}
