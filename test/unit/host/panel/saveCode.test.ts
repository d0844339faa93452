import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveCode } from '../../../../src/host/panel/codeActions';

interface Document {
  readonly uri: { readonly scheme: string; readonly path: string; readonly fsPath: string };
  readonly isDirty: boolean;
  readonly isClosed: boolean;
  text: string;
  save(): Promise<boolean>;
}

/** What the window has, and what was done. */
const window = vi.hoisted(() => ({
  files: new Map<string, string>(),
  documents: [] as Document[],
  chosen: undefined as string | undefined,
  proposed: '',
  errors: [] as string[],
  shown: [] as string[],
  canSave: true,
}));

vi.mock('vscode', () => {
  const uriOf = (path: string) => ({ scheme: 'file', path, fsPath: path });
  class Named {
    readonly name = '';
  }
  class WorkspaceEdit {
    readonly edits: { readonly path: string; readonly text: string }[] = [];
    replace(uri: { readonly path: string }, _range: unknown, text: string): void {
      this.edits.push({ path: uri.path, text });
    }
  }
  return {
    Range: Named,
    WorkspaceEdit,
    TabInputCustom: Named,
    TabInputNotebook: Named,
    Uri: { joinPath: (folder: { readonly path: string }, name: string) => uriOf(`${folder.path}/${name}`) },
    extensions: {
      all: [
        { packageJSON: {} },
        { packageJSON: { contributes: { languages: [{ id: 'typescript', extensions: ['.ts'] }] } } },
      ],
    },
    languages: { getLanguages: async () => ['typescript'] },
    window: {
      tabGroups: { all: [] },
      showSaveDialog: async ({ defaultUri }: { readonly defaultUri: { readonly path: string } }) => {
        window.proposed = defaultUri.path;
        return window.chosen === undefined ? undefined : uriOf(window.chosen);
      },
      showErrorMessage: async (text: string) => void window.errors.push(text),
      showTextDocument: async ({ uri }: Document) => void window.shown.push(uri.path),
    },
    workspace: {
      workspaceFolders: [{ uri: uriOf('/work') }],
      notebookDocuments: [],
      get textDocuments() {
        return window.documents;
      },
      fs: {
        stat: async ({ path }: { readonly path: string }) => {
          if (!window.files.has(path)) throw new Error('no such file');
        },
        writeFile: async ({ path }: { readonly path: string }, bytes: Uint8Array) =>
          void window.files.set(path, new TextDecoder().decode(bytes)),
      },
      openTextDocument: async (uri: Document['uri']) => {
        const document: Document = {
          uri,
          isDirty: false,
          isClosed: false,
          text: window.files.get(uri.path) ?? '',
          save: async () => window.canSave && window.files.set(uri.path, document.text).has(uri.path),
        };
        window.documents.push(document);
        return document;
      },
      applyEdit: async ({ edits }: WorkspaceEdit) => {
        for (const { path, text } of edits) window.documents.find(({ uri }) => uri.path === path)!.text = text;
        return true;
      },
    },
  };
});

beforeEach(() =>
  Object.assign(window, {
    files: new Map(),
    documents: [],
    chosen: undefined,
    proposed: '',
    errors: [],
    shown: [],
    canSave: true,
  }),
);

describe('saving code', () => {
  it('proposes a name in the workspace, and writes nothing where the user chooses none', async () => {
    await saveCode('let a;', 'ts ../../etc/app.ts');
    expect(window).toMatchObject({ proposed: '/work/app.ts', files: new Map(), errors: [], shown: [] });
  });

  it('writes only what the user chose, through a document, which is shown', async () => {
    window.chosen = '/elsewhere/b.ts';
    await saveCode('let a;', 'ts');
    expect(window).toMatchObject({
      proposed: '/work/untitled.ts',
      files: new Map([['/elsewhere/b.ts', 'let a;\n']]),
      shown: ['/elsewhere/b.ts'],
    });
  });

  it('replaces a file, but none with unsaved changes', async () => {
    window.chosen = '/work/a.ts';
    window.files.set('/work/a.ts', 'old');
    await saveCode('new\n', 'ts');
    expect(window.files.get('/work/a.ts')).toBe('new\n');
    window.documents = [{ ...window.documents[0]!, isDirty: true }];
    await saveCode('newer\n', 'ts');
    expect(window.files.get('/work/a.ts')).toBe('new\n');
    expect(window.errors).toEqual([expect.stringContaining('unsaved changes')]);
  });

  it('says so where VS Code does not save', async () => {
    Object.assign(window, { chosen: '/work/a.ts', canSave: false });
    await saveCode('new\n', 'ts');
    expect(window.errors).toEqual([expect.stringContaining('a.ts')]);
  });
});
