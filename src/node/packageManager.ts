import type { AgentPackage } from '../registry/packageNames';
import type { ManagerRun } from './runManager';

/**
 * How far an installation is. `packages`: of the `total` that this system needs, `done` are unpacked, where the manager
 * says so. `download`: bytes; `total` where the server says it.
 */
export type InstallProgress =
  | { readonly step: 'resolving' | 'question' }
  | { readonly step: 'packages'; readonly done?: number; readonly total: number }
  | { readonly step: 'script' }
  | { readonly step: 'download'; readonly done: number; readonly total?: number }
  | { readonly step: 'unpacking' };

export type RunOptions = Pick<ManagerRun, 'token' | 'tree'>;

/** What a manager needs to know to fill a staging folder. */
export interface FillRequest extends RunOptions {
  readonly package: AgentPackage;
  readonly store: EnvironmentPlaces;
  readonly onProgress: (progress: InstallProgress) => void;
  /** Whether the package's own install script may run; false cancels the installation. Asked only where it has one. */
  readonly mayRunScript: () => Promise<boolean>;
}

/** Gives folders to what must not be moved once it is installed. */
export interface EnvironmentPlaces {
  /** A new folder that belongs to a staging folder wherever that is moved, and goes with it. Absolute. */
  placeFor(staged: string): Promise<string>;
}

/** What installs packages from one kind of registry. */
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

/** How an installed agent is started. */
export interface InstalledProgram {
  /** It is a script for Node; else it is started by itself. */
  readonly isScript: boolean;
  /** Absolute. */
  readonly file: string;
  /** What its first line hands to Node. */
  readonly nodeArgs: readonly string[];
  /** Its own commands by name, for sign-ins that call it so. */
  readonly binFolder: string;
  /** `engines.node` of its package.json, unchecked. */
  readonly engines: unknown;
}
