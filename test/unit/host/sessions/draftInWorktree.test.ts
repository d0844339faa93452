import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { Attachment } from '../../../../src/host/attachments/attachment';
import { draftInWorktree } from '../../../../src/host/sessions/enterWorktree';

/* A prompt names files as the editor lists them, in the workspace's folder. The agent gets those of its worktree. */

vi.mock('vscode', async () => {
  const { uriOf } = await import('../../../fakes/fakeUri');
  const parse = (text: string) => {
    const [, scheme, path, fragment = ''] = /^(\w+):(?:\/\/)?([^#]*)#?(.*)$/.exec(text)!;
    return { ...uriOf(path!, fragment), scheme };
  };
  return { Uri: { file: uriOf, parse } };
});

const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-draft-')));
const [folder, path] = [join(top, 'project'), join(top, 'fix-it')];
for (const [place, names] of [
  [folder, ['a.ts', 'ignored.log']],
  [path, ['a.ts']],
] as const) {
  mkdirSync(join(place, 'src'), { recursive: true });
  for (const name of names) writeFileSync(join(place, 'src', name), 'x\n');
}
afterAll(() => rmSync(top, { recursive: true, force: true }));

const worktree = { path, repository: folder, branch: 'fix-it', base: 'c0' };
const attachment = (uri: string, more: object = {}) =>
  ({ id: uri, kind: 'file', uri, ...more }) as unknown as Attachment;
const moved = (draft: { mentions?: readonly string[]; attachments?: readonly Attachment[] }) =>
  draftInWorktree(
    {
      text: 'Fix it',
      mentions: (draft.mentions ?? []).map((file) => ({ token: '@x', path: file, label: 'x' })),
      attachments: draft.attachments ?? [],
    },
    worktree,
  );

it('mentioned files and folders of the repository are those of the worktree, and keep their words', async () => {
  const { text, mentions } = await moved({ mentions: ['src/a.ts', 'src', ''].map((name) => join(folder, name)) });
  expect(text).toBe('Fix it');
  expect(mentions).toEqual(
    ['src/a.ts', 'src', ''].map((name) => ({ token: '@x', path: join(path, name), label: 'x' })),
  );
});

it('a file that the worktree has not, one in it and one elsewhere stay what they are', async () => {
  const files = [join(folder, 'src/ignored.log'), join(path, 'src/a.ts'), join(top, 'elsewhere.ts')];
  const attachments = files.map((file) => attachment(`file://${file}`, { real: file }));
  const draft = await moved({ mentions: files, attachments });
  expect(draft.mentions.map((mention) => mention.path)).toEqual(files);
  expect(draft.attachments).toEqual(attachments);
});

it('an attached file is that of the worktree, with its lines; what was checked of the other one does not count', async () => {
  const { attachments } = await moved({
    attachments: [
      attachment(`file://${folder}/src/a.ts#L2-L3`, { kind: 'selection', real: `${folder}/src/a.ts` }),
      attachment('parley:/changes/project', { kind: 'changes' }),
    ],
  });
  expect(attachments).toMatchObject([
    { kind: 'selection', uri: `file://${path}/src/a.ts#L2-L3` },
    { kind: 'changes', uri: 'parley:/changes/project' },
  ]);
  expect(attachments[0]).not.toHaveProperty('real');
});
