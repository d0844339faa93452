/** The six kinds of machine for which an index may have an archive. */
export type MachineTarget =
  | 'darwin-aarch64'
  | 'darwin-x86_64'
  | 'linux-aarch64'
  | 'linux-x86_64'
  | 'windows-aarch64'
  | 'windows-x86_64';

/** The arguments and variables with which an agent's program starts. */
export interface LaunchWords {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file to download for one kind of machine: an archive, or the program itself. */
export interface ArchiveTarget extends LaunchWords {
  /** The index's own spelling; may be relative to the index. */
  readonly archive: string;
  /** The program in the archive, a relative path without "..". */
  readonly program: string;
  /** Lower case hex. */
  readonly sha256?: string;
}

/** A package of npm or uv with its exact version. */
export interface PackageTarget extends LaunchWords {
  readonly package: string;
  /** The program of the package, if its name differs from the package's. */
  readonly program?: string;
}

/** One agent of an index, checked. All texts are hostile. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly license?: string;
  /** An address or a path relative to the index. */
  readonly icon?: string;
  readonly binary: Readonly<Partial<Record<MachineTarget, ArchiveTarget>>>;
  readonly npm?: PackageTarget;
  readonly uv?: PackageTarget;
}
