import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';

const folder = path.join(import.meta.dirname, '../../out/pictures/sheets');
/** About as much as can be seen at once without being made smaller. */
const SIZE = 1320;
const GAP = 8;

/** Puts pictures of one size on sheets that are large enough to read them. */
export class PictureSheets {
  private pictures: PNG[] = [];
  private titles: string[] = [];
  private count = 0;

  /** @param name of the files: all pictures of one room in one theme */
  constructor(private readonly name: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Removes the sheets of before. */
  static clear(): void {
    rmSync(folder, { recursive: true, force: true });
  }

  add(title: string, picture: PNG): void {
    this.pictures.push(picture);
    this.titles.push(title);
    const { columns, rows } = grid(picture);
    if (this.pictures.length === columns * rows) this.write();
  }

  /** Writes what was added since the last full sheet, and beside each sheet what is on it. */
  write(): void {
    const [first] = this.pictures;
    if (!first) return;
    const { columns } = grid(first);
    const rows = Math.ceil(this.pictures.length / columns);
    const sheet = new PNG({ width: columns * (first.width + GAP), height: rows * (first.height + GAP), fill: true });
    sheet.data.fill(0x80);
    this.pictures.forEach((picture, i) =>
      PNG.bitblt(
        picture,
        sheet,
        0,
        0,
        picture.width,
        picture.height,
        (i % columns) * (first.width + GAP),
        Math.floor(i / columns) * (first.height + GAP),
      ),
    );
    const file = path.join(folder, `${this.name}.${++this.count}`);
    for (let i = 3; i < sheet.data.length; i += 4) sheet.data[i] = 255;
    writeFileSync(`${file}.png`, PNG.sync.write(sheet));
    writeFileSync(`${file}.txt`, `${this.titles.join('\n')}\n`);
    this.pictures = [];
    this.titles = [];
  }
}

function grid({ width, height }: PNG): { readonly columns: number; readonly rows: number } {
  return {
    columns: Math.max(1, Math.floor(SIZE / (width + GAP))),
    rows: Math.max(1, Math.floor(SIZE / (height + GAP))),
  };
}
