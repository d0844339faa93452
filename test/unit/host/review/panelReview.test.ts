import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { PanelReview } from '../../../../src/host/review/panelReview';
import { MemoryState } from '../../../fakes/memoryState';

const window = vi.hoisted(() => ({ mode: 'never', configured: (_event: object): void => {}, made: 0 }));

vi.mock('vscode', () => ({
  workspace: {
    onDidChangeConfiguration: (listener: (event: object) => void) => (
      (window.configured = listener),
      { dispose: () => undefined }
    ),
  },
}));
vi.mock('../../../../src/host/agents/agentSettings', () => ({ autoKeepMode: () => window.mode }));
vi.mock('../../../../src/host/review/openReview', () => ({
  OpenReview: class {
    hunks = 'hunks';
    constructor() {
      window.made++;
    }
    dispose(): void {}
  },
}));

describe('what shows a review is loaded', () => {
  let pending: string[];
  const changed = new Emitter<void>();
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  const open = (state = new MemoryState()) => {
    const review = {
      keeping: {},
      onDidChange: new Emitter<void>().event,
      refresh: () => undefined,
      look: async () => undefined,
    };
    const service = {
      onDidChangeChanges: changed.event,
      get pendingSessions() {
        return pending;
      },
    };
    return new PanelReview({
      review,
      service,
      sessions: {},
      state,
    } as never);
  };
  beforeEach(() => {
    pending = [];
    [window.mode, window.made] = ['never', 0];
  });

  it('with the first change, once', async () => {
    const shown = open();
    changed.fire();
    await settled();
    expect([window.made, shown.open.opened]).toEqual([0, undefined]);
    let told = 0;
    shown.onDidChange(() => told++);
    pending = ['s'];
    for (let i = 0; i < 3; i++) changed.fire();
    await expect.poll(() => [window.made, told]).toEqual([1, 1]);
    shown.dispose();
  });

  it('where an earlier window has left comments or decisions', async () => {
    const state = new MemoryState();
    await state.update('parley.review.outcomes', []);
    const shown = open(state);
    await expect.poll(() => window.made).toBe(1);
    shown.dispose();
  });

  it('for auto-keep, also when it is switched on later', async () => {
    const shown = open();
    window.mode = 'onCommit';
    window.configured({ affectsConfiguration: (key: string) => key === 'parley.review' });
    await expect.poll(() => window.made).toBe(1);
    shown.dispose();
  });

  it('for a command that needs it', async () => {
    const shown = open();
    expect((await shown.open.get()).hunks).toBe('hunks');
    expect(await shown.open.get()).toBe(shown.open.opened);
    expect(window.made).toBe(1);
    shown.dispose();
  });
});
