import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { Emitter } from '../../base/event';
import { isWithin } from '../../node/isWithin';
import type { InstalledPlaces } from './placesOnDisk';

/** VS Code's information about its own folders; all absolute. */
export interface EditorFolders {
  /** The folders for Parley's data and logs. */
  readonly storage: readonly string[];
  /** Of each installed extension, including Parley. */
  readonly extensions: readonly string[];
  /** Of VS Code itself. */
  readonly program: string;
  readonly home: string;
  /** Folders in Parley's storage in which agents may work. */
  readonly open: readonly string[];
}

/** Links are read again after this time, since many paths are checked at once. */
const maxAgeMs = 500;

/**
 * The places with VS Code's own configuration: settings, keys, tasks, snippets, MCP servers, profiles and extensions of
 * the user, and the storage of Parley. No session has these in its folders, whatever folder is open, and no rule allows
 * access to them.
 */
export class ProtectedPlaces {
  #editor: EditorFolders | undefined;
  #installed: Promise<InstalledPlaces> | undefined;
  /** Keys of the places, links resolved and not. */
  #places: ReadonlySet<string> = new Set();
  #open: ReadonlySet<string> = new Set();
  /** Files with more than one name, by device and number. */
  #twins: ReadonlySet<string> = new Set();
  #reading: Promise<void> | undefined;
  #readAt = -Infinity;
  readonly #changeEmitter = new Emitter<void>();

  /** The set of places has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  /**
   * @param keyOf equal for all spellings of a path
   * @param resolve the target of a path, even if it does not exist yet
   */
  constructor(
    private readonly keyOf: (path: string) => string,
    private readonly resolve: (path: string) => Promise<string>,
  ) {}

  /** Begins to protect the places of the running VS Code. */
  protect(editor: EditorFolders): void {
    this.#editor = editor;
    this.#installed = undefined;
    this.#readAt = -Infinity;
    this.#set(ownPlaces(editor), editor.open);
    void this.read();
  }

  /** Reads the disk if the last time was not just now: the user may have made a link there. */
  async whenRead(): Promise<void> {
    if (performance.now() - this.#readAt > maxAgeMs) await this.read();
  }

  /** Reads the disk again. Never rejects. */
  read(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#readAt = performance.now();
    }));
  }

  /** Whether a path is in a protected place, by its text. @param path absolute, links resolved if that matters */
  has(path: string): boolean {
    const key = this.keyOf(path);
    return isUnder(key, this.#places) && !isUnder(key, this.#open);
  }

  /** The same for an existing file, which may have a second name elsewhere. @param real absolute, links resolved */
  async hasFile(real: string): Promise<boolean> {
    if (this.has(real)) return true;
    if (this.#twins.size === 0) return false;
    const found = await stat(real, { bigint: true }).catch(() => undefined);
    return found !== undefined && this.#twins.has(`${found.dev}:${found.ino}`);
  }

  /** Whether a protected place is in a folder, or matches a pattern. @param path absolute */
  isAbove(path: string): boolean {
    const names = path.split(/(?<=[\\/])/);
    const first = names.findIndex((name) => /[*?[{(]/.test(name));
    const folder = this.keyOf(first < 0 ? path : nodePath.normalize(names.slice(0, first).join('')));
    const start = /[\\/]$/.test(folder) ? folder : folder + nodePath.sep;
    return [...this.#places].some((place) => place.startsWith(start) || (first >= 0 && place === folder));
  }

  async #read(): Promise<void> {
    const editor = this.#editor;
    if (!editor) return;
    const { installedPlaces, linksFrom } = await import('./placesOnDisk');
    const { data, extensions } = await (this.#installed ??= installedPlaces(editor, dataFolders(editor)));
    const folders = [...ownPlaces(editor), ...data, ...extensions].filter((folder) => !isWithin(editor.home, folder));
    const { links, twins } = await linksFrom(data, this.resolve);
    const open = await Promise.all(editor.open.map(this.resolve));
    if (this.#editor !== editor) return;
    this.#twins = twins;
    this.#set([...folders, ...(await Promise.all(folders.map(this.resolve))), ...links], [...editor.open, ...open]);
  }

  #set(places: readonly string[], open: readonly string[]): void {
    const keys = new Set(places.map((place) => this.keyOf(nodePath.normalize(place))));
    const isSame = keys.size === this.#places.size && [...keys].every((key) => this.#places.has(key));
    this.#places = keys;
    this.#open = new Set(open.map((place) => this.keyOf(nodePath.normalize(place))));
    if (!isSame) this.#changeEmitter.fire();
  }
}

function isUnder(key: string, places: ReadonlySet<string>): boolean {
  for (let at = key; ; at = nodePath.dirname(at)) {
    if (places.has(at)) return true;
    if (nodePath.dirname(at) === at) return false;
  }
}

/** The places that VS Code itself reports. */
function ownPlaces(editor: EditorFolders): readonly string[] {
  // User data directly in the home folder would protect everything in it.
  const data = dataFolders(editor).filter((folder) => !isWithin(editor.home, folder));
  return [...editor.storage, ...data, editor.program].filter((folder) => folder !== '');
}

function dataFolders({ storage }: EditorFolders): readonly string[] {
  return storage.flatMap((folder) => dataFolder(folder) ?? []);
}

/**
 * VS Code's folder for the user's data, with `User/globalStorage` and the like.
 * @param storage a folder in it
 */
function dataFolder(storage: string): string | undefined {
  for (let at = storage; nodePath.dirname(at) !== at; at = nodePath.dirname(at)) {
    const parent = nodePath.dirname(at);
    if (nodePath.basename(at) === 'User') return parent;
    // A profile's storage is below the profile.
    if (
      /^(globalStorage|workspaceStorage)$/.test(nodePath.basename(at)) &&
      !/[\\/]User[\\/]/.test(parent + nodePath.sep)
    )
      return parent;
  }
  return undefined;
}
