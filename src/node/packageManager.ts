import type { AgentPackage } from '../registry/packageNames';
import type { ManagerRun } from './runManager';

/**
 * The progress of an installation. `packages`: `done` of the `total` that this system needs are unpacked, if the
 * manager reports it. `download`: bytes; `total` if the server sends it. `of`: what it is, if it is not the agent.
 */
export type InstallProgress =
  | { readonly step: 'resolving' | 'question' }
  | { readonly step: 'packages'; readonly done?: number; readonly total: number }
  | { readonly step: 'script' }
  | { readonly step: 'download'; readonly done: number; readonly total?: number; readonly of?: string }
  | { readonly step: 'unpacking'; readonly of?: string };

export type RunOptions = Pick<ManagerRun, 'token' | 'tree'>;

/** The input of a manager for filling a staging folder. */
export interface FillRequest extends RunOptions {
  readonly package: AgentPackage;
  readonly store: EnvironmentPlaces;
  readonly onProgress: (progress: InstallProgress) => void;
  /** True if the package's own install script may run; false cancels the installation. Called only if it has one. */
  readonly mayRunScript: () => Promise<boolean>;
}

/** Gives places to files that outlive their staging folder. */
export interface EnvironmentPlaces {
  /** A new folder that belongs to a staging folder even after that is renamed, and is removed with it. Absolute. */
  placeFor(staged: string): Promise<string>;
  /**
   * The file for a download in a staging folder. With a checksum, the beginning of an interrupted download of the same
   * file is there already. Absolute.
   */
  downloadFor(staged: string, checksum: string | undefined): Promise<string>;
}

/** Installs packages from one kind of registry. */
export interface PackageManager {
  /**
   * Installs one exact version into an empty staging folder and checks that it can be started.
   * @throws InstallFailure
   */
  readonly install: (staged: string, request: FillRequest) => Promise<void>;
  /**
   * The newest version of a package and range, such as "gemini@latest".
   * @param folder empty, ours
   * @throws InstallFailure
   */
  readonly newest: (spec: string, folder: string, run: RunOptions) => Promise<string>;
}

/** The way to start an installed agent. */
export interface InstalledProgram {
  /** It is a script for Node; else it is started directly. */
  readonly isScript: boolean;
  /** Absolute. */
  readonly file: string;
  /** Node's options from the script's first line. */
  readonly nodeArgs: readonly string[];
  /** Folder of its own commands by name, for sign-ins that call them by name. */
  readonly binFolder: string;
  /** `engines.node` of its package.json, unchecked. */
  readonly engines: unknown;
}
