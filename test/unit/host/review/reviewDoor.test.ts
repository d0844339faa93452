import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { ReviewDoor } from '../../../../src/host/review/reviewDoor';
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
    tallies = { of: () => ['told'] };
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
    const review = { onDidChange: new Emitter<void>().event, refresh: () => undefined, look: async () => undefined };
    const service = {
      onDidChangeChanges: changed.event,
      get pendingSessions() {
        return pending;
      },
    };
    return new ReviewDoor({
      review,
      service,
      guards: { onDidChange: new Emitter<void>().event },
      sessions: {},
      state,
      turnOf: () => undefined,
    } as never);
  };
  beforeEach(() => {
    pending = [];
    [window.mode, window.made] = ['never', 0];
  });

  it('with the first change, once', async () => {
    const door = open();
    changed.fire();
    await settled();
    expect([window.made, door.opened, door.fileStates('s')]).toEqual([0, undefined, []]);
    let told = 0;
    door.onDidChange(() => told++);
    pending = ['s'];
    for (let i = 0; i < 3; i++) changed.fire();
    await expect.poll(() => [window.made, told, door.fileStates('s')]).toEqual([1, 1, ['told']]);
    door.dispose();
  });

  it('where an earlier window has left comments or decisions', async () => {
    const state = new MemoryState();
    await state.update('parley.review.outcomes', []);
    const door = open(state);
    await expect.poll(() => window.made).toBe(1);
    door.dispose();
  });

  it('for auto-keep, also when it is switched on later', async () => {
    const door = open();
    window.mode = 'onCommit';
    window.configured({ affectsConfiguration: (key: string) => key === 'parley.review' });
    await expect.poll(() => window.made).toBe(1);
    door.dispose();
  });

  it('for a command that needs it', async () => {
    const door = open();
    expect(await door.hunks()).toBe('hunks');
    expect(await door.hunks()).toBe('hunks');
    expect(window.made).toBe(1);
    door.dispose();
  });
});
