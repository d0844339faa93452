import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { decodeOpaqueEntry, decodeOriginal, type OpaqueEntry, type OriginalRecord, type SavedOpaque } from '../../review/opaqueEntry';
import { type StoreFiles, storeFiles } from '../storage/blobFolder';
import type { ByteFolder } from '../storage/byteFolder';
import { namesIn } from '../storage/contentName';
import { WriteBehind } from '../storage/writeBehind';

const INDEX = 'index.json';

/**
 * Keeps over a reload and a restart what waits for review and has no lines. The bytes are on disk before the index that
 * names them, which is replaced in one step: a crash leaves the state before or the state after.
 */
export class OpaqueStore extends Disposable {
  private readonly disk: WriteBehind;
  /** What stands in the index. */
  private written: string | undefined;

  /** @param state what shall be kept now. */
  constructor(
    private readonly folder: string,
    private readonly bytes: ByteFolder,
    private readonly state: () => SavedOpaque,
    clock: Clock,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {
    super();
    this.disk = this.register(new WriteBehind({ folder, what: 'changes of binary files', write: () => this.write(), clock, log, files }));
  }

  /** Hands over what was kept; from then on the store follows. Damaged parts are left out and logged. */
  async open(take: (saved: SavedOpaque) => void): Promise<void> {
    take(await this.load());
    this.disk.open();
  }

  /** Something has changed; saves a moment later. */
  schedule(): void {
    this.disk.schedule();
  }

  /** Saves now, one after the other. */
  save(): Promise<void> {
    return this.disk.save();
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    this.disk.flushSync(() => {
      this.bytes.flushSync();
      this.disk.replaceSync(INDEX, encode(this.state()));
    });
  }

  private async write(): Promise<void> {
    const index = encode(this.state());
    if (index === this.written) return;
    await this.bytes.settled();
    await this.files.makeFolder(this.folder);
    if (!(await this.disk.replace(INDEX, index))) return;
    this.written = index;
    // What the index names, and what the next one will.
    const named = new Set([...namesIn(index), ...namesIn(encode(this.state()))]);
    await this.bytes.sweep((name) => this.disk.isClosed || named.has(name));
  }

  private async load(): Promise<SavedOpaque> {
    const entries = new Map<string, Map<string, OpaqueEntry>>();
    const moves = new Map<string, string>();
    const originals: [string, OriginalRecord][] = [];
    const { rows, moved, files } = await this.readIndex();
    for (const row of rows) {
      const [sessionId, path, raw] = Array.isArray(row) ? (row as unknown[]) : [];
      const entry = decodeOpaqueEntry(raw);
      if (typeof sessionId === 'string' && typeof path === 'string' && entry) entries.set(sessionId, (entries.get(sessionId) ?? new Map<string, OpaqueEntry>()).set(path, entry));
      else this.log.warn(`A change${typeof path === 'string' ? ` in ${path}` : ''} could not be read again`);
    }
    for (const pair of moved) {
      const [to, from] = Array.isArray(pair) ? (pair as unknown[]) : [];
      if (typeof to === 'string' && typeof from === 'string') moves.set(to, from);
    }
    for (const pair of files) {
      const [path, raw] = Array.isArray(pair) ? (pair as unknown[]) : [];
      const original = decodeOriginal(raw);
      if (typeof path === 'string' && original) originals.push([path, original]);
    }
    return { entries, moves, originals };
  }

  private async readIndex(): Promise<Readonly<Record<'rows' | 'moved' | 'files', readonly unknown[]>>> {
    const raw = await this.disk.readJson(INDEX);
    const list = (key: string): readonly unknown[] => {
      const value: unknown = typeof raw === 'object' && raw !== null && key in raw ? (raw as Record<string, unknown>)[key] : undefined;
      return Array.isArray(value) ? value : [];
    };
    return { rows: list('rows'), moved: list('moves'), files: list('originals') };
  }
}

function encode({ entries, moves, originals }: SavedOpaque): string {
  const rows = [...entries].flatMap(([sessionId, files]) => [...files].map(([path, entry]) => [sessionId, path, entry]));
  return JSON.stringify({ version: 1, rows, moves: [...moves], originals });
}
