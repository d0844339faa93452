import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { branchContext, commitContext, commitsIn } from '../../../../src/host/attachments/commitContext';

const shown = vi.hoisted(() => ({ picks: [] as { label: string; description: string }[], take: 0 }));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { workspaceFolders: [] },
  window: {
    showQuickPick: async (items: { label: string; description: string }[]) => {
      shown.picks = items;
      return items[shown.take];
    },
  },
}));

let folder: string;
const near = () => [{ scheme: 'file', fsPath: folder }] as never;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
async function commit(file: string, text: string, subject: string): Promise<void> {
  await writeFile(path.join(folder, file), text);
  git('add', '.');
  git('commit', '-q', '-m', subject);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-commit-')));
  git('init', '-q', '-b', 'main');
  await commit('a.ts', 'one\n', 'Add a');
  git('checkout', '-q', '-b', 'topic');
  await commit('b.ts', 'two\n', 'Add b $(star)');
  await commit('a.ts', 'three\n', 'Change a');
  // What the repository says must not run.
  git('config', 'diff.external', 'touch ran');
  git('config', 'core.fsmonitor', 'touch ran');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => (shown.take = 0));

it('adds the commit that the user chooses, with its message and its changes', async () => {
  shown.take = 1;
  const made = await commitContext(near(), process.env);
  expect(shown.picks.map(({ label }) => label.replace('$(git-commit) ', ''))[0]).toBe('Change a');
  expect(shown.picks).toHaveLength(3);
  // A commit's words are no icon.
  expect(shown.picks[1]!.label.slice('$(git-commit) '.length)).not.toMatch(/^.*[^\\]\$\(star\)/);
  expect(made).toMatchObject({ kind: 'changes', linkable: false, mimeType: 'text/x-diff' });
  const { content } = made as { content: string };
  expect(content).toMatch(/Author: Ada[^]*Add b \$\(star\)[^]*diff --git a\/b\.ts[^]*\+two/);
  expect(content).not.toContain('three');
});

it('adds nothing if the user cancels', async () => {
  shown.take = -1;
  expect(await commitContext(near(), process.env)).toBeUndefined();
});

it('adds the first commit, which has no parent', async () => {
  shown.take = 2;
  expect((await commitContext(near(), process.env)) as { content: string }).toMatchObject({
    content: expect.stringContaining('+one') as string,
  });
});

it('bounds a message of megabytes', async () => {
  const words = `${'x'.repeat(1_000_000)}\n\n${'y'.repeat(1_000_000)}`;
  git('checkout', '-q', '-b', 'long');
  await writeFile(path.join(folder, 'message'), words);
  git('commit', '-q', '--allow-empty', '-F', 'message');
  const made = (await commitContext(near(), process.env)) as { content: string; detail: string };
  expect([made.content.length < 70_000, made.detail.length < 1_000]).toEqual([true, true]);
  git('mv', 'b.ts', 'c.ts');
  git('commit', '-q', '-F', 'message');
  expect(((await branchContext(near(), process.env)) as { content: string }).content.length).toBeLessThan(10_000);
  git('checkout', '-q', 'topic');
  await rm(path.join(folder, 'message'));
});

it('compares the branch with where it left main', async () => {
  const made = (await branchContext(near(), process.env)) as { label: string; detail: string; content: string };
  expect(made.label).toBe('Branch topic');
  expect(made.detail).toMatch(/^2 files changed since main · /);
  expect(made.content).toMatch(/^Commits of topic since main:\n\w+ Change a\n\w+ Add b/);
  expect(made.content).toMatch(/-one\n\+three[^]*\+two/);
});

it('says why there is nothing to compare with', async () => {
  git('checkout', '-q', 'main');
  expect(await branchContext(near(), process.env)).toMatch(/^There is no branch to compare with/);
  git('update-ref', 'refs/remotes/origin/main', 'main');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git('pack-refs', '--all');
  expect(await branchContext(near(), process.env)).toBe('main has no changes since origin/main.');
});

it('takes only whole lines of the log', () => {
  expect(commitsIn(`${'a'.repeat(40)}\u001fAda\u001fAdd\0nonsense\u001fx\u001fy\0`)).toEqual([
    { hash: 'a'.repeat(40), author: 'Ada', subject: 'Add' },
  ]);
});
