import { isAscii } from 'node:buffer';
import * as vscode from 'vscode';

/**
 * Decodes the bytes of a file as VS Code does for it, without a byte order mark. Plain ASCII is the same in all encodings
 * that a file without zeros can have, and is not sent to the window and back: that would be most of the time for thousands of files.
 * @param encoding that of its document, where it is open.
 * @throws Error where VS Code takes it for no text.
 */
export async function decodeText(path: string, bytes: Uint8Array, encoding?: string): Promise<string> {
  if ((encoding === undefined || encoding.startsWith('utf8')) && isAscii(bytes) && !bytes.includes(0) && !bytes.includes(ESCAPE)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const text = await (encoding === undefined ? vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) }) : vscode.workspace.decode(bytes, { encoding }));
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** With it encodings such as ISO-2022-JP begin other characters. */
const ESCAPE = 0x1b;
