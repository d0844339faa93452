import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** An entry of an archive, as hostile as a test wants it. */
export interface ArchiveEntry {
  readonly name: string;
  readonly text?: string;
  readonly mode?: number;
  /** Of tar: "0" a file, "1" a hard link, "2" a symbolic link, "3" and "4" devices, "5" a folder, "6" a pipe. */
  readonly type?: string;
  /** Where a link leads. */
  readonly target?: string;
}

/** A tar with just these entries, whatever they say. */
export function tarOf(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.text ?? '');
    return [tarHeader(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function tarGzOf(entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

function tarHeader({ name, mode = 0o644, type = '0', target = '' }: ArchiveEntry, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A zip from Unix; with `type` "2" an entry is a symbolic link. @param madeBy 3 for Unix, 0 for Windows */
export function zipOf(entries: readonly ArchiveEntry[], madeBy = 3): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text = '', target, mode = 0o644, type = '0' } of entries) {
    const content = Buffer.from(target ?? text);
    const packed = deflateRawSync(content);
    const kind = { '0': 0o100000, '2': 0o120000, '3': 0o020000, '5': 0o040000, '6': 0o010000 }[type] ?? 0;
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(madeBy === 0 ? 0 : ((kind | mode) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from(['P', 'K'].map((c) => c.charCodeAt(0)).concat([1, 2, 20, madeBy])),
      common,
      rest,
      nameBytes,
    );
    offset += 30 + nameBytes.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

/** A tar.bz2 with the program `bin/agent`. */
export const tarBz2 = Buffer.from(
  'QlpoOTFBWSZTWetfcdEAAF3bgMqSaAHbgAIAeuGeAAgIIAB1DSah6j1AAHogxBJRA0BoaAAaR9tGoQUSoQh/mDhlTp0CGBTzIeXxf7CDYVhK4EGMge7Z9GGRHBl1Met8PBKMRIViCLPgLPJJB+LuSKcKEh1r7jog',
  'base64',
);
