import { isAscii, isUtf8 } from 'node:buffer';
import { EOL } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type LineEnds, lineEndsOf, withLineEndsOf } from '../../changes/lineEnds';
import { withLineFeeds } from '../../changes/lineFeeds';

/** An encoding by VS Code's name, or that of the settings for a file. */
export type Encoding = { readonly encoding: string } | { readonly uri: vscode.Uri };

/** The text of a file, and its encoding. */
export interface FileText {
  /** Without byte order mark. */
  readonly text: string;
  readonly ends: LineEnds;
  /**
   * The encoding in which the text gives exactly the file's bytes. Undefined: there is none. Then the file can be
   * shown, but must not be saved as text.
   */
  readonly encoding: Encoding | undefined;
}

/** Saving a file as text would lose something. The message is for users: it follows a file's name and a colon. */
export class TextLossError extends Error {
  override readonly name = 'TextLossError';

  /** @param encoding VS Code's name of the file's encoding; undefined if it comes from the settings of its language. */
  constructor(
    readonly reason: 'not_text' | 'unsaved_changes' | 'not_in_encoding',
    readonly encoding?: string,
  ) {
    super(lossOf(reason, encoding ?? encodingOfLanguage()));
  }

  /** The problem of the file, as a title for users. */
  titleFor(path: string): string {
    const encoding = this.encoding ?? encodingOfLanguage();
    switch (this.reason) {
      case 'not_text':
        return l10n.t('{0} is not valid text in {1}', path, encoding);
      case 'not_in_encoding':
        return l10n.t('{0} is saved in {1}, which can’t represent some characters of the new text', path, encoding);
      case 'unsaved_changes':
        return l10n.t('{0} has mixed line endings and unsaved changes', path);
    }
  }

  /** Advice for the user. */
  get remedy(): string {
    return remedyFor(this.reason);
  }
}

function lossOf(reason: TextLossError['reason'], encoding: string): string {
  switch (reason) {
    case 'not_text':
      return [
        l10n.t(
          'it is not valid text in {0}, so Parley left it unchanged. Saving it would change bytes that nobody edited.',
          encoding,
        ),
        remedyFor(reason),
      ].join(' ');
    case 'not_in_encoding':
      return [
        l10n.t(
          'it is saved in {0}, which can’t represent some characters of the new text, so Parley left it unchanged.',
          encoding,
        ),
        remedyFor(reason),
      ].join(' ');
    case 'unsaved_changes':
      return [
        l10n.t(
          'it has mixed line endings and unsaved changes, so Parley left it unchanged. Saving it would change all line endings.',
        ),
        remedyFor(reason),
      ].join(' ');
  }
}

function remedyFor(reason: TextLossError['reason']): string {
  switch (reason) {
    case 'not_text':
      return l10n.t('Set "files.encoding" for it, or use "Reopen with Encoding", and try again.');
    case 'not_in_encoding':
      return l10n.t('Set "files.encoding" for it, or save it with the encoding UTF-8, and try again.');
    case 'unsaved_changes':
      return l10n.t('Save or revert it first.');
  }
}

function encodingOfLanguage(): string {
  return l10n.t('the encoding set for its language');
}

/**
 * Decodes the bytes of a file as VS Code does. Only this decides whether a file is text, and may be saved as text.
 * @param shown the encoding of the file's document, if it is open. It is tried first, unless the file has changed since
 * the document was read.
 * @returns undefined if VS Code considers it binary.
 */
export async function fileText(path: string, bytes: Buffer, shown?: string): Promise<FileText | undefined> {
  const mark = markOf(bytes);
  const inEditor =
    shown === undefined
      ? undefined
      : await decoded(bytes, { encoding: shown === 'utf8' && mark === 'utf8bom' ? mark : shown });
  if (inEditor?.encoding) return inEditor;
  const found = await detected(bytes, mark, vscode.Uri.file(path));
  return found?.encoding ? found : (inEditor ?? found);
}

/**
 * The bytes of another text in the encoding of a file, with its mark; each line keeps its line ending.
 * @param before the file as it was, for lines that return from it. @throws TextLossError
 */
export async function encodedLike(
  path: string,
  { text, ends, encoding }: FileText,
  fresh: string,
  before?: FileText,
): Promise<Buffer> {
  const uri = vscode.Uri.file(path);
  if (!encoding) throw notText(encodingName({ uri }));
  const plain = withLineFeeds(withoutMark(fresh));
  if (ends === 'mixed') return encodedAs(encoding, withLineEndsOf(plain, before ? [text, before.text] : [text]));
  return encodedAs(encoding, plain.replaceAll('\n', ends === '' ? newLine(uri) : ends));
}

/** @param encoding VS Code's name of the file's assumed encoding. */
export function notText(encoding: string | undefined): TextLossError {
  return new TextLossError('not_text', encoding);
}

/**
 * Encodes a text with its final line endings.
 * @throws TextLossError if the encoding lacks some of its characters.
 */
async function encodedAs(encoding: Encoding, text: string): Promise<Buffer> {
  const bytes = await encoded(text, encoding);
  // Every encoding has a NUL, and it makes a file binary.
  if (text.includes('\0') || (await decoded(bytes, encoding))?.text === text) return bytes;
  throw new TextLossError('not_in_encoding', encodingName(encoding));
}

/**
 * The bytes of a new file.
 * @param content final; a byte order mark stays.
 * @throws TextLossError as above.
 */
export async function encodedNew(path: string, content: string): Promise<Buffer> {
  const text = withoutMark(content);
  const bytes = await encodedAs(settingsFor(vscode.Uri.file(path)).asNew, text);
  return text !== content && bytes.equals(Buffer.from(text)) ? encoded(text, { encoding: 'utf8bom' }) : bytes;
}

