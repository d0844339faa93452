import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { Emitter } from '../../base/event';
import type { InstalledPlaces } from './placesOnDisk';

/** What VS Code says of its own folders; all absolute. */
export interface EditorFolders {
  /** Where it lets Parley store data and logs. */
  readonly storage: readonly string[];
  /** Of each installed extension, Parley among them. */
  readonly extensions: readonly string[];
  /** Of VS Code itself. */
  readonly program: string;
  readonly home: string;
  /** Folders in Parley's storage that agents may work in. */
  readonly open: readonly string[];
}

/** Links are looked at again after this time: many paths are checked at once. */
const maxAgeMs = 500;

/**
 * Where VS Code keeps what decides: settings, keys, tasks, snippets, MCP servers, profiles and extensions of the user,
 * and the storage of Parley. No session has these in its folders, whatever folder is open, and no rule allows what
 * touches them.
 */
export class ProtectedPlaces {
  #editor: EditorFolders | undefined;
  #installed: Promise<InstalledPlaces> | undefined;
  /** Keys of the places, links resolved and not. */
  #places: ReadonlySet<string> = new Set();
  #open: ReadonlySet<string> = new Set();
  /** Files of more than one name, by device and number. */
  #twins: ReadonlySet<string> = new Set();
  #reading: Promise<void> | undefined;
  #readAt = -Infinity;
  readonly #changeEmitter = new Emitter<void>();

  /** There are others. */
  readonly onDidChange = this.#changeEmitter.event;

  /**
   * @param keyOf the same for all spellings of a path
   * @param resolve where a path leads, also if there is nothing yet
   */
  constructor(
    private readonly keyOf: (path: string) => string,
    private readonly resolve: (path: string) => Promise<string>,
  ) {}

  /** Begins to protect the places of the VS Code that runs. */
  protect(editor: EditorFolders): void {
    this.#editor = editor;
    this.#installed = undefined;
    this.#readAt = -Infinity;
    this.#set(ownPlaces(editor), editor.open);
    void this.read();
  }

  /** Looks at the disk, if that is more than a moment ago: the user may have made a link there. */
  async whenRead(): Promise<void> {
    if (performance.now() - this.#readAt > maxAgeMs) await this.read();
  }

  /** Looks at the disk again. Never rejects. */
  read(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#readAt = performance.now();
    }));
  }

  /** Whether a path is in such a place, by its text. @param path absolute, links resolved where that matters */
  has(path: string): boolean {
    const key = this.keyOf(path);
    return isUnder(key, this.#places) && !isUnder(key, this.#open);
  }

  /** The same for a file that is there, which may have a second name elsewhere. @param real absolute, links resolved */
  async hasFile(real: string): Promise<boolean> {
    if (this.has(real)) return true;
    if (this.#twins.size === 0) return false;
    const found = await stat(real, { bigint: true }).catch(() => undefined);
    return found !== undefined && this.#twins.has(`${found.dev}:${found.ino}`);
  }

  /** Whether such a place is in a folder, or in what a pattern may stand for. @param path absolute */
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
    const folders = [...ownPlaces(editor), ...data, ...extensions].filter((folder) => !isAround(folder, editor.home));
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

/** As far as VS Code itself tells them. */
function ownPlaces(editor: EditorFolders): readonly string[] {
  const data = dataFolders(editor).filter((folder) => !isAround(folder, editor.home));
  return [...editor.storage, ...data, editor.program].filter((folder) => folder !== '');
}

function dataFolders({ storage }: EditorFolders): readonly string[] {
  return storage.flatMap((folder) => dataFolder(folder) ?? []);
}

/**
 * VS Code's folder for the user's data, in which `User/globalStorage` and the like are.
 * @param storage a folder in it
 */
function dataFolder(storage: string): string | undefined {
  for (let at = storage; nodePath.dirname(at) !== at; at = nodePath.dirname(at)) {
    const parent = nodePath.dirname(at);
    if (nodePath.basename(at) === 'User') return parent;
    // A profile's storage has the profile above it.
    if (
      /^(globalStorage|workspaceStorage)$/.test(nodePath.basename(at)) &&
      !/[\\/]User[\\/]/.test(parent + nodePath.sep)
    )
      return parent;
  }
  return undefined;
}

/** A user's data in the home folder itself would protect everything in it. */
function isAround(folder: string, home: string): boolean {
  return `${home}${nodePath.sep}`.startsWith(folder.endsWith(nodePath.sep) ? folder : folder + nodePath.sep);
}
