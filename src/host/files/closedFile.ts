import { isAscii, isUtf8 } from 'node:buffer';
import { EOL } from 'node:os';
import * as vscode from 'vscode';
import { overwriteFile } from '../../node/changeFiles';
import { readSettled } from '../../node/settledFiles';
import { withLineFeeds } from '../../review/lineEdits';
import { systemClock } from '../clock';
import { openDocument } from './documentEdits';
import { changedMeanwhile } from './staleDocument';

/** The text of a file that no document holds, and how to replace it without one. */
export interface ClosedFile {
  /** As it is on disk, without byte order mark. */
  readonly text: string;
  /**
   * Replaces it, with its encoding, mark and line ends.
   * @param original the bytes to write, where those of the text are known.
   * @throws Error where the file does not hold this text any more; LinkedPathError.
   */
  replace(text: string, original?: Uint8Array): Promise<void>;
}

/**
 * Reads a file to write it without a document: VS Code opens by path, and follows a link that takes the place of a folder.
 * @param real absolute, links resolved.
 * @returns undefined where only a document does it right: the bytes do not come out the same again, or line ends are mixed.
 */
export async function closedFile(path: string, real: string): Promise<ClosedFile | undefined> {
  const bytes = await readSettled(real, systemClock);
  const form = formOfMark(bytes) ?? (await formWithoutMark(vscode.Uri.file(path), bytes));
  if (!form) return undefined;
  const lines = withLineFeeds(form.text);
  const eol = form.text !== lines ? '\r\n' : lines.includes('\n') ? '\n' : newLine(vscode.Uri.file(path));
  if (lines !== form.text && lines.replaceAll('\n', '\r\n') !== form.text) return undefined;
  return {
    text: form.text,
    replace: async (text, original) => {
      const plain = withLineFeeds(text.startsWith('\uFEFF') ? text.slice(1) : text);
      const fresh = original ?? (await form.encode(eol === '\n' ? plain : plain.replaceAll('\n', eol)));
      if (!(await overwriteFile(real, fresh, (now) => now.equals(bytes) && openDocument(path)?.isDirty !== true))) throw changedMeanwhile();
    },
  };
}

/** Whether VS Code changes files when it saves them: formats them, say. Then agents' texts go through it. */
export function changesOnSave(path: string): boolean {
  const uri = vscode.Uri.file(path);
  return onSave.some(([section, key]) => {
    const found = vscode.workspace.getConfiguration(section, uri).inspect<unknown>(key);
    // A closed file has no language yet, so one of any language counts.
    return found !== undefined && (found.languageIds !== undefined || [found.defaultValue, found.globalValue, found.workspaceValue, found.workspaceFolderValue].some(isOn));
  });
}

const onSave = [['editor', 'formatOnSave'], ['editor', 'codeActionsOnSave'], ['files', 'trimTrailingWhitespace'], ['files', 'insertFinalNewline'], ['files', 'trimFinalNewlines']] as const;

function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);
}

interface Form {
  readonly text: string;
  readonly encode: (text: string) => Uint8Array | Thenable<Uint8Array>;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LITTLE_MARK = Buffer.from([0xff, 0xfe]);
const BIG_MARK = Buffer.from([0xfe, 0xff]);

function formOfMark(bytes: Buffer): Form | undefined {
  if (starts(bytes, UTF8_MARK)) return isUtf8(bytes) ? exact(bytes, bytes.toString('utf8', 3), (text) => Buffer.concat([UTF8_MARK, Buffer.from(text)])) : undefined;
  if (bytes.length % 2 !== 0) return undefined;
  if (starts(bytes, LITTLE_MARK)) return exact(bytes, bytes.toString('utf16le', 2), (text) => Buffer.concat([LITTLE_MARK, Buffer.from(text, 'utf16le')]));
  if (starts(bytes, BIG_MARK)) return exact(bytes, Buffer.from(bytes).swap16().toString('utf16le', 2), (text) => Buffer.concat([BIG_MARK, Buffer.from(text, 'utf16le').swap16()]));
  return undefined;
}

/** In the encoding that VS Code takes for the file. Plain ASCII is the same in all of them, and not worth a call to the window. */
async function formWithoutMark(uri: vscode.Uri, bytes: Buffer): Promise<Form | undefined> {
  if (bytes.includes(0)) return undefined;
  const encode = (text: string) => (isPlain(text) ? Buffer.from(text) : vscode.workspace.encode(text, { uri }));
  if (isAscii(bytes) && !bytes.includes(ESCAPE)) return { text: bytes.toString('latin1'), encode };
  const text = await vscode.workspace.decode(bytes, { uri }).then((decoded) => decoded, () => undefined);
  const all = (content: string) => vscode.workspace.encode(content, { uri });
  return text !== undefined && bytes.equals(await all(text)) ? { text, encode: all } : undefined;
}

function exact(bytes: Buffer, text: string, encode: (text: string) => Buffer): Form | undefined {
  return !text.includes('\0') && encode(text).equals(bytes) ? { text, encode } : undefined;
}

function starts(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}

function isPlain(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) && !text.includes(String.fromCharCode(ESCAPE));
}

/** Of new lines in a file that has none. */
function newLine(uri: vscode.Uri): string {
  const set = vscode.workspace.getConfiguration('files', uri).get<string>('eol', 'auto');
  return set === '\n' || set === '\r\n' ? set : EOL;
}

/** With it encodings such as ISO-2022-JP begin other characters. */
const ESCAPE = 0x1b;