/** VS Code's name of an encoding; undefined if it comes from the settings of a language. */
export function encodingName(encoding: Encoding): string | undefined {
  if ('encoding' in encoding) return encoding.encoding;
  const files = vscode.workspace.getConfiguration('files', encoding.uri);
  return isByLanguage(files, 'encoding') ? undefined : files.get<string>('encoding', 'utf8');
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line ending of new lines in a file without any. */
function newLine(uri: vscode.Uri): string {
  const set = vscode.workspace.getConfiguration('files', uri).get<string>('eol', 'auto');
  return set === '\n' || set === '\r\n' ? set : EOL;
}

async function detected(bytes: Buffer, mark: string | undefined, uri: vscode.Uri): Promise<FileText | undefined> {
  if (mark) return decoded(bytes, { encoding: mark });
  const { asNew, mayGuess, isWide } = settingsFor(uri);
  // A file without a mark does not get one.
  const asOld = isUtf8In(asNew) ? utf8 : asNew;
  const hasZero = bytes.includes(0);
  if (asOld === utf8 && !mayGuess && !hasZero && isUtf8(bytes)) return decoded(bytes, utf8);
  // These bytes are the same in all other encodings. Asking the window would take most of the time for thousands of
  // files.
  if (!isWide && !hasZero && isAscii(bytes) && !bytes.includes(ESCAPE)) return made(bytes.toString('latin1'), asOld);
  const found = await decoded(bytes, { uri });
  if (!found || found.encoding || found.text.includes('\uFFFD')) return found;
  // VS Code may guess encodings, and does not report the guessed one.
  for (const encoding of guessed) {
    const guess = await decoded(bytes, { encoding });
    if (guess?.encoding && guess.text === found.text) return guess;
  }
  return found;
}

const utf8 = { encoding: 'utf8' } as const;

/** All encodings that VS Code may guess, by its names. */
const guessed = [
  'utf8',
  'windows1252',
  'windows1250',
  'iso88592',
  'windows1251',
  'cp866',
  'cp1125',
  'iso88595',
  'koi8r',
  'windows1253',
  'iso88597',
  'windows1255',
  'iso88598',
  'cp950',
  'shiftjis',
  'eucjp',
  'euckr',
  'gb2312',
];

/** In encodings such as ISO-2022-JP, it introduces other characters. */
const ESCAPE = 0x1b;

interface EncodingSettings {
  readonly asNew: Encoding;
  readonly mayGuess: boolean;
  readonly isWide: boolean;
}

/**
 * By workspace folder, since there are no settings below it. Asking again for thousands of files would take longer than
 * reading them.
 */
const known = new Map<string, Omit<EncodingSettings, 'asNew'> & { readonly utf: 'utf8' | 'utf8bom' | undefined }>();
let following: vscode.Disposable | undefined;

/**
 * The settings for a file: the encoding of a new one, whether VS Code may guess that of an old one, and whether ASCII
 * bytes may mean something else. Only the window knows its language, which may have its own settings.
 */
function settingsFor(uri: vscode.Uri): EncodingSettings {
  following ??= vscode.workspace.onDidChangeConfiguration(() => known.clear());
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? '';
  let found = known.get(folder);
  if (!found) {
    const files = vscode.workspace.getConfiguration('files', uri);
    const encoding = files.get<string>('encoding', 'utf8');
    const isKnown = !isByLanguage(files, 'encoding');
    const utf = isKnown && (encoding === 'utf8' || encoding === 'utf8bom') ? encoding : undefined;
    found = {
      utf,
      mayGuess: isByLanguage(files, 'autoGuessEncoding') || files.get('autoGuessEncoding', false),
      isWide: !isKnown || encoding.startsWith('utf16'),
    };
    known.set(folder, found);
  }
  return { ...found, asNew: found.utf ? { encoding: found.utf } : { uri } };
}

function isByLanguage(settings: vscode.WorkspaceConfiguration, key: string): boolean {
  return settings.inspect(key)?.languageIds !== undefined;
}

async function decoded(bytes: Buffer, encoding: Encoding): Promise<FileText | undefined> {
  if (isUtf8In(encoding) && isUtf8(bytes) && !bytes.includes(0))
    return made(
      withoutMark(bytes.toString('utf8')),
      (markOf(bytes) === 'utf8bom') === (encoding.encoding === 'utf8bom') ? encoding : undefined,
    );
  const decode = vscode.workspace.decode as (content: Uint8Array, options: Encoding) => Thenable<string>;
  const text = await decode(bytes, encoding).then(withoutMark, () => undefined);
  if (text === undefined || text.includes('\0')) return undefined;
  return made(text, bytes.equals(await encoded(text, encoding)) ? encoding : undefined);
}

async function encoded(text: string, encoding: Encoding): Promise<Buffer> {
  if (isUtf8In(encoding)) return Buffer.from(encoding.encoding === 'utf8' ? text : `\uFEFF${text}`);
  const encode = vscode.workspace.encode as (content: string, options: Encoding) => Thenable<Uint8Array>;
  return Buffer.from(await encode(text, encoding));
}

function isUtf8In(encoding: Encoding): encoding is { readonly encoding: 'utf8' | 'utf8bom' } {
  return 'encoding' in encoding && (encoding.encoding === 'utf8' || encoding.encoding === 'utf8bom');
}

function made(text: string, encoding: Encoding | undefined): FileText {
  // An editor removes a second mark, too.
  return { text, ends: lineEndsOf(text), encoding: text.startsWith('\uFEFF') ? undefined : encoding };
}

/** VS Code's name of the encoding of a byte order mark. */
function markOf(bytes: Buffer): 'utf8bom' | 'utf16le' | 'utf16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf16be' : undefined;
}
