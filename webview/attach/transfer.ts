import * as l10n from '@vscode/l10n';
import { numberText } from '../../src/base/numberText';

/** Files of a paste or a drop, with names that the user knows. */
export interface GivenFile {
  readonly file: Blob;
  readonly name: string;
}

/** The most specific first. The first is VS Code's own; the third is the JSON of its trees. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list', 'resourceurls'];

/**
 * The files of a paste, unless they only accompany it. Office programs add a picture of a text to the text; file
 * managers add the names to the files.
 */
export function pastedFiles(data: DataTransfer): GivenFile[] {
  const files = [...data.files];
  const text = data.getData('text/plain');
  const names = files.map((file) => file.name);
  const isNames = text.split(/[\r\n]+/).every((line) => line === '' || names.includes(line.replace(/^.*[\\/]/, '')));
  if (!isNames) return [];
  // Browsers give every image of the clipboard the same name.
  return files.map((file) => ({
    file,
    name: /^image\.\w+$/.test(file.name) && text === '' ? l10n.t('Pasted image') : file.name || l10n.t('Pasted file'),
  }));
}

/** A message box with more lines, or characters, takes seconds to lay out. */
const MAX_PASTED_LINES = 2_000;
const MAX_PASTED = 100_000;

/** A text that is too long for the message box becomes a file. A NUL would make it a binary one. */
export function pastedText(data: DataTransfer): GivenFile[] {
  const text = data.getData('text/plain');
  if (text.length < MAX_PASTED_LINES || text.includes('\0')) return [];
  const lines = text.split('\n').length;
  if (text.length <= MAX_PASTED && lines <= MAX_PASTED_LINES) return [];
  return [
    {
      file: new Blob([text]),
      name: lines === 1 ? l10n.t('Pasted text') : l10n.t('Pasted text ({0} lines)', numberText(lines)),
    },
  ];
}

/** True if the dragged data can be attached; the browser reveals the details only at the drop. */
export function isAttachable(data: DataTransfer): boolean {
  return data.types.some((type) => type === 'Files' || uriTypes.includes(type.toLowerCase()));
}

/** URIs of dropped files and folders, without those of the web. */
export function droppedUris(data: DataTransfer): string[] {
  for (const type of uriTypes) {
    const found = urisIn(data.getData(type)).filter((uri) => /^(?:file|vscode-remote):/.test(uri));
    if (found.length > 0) return found;
  }
  return [];
}

export function droppedFiles(data: DataTransfer): GivenFile[] {
  return [...data.files].map((file) => ({ file, name: file.name || l10n.t('Dropped file') }));
}

function urisIn(list: string): string[] {
  if (!list.startsWith('[')) return list.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('#'));
  try {
    const parsed: unknown = JSON.parse(list);
    return Array.isArray(parsed) ? parsed.filter((uri) => typeof uri === 'string') : [];
  } catch {
    return [];
  }
}
