/** Why uv failed, as far as Parley knows its words: uv names no codes. Codes of the system are as Node names them. */
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

/** Why an agent's package is not there to be started. The words for it are the host's. */
export type InstallProblem =
  | { readonly kind: 'noNode' }
  | { readonly kind: 'noNpm' }
  | { readonly kind: 'noUv' }
  | { readonly kind: 'oldNode'; readonly file: string; readonly version: string; readonly wanted: string }
  /** npm has failed. `code` as npm names it (`E404`, `ENOSPC`), "" where it named none; `output` its last lines. */
  | { readonly kind: 'npm'; readonly code: string; readonly output: string }
  /** uv has failed, with its last lines. */
  | { readonly kind: 'uv'; readonly code: UvTrouble; readonly output: string }
  /** A download has failed. `status` is HTTP's. */
  | {
      readonly kind: 'download';
      readonly trouble: DownloadTrouble;
      readonly host: string;
      readonly status?: number;
      readonly output: string;
    }
  /** An archive that cannot be unpacked, or must not be, and why. */
  | { readonly kind: 'archive'; readonly output: string }
  /** A file of ours could not be written; `code` as Node names it. */
  | { readonly kind: 'disk'; readonly code: string; readonly output: string }
  /** The package is there, but has no program that could be started. */
  | { readonly kind: 'noProgram'; readonly output: string }
  | { readonly kind: 'cancelled' };

export class InstallFailure extends Error {
  constructor(readonly problem: InstallProblem) {
    super('output' in problem && problem.output ? `${problem.kind}: ${problem.output}` : problem.kind);
    this.name = 'InstallFailure';
  }

  /** What any error comes to: those of the file system have a code. */
  static of(error: unknown): InstallFailure {
    if (error instanceof InstallFailure) return error;
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
    return new InstallFailure({ kind: 'disk', code: code ?? '', output: message });
  }
}
