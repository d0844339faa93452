import type { FileHandlers } from '../../acp/handlers';
import type { WorkspaceFiles, WorkspaceFilesOptions } from './workspaceFiles';

/** Serves agents' `fs/*` requests, and loads the code for them with the first one: many agents send none. */
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
