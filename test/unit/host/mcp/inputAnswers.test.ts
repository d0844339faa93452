import { beforeEach, expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { InputAnswers } from '../../../../src/host/mcp/inputAnswers';
import type { KnownServer } from '../../../../src/host/mcp/knownServer';
import type { InputDefinition } from '../../../../src/host/mcp/serverInputs';
import { MemoryState } from '../../../fakes/memoryState';

const user = vi.hoisted(() => ({ types: 'key' as string | undefined, asked: 0 }));
vi.mock('vscode', () => ({
  CancellationTokenSource: class {
    token = {};
    cancel() {}
    dispose() {}
  },
  window: {
    showInputBox: async () => {
      user.asked++;
      return user.types;
    },
  },
}));

const server = { key: 'settings::github', name: 'github' } as KnownServer;
const input: InputDefinition = { type: 'promptString', id: 'token', password: true };
const used = new Set<string>();
const answerFrom = (secrets: object) =>
  new InputAnswers(secrets as never, new MemoryState(), used, silentLogger).answer(
    server,
    input,
    neverCancelled,
    () => ({
      dispose: () => undefined,
    }),
  );
const locked = () => Promise.reject(new Error('The keyring is locked'));

beforeEach(() => {
  used.clear();
  Object.assign(user, { types: 'key', asked: 0 });
});

it('asks if the secret storage cannot be read, and does not lose the answer if it cannot be written', async () => {
  expect(await answerFrom({ get: locked, store: locked })).toBe('key');
  expect([user.asked, ...used]).toEqual([1, 'key']);
});

it('takes no answer for none', async () => {
  user.types = '';
  expect(await answerFrom({ get: locked, store: locked })).toBeUndefined();
  expect(used.size).toBe(0);
});
