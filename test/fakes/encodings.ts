/** VS Code's names of encodings, and Node's. */
const labels: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  windows1251: 'windows-1251',
  windows1252: 'windows-1252',
  shiftjis: 'shift_jis',
  gbk: 'gbk',
};
const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf8bom', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
];
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** `workspace.decode` and `encode` as VS Code has them, with settings and a guess of the test's own. */
export class FakeEncodings {
  readonly settings: Record<string, unknown> = {};
  /** What VS Code would guess, if it may. */
  guess: string | undefined;
  /** Calls that went to the window. */
  calls = 0;

  readonly decode = async (content: Uint8Array, options: { readonly encoding?: string }): Promise<string> => {
    this.calls++;
    const found = this.detected(content);
    if (found === 'binary') throw new Error('Stream is binary but only text is accepted for decoding');
    const set = this.settings['encoding'] === 'utf8bom' ? 'utf8' : this.settings['encoding'];
    const encoding =
      options.encoding ??
      found ??
      (this.settings['autoGuessEncoding'] === true ? this.guess : undefined) ??
      set ??
      'utf8';
    return new TextDecoder(labels[String(encoding)]).decode(content);
  };

  readonly encode = async (text: string, options: { readonly encoding?: string }): Promise<Uint8Array> => {
    this.calls++;
    const encoding = String(options.encoding ?? this.settings['encoding'] ?? 'utf8');
    const mark = marks.find(([name]) => name === encoding)?.[1] ?? [];
    if (encoding.startsWith('utf8')) return Buffer.concat([Buffer.from(mark), Buffer.from(text)]);
    if (encoding.startsWith('utf16')) {
      const units = Buffer.from(text, 'utf16le');
      return Buffer.concat([Buffer.from(mark), encoding === 'utf16le' ? units : units.swap16()]);
    }
    const table = tableOf(encoding);
    return Buffer.from([...text].flatMap((letter) => table.get(letter) ?? [0x3f]));
  };

  /** Other settings for each test. */
  readonly getWorkspaceFolder = () => ({ uri: `folder ${JSON.stringify(this.settings)}` });
  readonly onDidChangeConfiguration = () => ({ dispose: () => undefined });

  readonly getConfiguration = () => ({
    get: (key: string, standard?: unknown) => this.settings[key] ?? standard,
    inspect: (key: string) => (key in this.settings ? { workspaceValue: this.settings[key] } : {}),
  });

  /** By a mark, or by zeros in every second place. */
  private detected(content: Uint8Array): string | undefined {
    const marked = marks.find(([, bytes]) => bytes.every((byte, i) => content[i] === byte))?.[0];
    if (marked || !content.includes(0)) return marked;
    const isZeroAt = (odd: number) => content.subarray(0, 512).every((byte, i) => (byte === 0) === (i % 2 === odd));
    return isZeroAt(1)
      ? 'utf16le'
      : isZeroAt(0)
        ? 'utf16be'
        : content.subarray(0, 512).includes(0)
          ? 'binary'
          : undefined;
  }
}

/** The bytes of each letter, found by decoding all of one and two bytes. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(labels[encoding]);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const letter = decoder.decode(Uint8Array.from(bytes));
    if ([...letter].length === 1 && letter !== '\uFFFD' && !table.has(letter)) table.set(letter, bytes);
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) add(first, second);
  tables.set(encoding, table);
  return table;
}
