import { isAscii, isUtf8 } from 'node:buffer';
import { EOL } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type LineEnds, lineEndsOf, withLineEndsOf } from '../../changes/lineEnds';
import { withLineFeeds } from '../../changes/lineFeeds';

/** Which encoding VS Code shall take: one by VS Code's name of it, or that of the settings for a file. */
export type Encoding = { readonly encoding: string } | { readonly uri: vscode.Uri };

/** The text of a file, and how text becomes bytes in the same way. */
export interface FileText {
  /** As it is on disk, without byte order mark. */
  readonly text: string;
  readonly ends: LineEnds;
  /**
   * The encoding in which the bytes come back from the text exactly. Undefined: there is none. Then the file can be
   * shown, and nothing of it may be saved as text.
   */
  readonly encoding: Encoding | undefined;
}

/** Saving a file as text would lose something. The message is for users: it follows a file's name and a colon. */
export class TextLossError extends Error {
  override readonly name = 'TextLossError';

  /** @param encoding VS Code's name of the file's encoding; undefined where the settings of its language say it. */
  constructor(
    readonly reason: 'not_text' | 'unsaved_changes' | 'not_in_encoding',
    readonly encoding?: string,
  ) {
    super(lossOf(reason, encoding ?? encodingOfLanguage()));
  }

  /** What is wrong with the file, as a title for users. */
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

  /** What the user can do. */
  get remedy(): string {
    return remedyFor(this.reason);
  }
}

function lossOf(reason: TextLossError['reason'], encoding: string): string {
  switch (reason) {
    case 'not_text':
      return `${l10n.t('it is not valid text in {0}, so Parley left it unchanged. Saving it would change bytes that nobody edited.', encoding)} ${remedyFor(reason)}`;
    case 'not_in_encoding':
      return `${l10n.t('it is saved in {0}, which can’t represent some characters of the new text, so Parley left it unchanged.', encoding)} ${remedyFor(reason)}`;
    case 'unsaved_changes':
      return `${l10n.t('it has mixed line endings and unsaved changes, so Parley left it unchanged. Saving it would change all line endings.')} ${remedyFor(reason)}`;
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
 * Decodes the bytes of a file as VS Code does. This decides alone whether a file is text, and what may be saved.
 * @param shown the encoding of the file's document, where it is open. It counts first, unless the file has changed
 * under the document.
 * @returns undefined where VS Code takes it for no text.
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
 * The bytes of another text in the encoding of a file, with its mark; a line ends as it did.
 * @param before the file as it was, where lines come back from it. @throws TextLossError
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

/** @param encoding VS Code's name of the one that it takes for the file. */
export function notText(encoding: string | undefined): TextLossError {
  return new TextLossError('not_text', encoding);
}

/**
 * Encodes a text whose line ends are as they shall be.
 * @throws TextLossError where the encoding lacks characters of it.
 */
async function encodedAs(encoding: Encoding, text: string): Promise<Buffer> {
  const bytes = await encoded(text, encoding);
  // A zero is a letter in all encodings, and makes a file binary.
  if (text.includes('\0') || (await decoded(bytes, encoding))?.text === text) return bytes;
  throw new TextLossError('not_in_encoding', encodingName(encoding));
}

/**
 * The bytes of a file that is new.
 * @param content as it shall be; a byte order mark stays.
 * @throws TextLossError as above.
 */
export async function encodedNew(path: string, content: string): Promise<Buffer> {
  const text = withoutMark(content);
  const bytes = await encodedAs(settingsFor(vscode.Uri.file(path)).asNew, text);
  return text !== content && bytes.equals(Buffer.from(text)) ? encoded(text, { encoding: 'utf8bom' }) : bytes;
}

/** VS Code's name of an encoding; undefined where the settings of a language say it. */
export function encodingName(encoding: Encoding): string | undefined {
  if ('encoding' in encoding) return encoding.encoding;
  const files = vscode.workspace.getConfiguration('files', encoding.uri);
  return isByLanguage(files, 'encoding') ? undefined : files.get<string>('encoding', 'utf8');
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Of new lines in a file that has none. */
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
  // The same in all other encodings. Thousands of files would take most of their time on the way to the window and
  // back.
  if (!isWide && !hasZero && isAscii(bytes) && !bytes.includes(ESCAPE)) return made(bytes.toString('latin1'), asOld);
  const found = await decoded(bytes, { uri });
  if (!found || found.encoding || found.text.includes('\uFFFD')) return found;
  // VS Code may guess encodings, and does not tell which one it took.
  for (const encoding of guessed) {
    const guess = await decoded(bytes, { encoding });
    if (guess?.encoding && guess.text === found.text) return guess;
  }
  return found;
}

const utf8 = { encoding: 'utf8' } as const;

/** All that VS Code guesses, as it names them. */
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

/** With it encodings such as ISO-2022-JP begin other characters. */
const ESCAPE = 0x1b;

interface EncodingSettings {
  readonly asNew: Encoding;
  readonly mayGuess: boolean;
  readonly isWide: boolean;
}

/**
 * By workspace folder, below which there are no settings. Asking anew for thousands of files would take longer than
 * reading them.
 */
const known = new Map<string, Omit<EncodingSettings, 'asNew'> & { readonly utf: 'utf8' | 'utf8bom' | undefined }>();
let following: vscode.Disposable | undefined;

/**
 * What the settings say of a file: the encoding of a new one, whether VS Code may guess that of an old one, and whether
 * ASCII may be something else in it. Its language, which may have settings of its own, is known to the window only.
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
  // An editor takes a second mark away, too.
  return { text, ends: lineEndsOf(text), encoding: text.startsWith('\uFEFF') ? undefined : encoding };
}

/** VS Code's name of the encoding that a byte order mark tells. */
function markOf(bytes: Buffer): 'utf8bom' | 'utf16le' | 'utf16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf16be' : undefined;
}
