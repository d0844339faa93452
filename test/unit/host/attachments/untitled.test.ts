import { beforeEach, expect, it, vi } from 'vitest';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { currentEditor } from '../../../../src/host/attachments/currentFile';
import { Attachments, type AttachmentsOptions } from '../../../../src/host/attachments/messageAttachments';
import { deliveryOf } from '../../../../src/protocol/attachments';

const editors = vi.hoisted(() => ({
  active: undefined as unknown,
  visible: [] as unknown[],
  openable: new Map<string, unknown>(),
}));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  window: {
    get activeTextEditor() {
      return editors.active;
    },
    get visibleTextEditors() {
      return editors.visible;
    },
  },
  workspace: {
    asRelativePath: ({ path }: { path: string }) => path,
    openTextDocument: async (uri: object) =>
      editors.openable.get(String(uri)) ?? Promise.reject(new Error('no such document')),
  },
}));

const uriOf = (scheme: string, path: string) => ({
  scheme,
  path,
  fsPath: path,
  with: () => uriOf(scheme, path),
  toString: () => `${scheme}:${path}`,
});
const editorOf = (scheme: string, path: string, text = '') => {
  const document = {
    uri: uriOf(scheme, path),
    isUntitled: scheme === 'untitled',
    isDirty: true,
    getText: () => text,
    lineAt: () => ({ range: { start: { line: 0 }, end: { line: 0, character: 1 } } }),
  };
  editors.openable.set(String(document.uri), document);
  return { document, selection: { isEmpty: true, start: { line: 0 }, end: { line: 0 } }, selections: [] };
};

let added: NewAttachment[];
let said: string[];
let attachments: Attachments;

beforeEach(() => {
  [added, said, editors.active, editors.visible] = [[], [], undefined, []];
  editors.openable.clear();
  const draft = { add: async (made: NewAttachment) => void added.push(made) };
  attachments = new Attachments({
    draft,
    reveal: async () => undefined,
    deliver: (message: { text?: string }) => void said.push(message.text ?? ''),
  } as unknown as AttachmentsOptions);
});

it.each<[door: string, add: () => Promise<void>]>([
  ['Add File to Chat', () => attachments.addUris([])],
  ['the button of the file in front', () => attachments.addContext('current')],
])('a document that was never saved is sent as its text: %s', async (_, add) => {
  editors.active = editorOf('untitled', 'Untitled-1', 'one\ntwo');
  expect(currentEditor()).toBe(editors.active);
  await add();
  expect(added).toEqual([
    {
      kind: 'file',
      label: 'Untitled-1',
      detail: 'Untitled-1, not saved',
      linkable: false,
      uri: 'untitled:Untitled-1',
      content: 'one\ntwo',
      fileName: 'Untitled-1',
    },
  ]);
  // No agent is pointed to a file that is not there.
  for (const embeddedContext of [true, false])
    expect(deliveryOf(added[0]!, { image: false, audio: false, embeddedContext })).toBe(
      embeddedContext ? 'whole' : 'text',
    );
  expect(said).toEqual([]);
});

it('a document that an extension shows is sent as its text, and is not offered by itself', async () => {
  editors.active = editorOf('git', '/w/a.ts', 'as committed');
  expect(currentEditor()).toBeUndefined();
  await attachments.addUris([]);
  expect(added).toMatchObject([{ label: 'a.ts', detail: '/w/a.ts, git', linkable: false, content: 'as committed' }]);
});

it('what has no text is named, and nothing in front is said', async () => {
  await attachments.addUris([uriOf('gone', '/x/y.txt') as never]);
  await attachments.addUris([]);
  expect([added, said]).toEqual([[], ['y.txt could not be read.', 'Open an editor to add its file.']]);
});

it('a long one is cut', async () => {
  editors.active = editorOf('untitled', 'Untitled-2', 'x'.repeat(50_000_000));
  await attachments.addUris([]);
  expect(added[0]!.content!.length).toBeLessThan(50_000_000);
  expect(added[0]!.detail).toBe('Untitled-2, not saved, shortened');
});
