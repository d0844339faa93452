import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { agreeToFolder } from '../../../../src/host/sessions/folderElsewhere';

const asked = vi.hoisted(() => ({ questions: [] as string[], agrees: true }));
vi.mock('vscode', () => ({
  window: {
    showWarningMessage: async (
      question: string,
      options?: { readonly modal: boolean; readonly detail: string },
      action?: string,
    ) => {
      asked.questions.push([question, ...(options ? [options.modal ? 'modal' : '', options.detail] : [])].join(' | '));
      return asked.agrees ? action : undefined;
    },
  },
}));

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-elsewhere-')));
mkdirSync(join(base, 'work/sub'), { recursive: true });
mkdirSync(join(base, 'other'));
symlinkSync(join(base, 'other'), join(base, 'work/link'));
symlinkSync(join(base, 'work'), join(base, 'alias'));
const roots = [join(base, 'work')];

beforeEach(() => {
  asked.questions.length = 0;
  asked.agrees = true;
});

describe('the folder of a session that an agent lists', () => {
  it.each(['work', 'work/sub', 'alias/sub', 'work/sub/..'])('needs no agreement for %s', async (folder) => {
    expect(await agreeToFolder('Demo', `${base}/${folder}`, roots)).toBe('');
    expect(asked.questions).toEqual([]);
  });

  it.each([
    ['other', 'other'],
    ['work/link', 'other'],
    ['work/../other', 'other'],
    ['nowhere', 'nowhere'],
  ])('is asked for by its real path for %s', async (folder, real) => {
    expect(await agreeToFolder('Demo', `${base}/${folder}`, roots)).toBe(join(base, real));
    expect(asked.questions).toEqual([
      `Open a session in a folder outside the workspace? | modal | ${join(base, real)}\n\nDemo names this folder. If you open the session, Demo can read and write everything in it without asking.`,
    ]);
    asked.agrees = false;
    expect(await agreeToFolder('Demo', `${base}/${folder}`, roots)).toBeUndefined();
  });

  it('is told to have the home folder in it', async () => {
    await agreeToFolder('Demo', '/', roots);
    await agreeToFolder('Demo', homedir(), roots);
    expect(asked.questions.map((question) => question.endsWith('It contains your home folder.'))).toEqual([true, true]);
  });

  it.each(['', 'work', './work', '~'])('is refused for %j', async (folder) => {
    expect(await agreeToFolder('Demo', folder, roots)).toBeUndefined();
    expect(asked.questions).toEqual(['Demo lists this session without a valid folder, so it cannot be opened.']);
  });
});
