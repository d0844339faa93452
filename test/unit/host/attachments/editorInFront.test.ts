import { expect, it, vi } from 'vitest';
import { editorInFront } from '../../../../src/host/attachments/currentFile';

const shown = vi.hoisted(() => ({
  activeTextEditor: undefined as object | undefined,
  visibleTextEditors: [] as object[],
}));
vi.mock('vscode', () => ({ window: shown }));

const editor = (scheme: string) => ({ document: { uri: { scheme } } });
const file = editor('file');

it.each([
  ['a file', file, file],
  ['a document of another extension', editor('gitlens'), undefined],
  ['the box of a comment', editor('comment'), file],
  ['the box of a commit message', editor('vscode-scm'), file],
  ['nothing', undefined, undefined],
] as const)('what is added from the editor in front is of %s', (_what, active, expected) => {
  shown.activeTextEditor = active;
  shown.visibleTextEditors = active ? [active, file] : [];
  expect(editorInFront()).toBe(expected ?? active);
});
