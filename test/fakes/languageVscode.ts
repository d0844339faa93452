/*
 * What the editor's language tools need of VS Code's API, with a language server made of answers:
 * `vi.mock('vscode', () => import('…/languageVscode'))`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fake from './fakeVscode';

export * from './fakeVscode';

export class Position extends fake.Position {
  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(a: Position | number, b: Position | number, c = 0, d = 0) {
    this.start = typeof a === 'number' ? new Position(a, b as number) : a;
    this.end = typeof a === 'number' ? new Position(c, d) : (b as Position);
  }

  contains(position: Position): boolean {
    return this.start.compareTo(position) <= 0 && this.end.compareTo(position) >= 0;
  }
}

export class Location {
  constructor(
    readonly uri: FileUri,
    readonly range: Range | undefined,
  ) {}
}

export class Diagnostic {
  source: string | undefined;
  code: number | undefined;

  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity = 0,
  ) {}
}

export class RelativePattern {
  constructor(
    readonly base: FileUri,
    readonly pattern: string,
  ) {}
}

export class TabInputNotebook extends fake.TabInputText {}

interface FileUri {
  readonly scheme: string;
  readonly fsPath: string;
  toString(): string;
}

function file(fsPath: string): FileUri {
  return { scheme: 'file', fsPath, toString: () => `file://${fsPath}` };
}

export const Uri = { ...fake.Uri, file, parse: (text: string) => file(text.replace('file://', '')) };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const SymbolKind = { Class: 4, Method: 5, Constructor: 8, Variable: 12, Constant: 13, Function: 11 };

/** A document as it was read, whose text a test may change. */
export class FakeDocument {
  version = 1;
  isDirty = false;
  readonly languageId: string;

  constructor(
    readonly uri: FileUri,
    private text: string,
  ) {
    this.languageId = path.extname(uri.fsPath) === '.ts' ? 'typescript' : path.extname(uri.fsPath).slice(1);
  }

  /** Somebody types. */
  change(text: string): void {
    this.text = text;
    this.version++;
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }

  lineAt(line: number): { readonly text: string } {
    return { text: this.text.split('\n')[line]! };
  }

  getText(range?: Range): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }

  offsetAt({ line, character }: Position): number {
    const lines = this.text.split('\n');
    return Math.min(this.text.length, lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character);
  }

  positionAt(offset: number): Position {
    const before = this.text.slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)!.length);
  }

  getWordRangeAtPosition(): undefined {
    return undefined;
  }
}

/** The language server, and what VS Code shows of it. */
export const server = {
  /** Answers of VS Code's commands. */
  answers: {} as Record<string, (...args: never[]) => unknown>,
  documents: new Map<string, FakeDocument>(),
  published: [] as (readonly [FileUri, readonly Diagnostic[]])[],
  editor: undefined as unknown,
};

export function resetServer(): void {
  Object.assign(server, { answers: {}, documents: new Map(), published: [], editor: undefined });
}

export const commands = {
  executeCommand: async (command: string, ...args: never[]) => server.answers[command]?.(...args),
};

export const extensions = { all: [] };

export const languages = {
  getDiagnostics: (uri?: FileUri) =>
    uri ? server.published.flatMap(([of, found]) => (of.toString() === uri.toString() ? found : [])) : server.published,
  onDidChangeDiagnostics: () => ({ dispose: () => undefined }),
};

export const window = {
  ...fake.window,
  get activeTextEditor() {
    return server.editor;
  },
};

export const workspace = {
  ...fake.workspace,
  get textDocuments() {
    return [...server.documents.values()];
  },
  openTextDocument: async (uri: FileUri) => {
    const known = server.documents.get(uri.fsPath) ?? new FakeDocument(uri, readFileSync(uri.fsPath, 'utf8'));
    server.documents.set(uri.fsPath, known);
    return known;
  },
  /** Patterns are `**` and one or more extensions. */
  findFiles: async ({ base, pattern }: RelativePattern, _exclude: string, most: number) => {
    const endings = /\.\{?([\w,]+)\}?$/.exec(pattern)![1]!.split(',');
    return readdirSync(base.fsPath, { recursive: true, encoding: 'utf8' })
      .filter((name) => endings.includes(path.extname(name).slice(1)))
      .sort()
      .slice(0, most)
      .map((name) => file(path.join(base.fsPath, name)));
  },
};
