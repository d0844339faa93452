import { describe, expect, it } from 'vitest';
import { backgroundWork, type RunningTerminal } from '../../../src/view/backgroundWork';
import { ScenarioPlayer, type Step } from '../thread/scenario';

const running = (terminalId: string, fields: Partial<RunningTerminal> = {}): RunningTerminal => ({
  terminalId,
  command: `run ${terminalId}`,
  startedAt: 5,
  canOpen: true,
  canCancel: true,
  tellsEnd: true,
  ...fields,
});

/** A call that shows a terminal. */
const call = (toolCallId: string, terminalId: string, fields: object = {}): Step => ({
  update: {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `Call ${toolCallId}`,
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId }],
    ...fields,
  },
});
const ends = (toolCallId: string): Step => ({
  update: { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' },
});
const agents = { canOpen: false, canCancel: false, tellsEnd: false };

async function rows(steps: readonly Step[], terminals: readonly RunningTerminal[], version: 1 | 2 = 1) {
  const player = new ScenarioPlayer(version, true);
  for (const step of steps) await player.play(step);
  return backgroundWork(player.session.thread, terminals);
}

describe('commands', () => {
  it('are in the background once their call has ended, also while the turn runs', async () => {
    const steps = [{ prompt: 'go' }, call('c', 't')] as const;
    expect(await rows(steps, [running('t')])).toEqual([]);
    const [row] = await rows([...steps, ends('c')], [running('t')]);
    expect(row).toEqual({
      key: 'terminal:t',
      kind: 'command',
      title: 'run t',
      since: 5,
      entryId: 'e1',
      opens: 't',
      stop: { terminalId: 't' },
    });
  });

  it('are in the background once no turn runs, whatever has become of their call', async () => {
    expect(await rows([{ prompt: 'go' }, call('c', 't'), { end: 'end_turn' }], [running('t')])).toHaveLength(1);
    // A command that is in no card.
    expect(await rows([{ prompt: 'go' }], [running('x')])).toEqual([]);
    const [row] = await rows([{ prompt: 'go' }, { end: 'end_turn' }], [running('x')]);
    expect(row).toEqual({
      key: 'terminal:x',
      kind: 'command',
      title: 'run x',
      since: 5,
      opens: 'x',
      stop: { terminalId: 'x' },
    });
  });

  it('of the agent itself count only where their end is told: agents may never report one', async () => {
    const over = [{ prompt: 'go' }, call('c', 't'), ends('c'), { end: 'end_turn' }] as const;
    expect(await rows(over, [running('t', agents)])).toEqual([]);
    for (const said of [
      { rawInput: { command: 'serve', run_in_background: true } },
      { rawInput: { command: 'serve', is_background: true } },
      { _meta: { claudeCode: { toolResponse: { backgroundTaskId: 'b1' } } } },
    ]) {
      const [row] = await rows([{ prompt: 'go' }, call('c', 't', said), ends('c')], [running('t', agents)]);
      expect(row).toMatchObject({ title: 'run t', entryId: 'e1' });
      // Version 1 has no way to stop it.
      expect(row).not.toHaveProperty('stop');
      expect(row).not.toHaveProperty('opens');
    }
  });

  it('may have the id of their call', async () => {
    const steps = [{ prompt: 'go' }, call('t', 'other'), ends('t')] as const;
    expect(await rows(steps, [running('t')])).toMatchObject([{ entryId: 'e1' }]);
  });

  it('are listed oldest first', async () => {
    const found = await rows([], [running('b', { startedAt: 9 }), running('a', { startedAt: 2 })]);
    expect(found.map(({ since }) => since)).toEqual([2, 9]);
  });
});

describe('in version 2', () => {
  const update = (fields: object): Step => ({ update: fields });
  const state = (name: string, background?: readonly object[]) =>
    update({ sessionUpdate: 'state_update', state: name, ...(background ? { background } : {}) });
  const watch = (fields: object = {}) =>
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'w', title: 'Watch', status: 'in_progress', ...fields });
  const cancel = { capabilities: { cancel: {} } };

  it('calls that outlive their turn are in the background, also in the next turn', async () => {
    const first: Step[] = [{ prompt: 'go' }, { inserted: 'm' }, state('running'), watch(cancel)];
    expect(await rows(first, [], 2)).toEqual([]);
    const left = [...first, state('idle')];
    expect(await rows(left, [], 2)).toMatchObject([{ kind: 'call', title: 'Watch', stop: { entryId: 'e1' } }]);
    const next = [...left, { prompt: 'more' }, { inserted: 'n' }, state('running')];
    expect(await rows(next, [], 2)).toHaveLength(1);
    expect(await rows([...next, watch({ status: 'completed' })], [], 2)).toEqual([]);
    expect(await rows([...left, { detach: true }], [], 2)).toEqual([]);
  });

  it('what the agent lists is in the background, once each, and the rest of the list is counted', async () => {
    const steps: Step[] = [
      { prompt: 'go' },
      { inserted: 'm' },
      state('running'),
      watch(),
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 's',
        title: 'Serve',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: 't' }],
      }),
    ];
    const listed = state('running', [
      { type: 'terminal', terminalId: 't' },
      { type: 'tool_call', toolCallId: 'w' },
      { type: 'tool_call', toolCallId: 'unknown' },
      { type: '_own', description: 'Wake up at six' },
    ]);
    const found = await rows([...steps, listed], [running('t', { ...agents, canCancel: true })], 2);
    expect(found.map(({ kind, title }) => [kind, title])).toEqual([
      ['command', 'run t'],
      ['call', 'Watch'],
      ['other', 'Wake up at six'],
    ]);
    // Without a list the agent reports nothing; that is not "none".
    expect(await rows([...steps, listed, state('idle'), watch({ status: 'completed' })], [], 2)).toMatchObject([
      { title: 'Serve' },
    ]);
    expect(await rows([...steps, listed, { detach: true }], [], 2)).toEqual([]);
  });
});
