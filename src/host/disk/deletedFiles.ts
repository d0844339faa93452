import type { KeptBytes, OriginalRecord } from '../../review/opaqueEntry';
import type { ByteFolder } from '../stores/byteFolder';
import type { OriginalFile } from '../review/carryOut';
import { digest } from '../stores/contentName';

/** Bytes of all files together; the oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Text files that agents have deleted, byte by byte: what is brought back later keeps encoding, line ends and permissions, after a restart too. */
export class DeletedFiles {
  private files = new Map<string, OriginalRecord>();

  constructor(
    private readonly bytes: ByteFolder,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** All that are known, to be kept over a restart. */
  get saved(): ReadonlyMap<string, OriginalRecord> {
    return this.files;
  }

  /** Takes over what was kept; what was deleted since is newer. */
  restore(saved: ReadonlyMap<string, OriginalRecord>): void {
    this.files = new Map([...saved, ...this.files]);
  }

  /** A file that held `text` is gone. */
  keep(path: string, text: string, { bytes, mode }: OriginalFile): void {
    const kept: KeptBytes = this.bytes.put(bytes);
    this.files.delete(path);
    this.files.set(path, { digest: digest(text)!, kept, ...(mode === undefined ? {} : { mode }) });
    let total = [...this.files.values()].reduce((sum, file) => sum + file.kept.size, 0);
    for (const [oldest, file] of this.files) {
      if (total <= this.maxBytes) break;
      this.files.delete(oldest);
      total -= file.kept.size;
    }
  }

  /** The file that held this text, where it is known and kept. */
  async get(path: string, text: string): Promise<OriginalFile | undefined> {
    const file = this.files.get(path);
    if (file?.digest !== digest(text)) return undefined;
    const bytes = await this.bytes.read(file.kept).catch(() => undefined);
    return bytes && { bytes, mode: file.mode };
  }
}
