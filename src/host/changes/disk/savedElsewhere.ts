import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { decoded, number, objectOf, rightOf, text } from '../../../base/decode';
import { Disposable, toDisposable } from '../../../base/lifecycle';
import { eachEntry } from '../../../node/eachEntry';
import { digest } from '../../storage/contentName';
import { MAX_SAVES, nameOfPath, type Saved, turnsIn, type WindowSaves } from './saveAnnouncer';

/** A save explains a change of its file up to this far apart. Milliseconds. */
const NEAR_MS = 5_000;
/** A crashed window leaves its files behind; they are removed at this age. Milliseconds. */
const STALE_MS = 24 * 60 * 60_000;
const MAX_WINDOWS = 50;
const MAX_BYTES = 64 * 1024;

/** Reads the user's saves in other windows, and makes them record saves while it lives. */
export class SavedElsewhere extends Disposable {
  readonly #heard = new Map<string, { readonly at: number; readonly saves: readonly Saved[] }>();

  constructor(private readonly window: WindowSaves) {
    super();
    const { folder, id } = window;
    const mark = nodePath.join(turnsIn(folder), id);
    const marked = this.#mark(mark).catch(() => undefined);
    this.register(toDisposable(() => void marked.then(() => rm(mark, { force: true })).catch(() => undefined)));
  }

  /** Reads new records. */
  async refresh(): Promise<void> {
    const { folder, id } = this.window;
    const names = (await readdir(folder).catch(() => [])).filter(
      (name) => name.endsWith('.json') && name !== `${id}.json`,
    );
    await Promise.all(
      names.slice(0, MAX_WINDOWS).map((name) => this.#read(nodePath.join(folder, name)).catch(() => undefined)),
    );
  }

  /** True if the user saved this text in another window. @param at when the file changed, epoch ms. */
  explains(path: string, text: string | undefined, at: number): boolean {
    if (text === undefined || this.#heard.size === 0) return false;
    const [name, content] = [nameOfPath(path), digest(text)];
    return [...this.#heard.values()].some(({ saves }) =>
      saves.some((save) => save.path === name && save.text === content && Math.abs(save.at - at) <= NEAR_MS),
    );
  }

  async #mark(mark: string): Promise<void> {
    const folder = nodePath.dirname(mark);
    await mkdir(folder, { recursive: true });
    await writeFile(mark, '');
    // A file that cannot be removed does no harm.
    await eachEntry(
      readdir(folder),
      () => undefined,
      async (name) => {
        const file = nodePath.join(folder, name);
        if (file !== mark && (await this.#isStale(file))) await rm(file, { force: true });
      },
    );
  }

  async #isStale(file: string): Promise<boolean> {
    return (await stat(file)).mtimeMs < this.window.clock.now() - STALE_MS;
  }

  async #read(file: string): Promise<void> {
    const { mtimeMs, size } = await stat(file);
    if (await this.#isStale(file)) return rm(file, { force: true });
    if (size > MAX_BYTES || this.#heard.get(file)?.at === mtimeMs) return;
    const saves = decoded(savedList, JSON.parse(await readFile(file, 'utf8'))) ?? [];
    this.#heard.set(file, { at: mtimeMs, saves: saves.slice(-MAX_SAVES) });
  }
}

const savedList = rightOf(objectOf<Saved>({ at: number, path: text, text }));
