import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BaselineDocuments } from '../../../../src/host/changes/baselineDocuments';
import { openProposedDiff } from '../../../../src/host/panel/openDiffs';
import { silentLogger } from '../../../../src/base/log';
import { subjectOf } from '../../../../src/permission/subject';

const { documents, opened } = vi.hoisted(() => ({ documents: [] as object[], opened: [] as unknown[][] }));
vi.mock('vscode', async () => ({
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  workspace: {
    ...(await import('../../../fakes/plainSettings')).plainSettings,
    workspaceFolders: undefined,
    textDocuments: documents,
  },
  commands: { executeCommand: (...all: unknown[]) => Promise.resolve(void opened.push(all)) },
}));

const folder = mkdtempSync(path.join(tmpdir(), 'parley-proposed-'));
const outside = mkdtempSync(path.join(tmpdir(), 'parley-outside-'));
const file = path.join(folder, 'a.ts');
const baselines = { add: (_file: string, text: string) => text } as unknown as BaselineDocuments;
/** The documents whose title has the answers, with their requests. */
const answerable: unknown[][] = [];
const open = async (asked: string, shown = asked, cwd = folder) => {
  const subject = subjectOf({
    title: 'Edit',
    kind: 'edit',
    content: [{ type: 'diff', path: asked, oldText: 'two', newText: '2' }],
  });
  const answers = {
    subjectOf: (id: string) => (id === 'r' ? { subject, cwd, roots: [folder] } : undefined),
    addDiff: (document: unknown, id: string) => void answerable.push([document, id]),
  };
  await openProposedDiff('r', shown, answers, baselines, silentLogger);
  return opened.map(([command, before, after, title]) => [command, before, after, title]);
};

describe('the diff of a request', () => {
  beforeEach(() => {
    opened.length = documents.length = answerable.length = 0;
    for (const at of [file, path.join(outside, 'a.ts')]) writeFileSync(at, 'one\ntwo\n');
  });

  it('is of the whole file on disk', async () => {
    expect(await open(file)).toEqual([['vscode.diff', 'one\ntwo\n', 'one\n2\n', 'a.ts (proposed change)']]);
    expect(answerable).toEqual([['one\n2\n', 'r']]);
  });

  it('is of what an editor has of it, unsaved', async () => {
    documents.push({ uri: { scheme: 'file', fsPath: file }, isClosed: false, getText: () => 'unsaved\ntwo\n' });
    expect((await open(file))[0]!.slice(1, 3)).toEqual(['unsaved\ntwo\n', 'unsaved\n2\n']);
  });

  it.each([
    ['lies outside the folders', path.join(outside, 'a.ts')],
    ['is reached by dots', `${folder}/../${path.basename(outside)}/a.ts`],
    ['is a link out of them', path.join(folder, 'link.ts')],
    ['is not there', path.join(folder, 'none.ts')],
  ])('shows only what the agent sent where the file %s', async (_why, asked) => {
    if (asked.endsWith('link.ts')) symlinkSync(path.join(outside, 'a.ts'), asked);
    expect(await open(asked)).toEqual([['vscode.diff', 'two', '2', `${path.basename(asked)} (proposed lines)`]]);
  });

  it.each(['/', outside])(
    'reads nothing outside of the roots where the agent named %s as its folder, not even what an editor shows',
    async (cwd) => {
      const asked = path.join(outside, 'a.ts');
      documents.push({ uri: { scheme: 'file', fsPath: asked }, isClosed: false, getText: () => 'secret\ntwo\n' });
      expect(await open(asked, asked, cwd)).toEqual([['vscode.diff', 'two', '2', 'a.ts (proposed lines)']]);
    },
  );

  it('is not opened for a file that the request does not name', async () => {
    expect(await open(file, path.join(folder, 'b.ts'))).toEqual([]);
  });
});
