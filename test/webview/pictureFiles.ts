import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const root = path.join(import.meta.dirname, '../..');
/** The stored pictures and trees. */
export const storedFolder = path.join(import.meta.dirname, 'pictures');
/** What differed. */
const outFolder = path.join(root, 'out/pictures');

/** So different may a pixel's colour be, of 1. Edges of letters are left out. */
const THRESHOLD = 0.1;
/** So many pixels may differ: less than a letter. */
const MAX_PIXELS = 12;

/** A stored picture, to compare another with. */
export class StoredPicture {
  private readonly stored: PNG | undefined;

  constructor(readonly name: string) {
    this.stored = existsSync(this.file) ? PNG.sync.read(readFileSync(this.file)) : undefined;
  }

  /** What was captured, as it is compared. */
  static read(png: Buffer): PNG {
    return coarse(PNG.sync.read(png));
  }

  /** How many pixels differ; all of them where there is no stored picture, or one of another size. */
  difference(actual: PNG, drawn?: PNG): number {
    const { stored } = this;
    if (stored?.width !== actual.width || stored.height !== actual.height) return actual.width * actual.height;
    if (!drawn && stored.data.equals(actual.data)) return 0;
    const count = pixelmatch(stored.data, actual.data, drawn?.data, actual.width, actual.height, {
      threshold: THRESHOLD,
    });
    return count <= MAX_PIXELS ? 0 : count;
  }

  /** Writes the three pictures. @returns what a tester reads */
  report(actual: PNG): string {
    const drawn = new PNG({ width: actual.width, height: actual.height });
    const count = this.difference(actual, drawn);
    mkdirSync(outFolder, { recursive: true });
    const write = (kind: string, picture: PNG | undefined) =>
      picture && writeFileSync(path.join(outFolder, `${this.name}.${kind}.png`), PNG.sync.write(picture));
    write('expected', this.stored);
    write('actual', actual);
    write('difference', drawn);
    return `${this.name}: ${this.stored ? `${count} pixels differ` : 'no picture is stored'}, see out/pictures/${this.name}.{expected,actual,difference}.png`;
  }

  accept(actual: PNG): void {
    mkdirSync(storedFolder, { recursive: true });
    // Another picture of the same looks would only make the repository grow.
    if (this.difference(actual) > 0) writeFileSync(this.file, packed(actual));
  }

  private get file(): string {
    return path.join(storedFolder, `${this.name}.png`);
  }
}

/** The text of a stored tree; none where it is missing. */
export function storedTree(name: string): string {
  const file = path.join(storedFolder, `${name}.yml`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Stores a tree. */
export function acceptTree(name: string, tree: string): void {
  mkdirSync(storedFolder, { recursive: true });
  writeFileSync(path.join(storedFolder, `${name}.yml`), tree);
}

/** Removes what is stored of states that are no more. */
export function removeStored(file: string): void {
  rmSync(path.join(storedFolder, file));
}

/** Exact where the areas of the themes are, near black and white; coarse between, where the edges of letters are. */
const levels = Uint8Array.from({ length: 256 }, (_, value) => {
  const step = value < 48 || value >= 216 ? 4 : 24;
  return Math.min(255, Math.round(value / step) * step);
});

/** The same picture in few colours: both sides of a comparison are, so it costs no exactness beyond these steps. */
function coarse(picture: PNG): PNG {
  const { data } = picture;
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : levels[data[i]!]!;
  return picture;
}

/** A PNG with a palette where that is enough: a third of the size, and pngjs writes none. */
function packed({ width, height, data }: PNG): Buffer {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const colours = [...new Set(pixels)].toSorted((a, b) => a - b);
  if (colours.length > 256) return PNG.sync.write({ width, height, data } as PNG, { colorType: 2, deflateLevel: 9 });
  const indexOf = new Map(colours.map((colour, i) => [colour, i]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, i) => (rows[i + Math.floor(i / width) + 1] = indexOf.get(colour)!));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, from a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(
    colours.flatMap((colour) => [colour & 0xff, (colour >> 8) & 0xff, (colour >> 16) & 0xff]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
