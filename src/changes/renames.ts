/**
 * Which files were moved: one is gone and another has come with the same content. Of several with this content the one of
 * the same name is meant, else the first.
 */
export class Renames {
  private readonly gone = new Map<string, string[]>();
  private readonly come = new Map<string, string[]>();
  private readonly from = new Map<string, string>();

  /** @param before what the file held, @param after what it holds; undefined where there is none. Any text that tells contents apart. */
  note(path: string, before: string | undefined, after: string | undefined): void {
    // Empty files have nothing by which to know them.
    if (before !== undefined && before !== '' && after === undefined) this.pair(path, before, this.gone, this.come, (other) => this.from.set(other, path));
    else if (before === undefined && after !== undefined && after !== '') this.pair(path, after, this.come, this.gone, (other) => this.from.set(path, other));
  }

  /** Where the file at `path` was before; undefined where it was not moved. */
  readonly fromOf = (path: string): string | undefined => this.from.get(path);

  /** All moves that are known, from where each file is to where it was. */
  get moves(): ReadonlyMap<string, string> {
    return this.from;
  }

  /** Takes over what was known in an earlier run. */
  restore(moves: ReadonlyMap<string, string>): void {
    for (const [path, from] of moves) if (!this.from.has(path)) this.from.set(path, from);
  }

  /** The user has given a file another name. */
  moved(from: string, to: string): void {
    const origin = this.from.get(from);
    if (origin === undefined) return;
    this.from.delete(from);
    this.from.set(to, origin);
  }

  /** Nothing that was noted so far can find its counterpart any more. */
  endRound(): void {
    this.gone.clear();
    this.come.clear();
  }

  private pair(path: string, content: string, own: Map<string, string[]>, others: Map<string, string[]>, found: (other: string) => void): void {
    const candidates = others.get(content) ?? [];
    const name = nameOf(path);
    const other = candidates.find((candidate) => nameOf(candidate) === name) ?? candidates[0];
    if (other === undefined) {
      own.set(content, [...(own.get(content) ?? []), path]);
      return;
    }
    others.set(content, candidates.filter((candidate) => candidate !== other));
    found(other);
  }
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
