import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { Disposable, toDisposable } from '../../../base/lifecycle';
import type { Clock } from '../../../base/scheduler';
import { pathKey } from '../../files/pathPolicy';
import { digest, nameOf } from '../../storage/contentName';

/**
 * What windows of this editor tell each other while an agent works in one of them: which files the person has just saved in
 * another one. Each window writes one small file; names and texts are there as digests only.
 */
export interface WindowSaves {
  /** Absolute; the same for all windows. */
  readonly folder: string;
  /** Names this window. */
  readonly id: string;
  readonly clock: Clock;
}

interface Saved {
  readonly at: number;
  readonly path: string;
  readonly text: string;
}

/** A save and the change of its file are one where they are no further apart. Milliseconds. */
const NEAR_MS = 5_000;
/** What is older says nothing any more. Milliseconds. */
const FRESH_MS = 60_000;
/** A window that has ended badly leaves its files behind. Milliseconds. */
const STALE_MS = 24 * 60 * 60_000;
const MAX_SAVES = 200;
const MAX_WINDOWS = 50;
const MAX_BYTES = 64 * 1024;

/** Tells other windows what the person saves in this one, as long as an agent works in one of them. */
export class SaveAnnouncer extends Disposable {
  private saves: readonly Saved[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly window: WindowSaves) {
    super();
    this.register(toDisposable(() => void (this.saves.length > 0 && this.last.then(() => rm(this.file, { force: true }), () => undefined))));
  }

  /** The person has saved a file. @returns when it is told. */
  saved(path: string, text: string): Promise<void> {
    const at = this.window.clock.now();
    return (this.last = this.last.then(() => this.tell(at, path, text)).catch(() => undefined));
  }

  private async tell(at: number, path: string, text: string): Promise<void> {
    const { folder, id, clock } = this.window;
    const working = (await readdir(turnsIn(folder)).catch(() => [])).filter((name) => name !== id);
    if (working.length === 0 || this.store.isDisposed) return;
    const save: Saved = { at, path: nameOfPath(path), text: digest(text)! };
    this.saves = [...this.saves.filter(({ at }) => at > clock.now() - FRESH_MS), save].slice(-MAX_SAVES);
    // Whoever reads sees all of it or what was before.
    await writeFile(`${this.file}.new`, JSON.stringify(this.saves));
    await rename(`${this.file}.new`, this.file);
  }

  private get file(): string {
    return nodePath.join(this.window.folder, `${this.window.id}.json`);
  }
}

/** Hears what the person saves in other windows, and has them tell of it as long as it lives. */
export class SavedElsewhere extends Disposable {
  private readonly heard = new Map<string, { readonly at: number; readonly saves: readonly Saved[] }>();

  constructor(private readonly window: WindowSaves) {
    super();
    const { folder, id } = window;
    const mark = nodePath.join(turnsIn(folder), id);
    const marked = this.mark(mark).catch(() => undefined);
    this.register(toDisposable(() => void marked.then(() => rm(mark, { force: true })).catch(() => undefined)));
  }

  /** Reads what has been told since. */
  async refresh(): Promise<void> {
    const { folder, id } = this.window;
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json') && name !== `${id}.json`);
    await Promise.all(names.slice(0, MAX_WINDOWS).map((name) => this.read(nodePath.join(folder, name)).catch(() => undefined)));
  }

  /** Whether the person has put this into a file, in another window. @param at when the file changed, epoch ms. */
  explains(path: string, text: string | undefined, at: number): boolean {
    if (text === undefined || this.heard.size === 0) return false;
    const [name, content] = [nameOfPath(path), digest(text)];
    return [...this.heard.values()].some(({ saves }) => saves.some((save) => save.path === name && save.text === content && Math.abs(save.at - at) <= NEAR_MS));
  }

  private async mark(mark: string): Promise<void> {
    const folder = nodePath.dirname(mark);
    await mkdir(folder, { recursive: true });
    await writeFile(mark, '');
    for (const name of await readdir(folder)) {
      const file = nodePath.join(folder, name);
      if (file !== mark && (await this.isStale(file))) await rm(file, { force: true });
    }
  }

  private async isStale(file: string): Promise<boolean> {
    return (await stat(file)).mtimeMs < this.window.clock.now() - STALE_MS;
  }

  private async read(file: string): Promise<void> {
    const { mtimeMs, size } = await stat(file);
    if (await this.isStale(file)) return rm(file, { force: true });
    if (size > MAX_BYTES || this.heard.get(file)?.at === mtimeMs) return;
    const told: unknown = JSON.parse(await readFile(file, 'utf8'));
    this.heard.set(file, { at: mtimeMs, saves: Array.isArray(told) ? told.slice(-MAX_SAVES).filter(isSaved) : [] });
  }
}

function turnsIn(folder: string): string {
  return nodePath.join(folder, 'turns');
}

/** One name for all spellings: the other window may spell the path in its own way. */
function nameOfPath(path: string): string {
  return nameOf(pathKey(path)).slice(0, 32);
}

function isSaved(value: unknown): value is Saved {
  const save = value as Partial<Record<keyof Saved, unknown>> | null;
  return typeof save === 'object' && save !== null && typeof save.at === 'number' && typeof save.path === 'string' && typeof save.text === 'string';
}
