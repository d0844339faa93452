import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { Attachments, type AttachmentsOptions } from '../../../../src/host/attachments/messageAttachments';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import type { CurrentPlace } from '../../../../src/host/attachments/currentFile';

/* What a message brings along where the current file follows: what the chip showed, with its text of now. */

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-current-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
vi.mock('vscode', () => ({
  workspace: {
    asRelativePath: (at: string | { fsPath: string }) => path.basename(typeof at === 'string' ? at : at.fsPath),
  },
}));

let saved: NewAttachment[];
let drafted: unknown[];
let attachments: Attachments;
beforeEach(() => {
  [saved, drafted] = [[], []];
  attachments = new Attachments({
    store: { save: async (made: NewAttachment) => (saved.push(made), { ...made, id: `a${saved.length}` }) },
    draft: { add: async (made: unknown) => void drafted.push(made) },
  } as unknown as AttachmentsOptions);
});

const position = (line: number, character: number) => ({ line, character });
function place(
  name: string,
  { lines, scheme = 'file', text = '' }: { lines?: [number, number][]; scheme?: string; text?: string } = {},
) {
  const fsPath = path.join(folder, name);
  const uri = {
    scheme,
    path: fsPath,
    fsPath,
    with: () => uri,
    toString: (): string => (scheme === 'file' ? pathToFileURL(fsPath).href : `${scheme}:${name}`),
  };
  return {
    view: { label: name, detail: name, isFollowed: true },
    document: { uri, isDirty: false, isUntitled: scheme === 'untitled', getText: () => text },
    selections: (lines ?? []).map(([first, last]) => ({
      isEmpty: false,
      start: position(first - 1, 0),
      end: position(last - 1, 3),
    })),
  } as unknown as CurrentPlace;
}

it('is the file as a whole, stored but in no draft', async () => {
  writeFileSync(path.join(folder, 'a.ts'), 'text\n');
  const [made, ...others] = await attachments.ofCurrentFile(place('a.ts'), []);
  expect(made).toMatchObject({ id: 'a1', kind: 'file', label: 'a.ts', linkable: true, size: 5 });
  expect([others, drafted]).toEqual([[], []]);
});

it('is each selection, with its text of now', async () => {
  const made = await attachments.ofCurrentFile(
    place('a.ts', {
      lines: [
        [1, 2],
        [5, 5],
      ],
      text: 'now',
    }),
    [],
  );
  expect(made.map(({ kind, label }) => `${kind} ${label}`)).toEqual(['selection a.ts:1-2', 'selection a.ts:5']);
  expect(saved.map(({ content }) => content)).toEqual(['now', 'now']);
});

it('is left out where the message has it anyway', async () => {
  writeFileSync(path.join(folder, 'a.ts'), 'text\n');
  const uri = pathToFileURL(path.join(folder, 'a.ts')).href;
  expect(await attachments.ofCurrentFile(place('a.ts'), [{ kind: 'file', uri }])).toEqual([]);
  const here = place('a.ts', {
    lines: [
      [1, 2],
      [5, 5],
    ],
  });
  const made = await attachments.ofCurrentFile(here, [{ kind: 'selection', uri: `${uri}#L1-L2` }]);
  expect(made.map(({ label }) => label)).toEqual(['a.ts:5']);
  // The whole file is not its lines.
  expect(await attachments.ofCurrentFile(here, [{ kind: 'file', uri }])).toHaveLength(2);
});

it('is the text of a document that was never saved', async () => {
  const made = await attachments.ofCurrentFile(place('Untitled-1', { scheme: 'untitled', text: 'draft' }), []);
  expect(made).toMatchObject([{ kind: 'file', linkable: false, content: 'draft' }]);
});

it('is a link to an image, and nothing of a file that is gone', async () => {
  writeFileSync(path.join(folder, 'b.png'), Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'));
  expect(await attachments.ofCurrentFile(place('b.png'), [])).toMatchObject([{ kind: 'file', linkable: true }]);
  expect(await attachments.ofCurrentFile(place('gone.ts'), [])).toEqual([]);
});
