import { expect, it, vi } from 'vitest';
import { goToPrompt } from '../../../../src/host/panel/goToPrompt';
import type { ThreadAction } from '../../../../src/thread/actions';
import { replay } from '../../../../src/thread/replay';

const shown = vi.hoisted(() => ({ items: [] as { label: string; id: string }[], notes: [] as string[] }));
vi.mock('vscode', () => ({
  window: {
    showQuickPick: async (items: { label: string; id: string }[]) => (shown.items = items)[1],
    showInformationMessage: async (text: string) => void shown.notes.push(text),
  },
}));

const ask = (turnId: string, text: string): ThreadAction[] => [
  { type: 'turn/started', at: 1, turnId, prompt: [{ type: 'text', text }] },
  { type: 'message/chunkAppended', at: 2, role: 'agent', content: { type: 'text', text: 'Yes.' } },
  { type: 'turn/ended', at: 3, turnId, stopReason: 'end_turn' },
];

it('lists the prompts of the conversation in one line each, and shows the chosen one in the panel', async () => {
  const done: string[] = [];
  const panel = { reveal: async () => void done.push('reveal'), revealEntry: (id: string) => void done.push(id) };
  await goToPrompt(replay([...ask('a', 'first\n$(rm)'), ...ask('b', 'second'), ...ask('c', 'third')]), panel, () =>
    done.push('uncover'),
  );
  expect(shown.items.map(({ label }) => label)).toEqual(['third', 'second', 'first $\u200b(rm)']);
  expect(done).toEqual(['uncover', 'reveal', shown.items[1]!.id]);
  await goToPrompt(replay([]), panel, () => done.push('never'));
  expect(shown.notes).toEqual(['There is no prompt in this conversation yet.']);
  expect(done).toHaveLength(3);
});
