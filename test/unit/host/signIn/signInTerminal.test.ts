import { expect, it, vi } from 'vitest';
import type { Pseudoterminal } from 'vscode';
import { runSignIn } from '../../../../src/host/signIn/signInTerminal';
import type { PtyBackend } from '../../../../src/node/pty';

const window = vi.hoisted(() => ({ pty: undefined as Pseudoterminal | undefined, closeWhenTrusted: false }));

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  EventEmitter: (await import('../../../../src/base/event')).Emitter,
  workspace: {},
}));
vi.mock('../../../../src/host/platform/markedWindow', () => ({
  markedWindow: {
    createTerminal: ({ pty }: { readonly pty: Pseudoterminal }) => {
      window.pty = pty;
      return { show: () => undefined, dispose: () => undefined };
    },
  },
}));
vi.mock('../../../../src/node/trustedFolders', () => ({
  foldersToAvoid: async () => [],
  trustedEnvironment: async () => {
    if (window.closeWhenTrusted) window.pty!.close();
    return {};
  },
}));

it.each([true, false])('the command does not begin once its terminal is closed: %s', async (closes) => {
  window.closeWhenTrusted = closes;
  const started: string[] = [];
  const backend: PtyBackend = {
    isPty: false,
    spawn: (file) => {
      started.push(file);
      throw new Error('not started');
    },
  };
  const { ended } = runSignIn(
    {
      title: 'Sign in',
      line: 'login',
      command: process.execPath,
      args: [],
      cwd: process.cwd(),
      env: {},
      variables: [],
    },
    { environment: async () => ({}), backend: async () => backend },
  );
  let shown = '';
  window.pty!.onDidWrite((text) => (shown += text));
  window.pty!.open(undefined);
  expect((await ended) === undefined).toBe(closes);
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(closes ? 0 : 1);
  // It would wait for ever for a key, or end at once.
  expect(shown.includes('run it in a VS Code terminal')).toBe(!closes);
});
