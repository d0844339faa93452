import { expect, it, vi } from 'vitest';
import { greet } from '../../../../src/host/attention/greeting';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

const shown = vi.hoisted(() => [] as string[]);
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { getConfiguration: () => ({ get: () => true }) },
  commands: { executeCommand: async () => undefined },
}));
vi.mock('../../../../src/host/platform/markedWindow', () => ({
  markedWindow: { showInformationMessage: async (text: string) => void shown.push(text) },
}));

it.each([
  ['is shown once where no chat is open', false, 1],
  ['does not lie over a chat that is open already', true, 0],
])('the first notification %s', async (_, isOpen, times) => {
  shown.length = 0;
  const clock = new FakeClock();
  const state = new MemoryState();
  for (let i = 0; i < 2; i++) {
    const greeted = greet(state as never, () => isOpen, clock);
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(2_000);
    await greeted;
  }
  expect(shown).toHaveLength(times);
});
