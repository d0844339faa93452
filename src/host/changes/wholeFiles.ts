import type { Snapshot } from '../../changes/wholeChange';
import type { ByteFolder } from '../storage/byteFolder';
import type { FileContent } from './disk/diskContent';
import { refuseUnsaved } from '../files/unsavedWork';

/** Files as a whole, as the review of changes without lines needs them. */
export interface WholeFiles {
  /** What stands there now; undefined where that is no regular file. */
  look(path: string): Promise<Snapshot | undefined>;
  /** @throws Error where an editor of any kind holds work on the file that is not saved. */
  refuseUnsaved(path: string): void;
  /**
   * Makes a file hold this, or be gone.
   * @returns what it holds then. @throws Error where that is not kept any more, or cannot be written.
   */
  put(path: string, snapshot: Snapshot, bytes: ByteFolder): Promise<FileContent>;
  /** Makes a file hold a text, or its bytes, in the place of what is none. @throws Error where it cannot be written. */
  putText(path: string, content: string | Uint8Array): Promise<void>;
  /** Gives a file another name. @throws Error where something has that name, or it cannot be done. */
  move(from: string, to: string): Promise<void>;
  /** Makes a file a program, or none. The rest of the permissions is the person's. @returns what it holds */
  setProgram(path: string, isProgram: boolean): Promise<FileContent>;
}

const disk = async (): Promise<WholeFiles> => (await import('./wholeFilesOnDisk')).wholeFilesOnDisk;

/** The same, loaded when something is done with a file. */
export const wholeFiles: WholeFiles = {
  refuseUnsaved,
  look: async (...args) => (await disk()).look(...args),
  put: async (...args) => (await disk()).put(...args),
  putText: async (...args) => (await disk()).putText(...args),
  move: async (...args) => (await disk()).move(...args),
  setProgram: async (...args) => (await disk()).setProgram(...args),
};
