import type { FileHandlers } from '../../acp/handlers';
import type { WorkspaceFiles, WorkspaceFilesOptions } from './workspaceFiles';

/**
 * The way to the workspace's files for agents, whose code is loaded with the first `fs/*` request: many agents send
 * none.
 */
export class FilesDoor implements FileHandlers {
  #loading: Promise<WorkspaceFiles> | undefined;

  constructor(private readonly options: WorkspaceFilesOptions) {}

  readonly readTextFile: FileHandlers['readTextFile'] = async (...request) =>
    (await this.#loaded()).readTextFile(...request);

  readonly writeTextFile: FileHandlers['writeTextFile'] = async (...request) =>
    (await this.#loaded()).writeTextFile(...request);

  /** See `WorkspaceFiles.disposeSession`. */
  disposeSession(sessionId: string): void {
    void this.#loading?.then((files) => files.disposeSession(sessionId));
  }

  #loaded(): Promise<WorkspaceFiles> {
    return (this.#loading ??= import('./workspaceFiles').then((lazy) => new lazy.WorkspaceFiles(this.options)));
  }
}
