import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { Emitter } from '../../../../src/base/event';
import { TerminalDoor } from '../../../../src/host/terminals/terminalDoor';
import type { TerminalPatch, TerminalService } from '../../../../src/host/terminals/terminalService';

describe('TerminalDoor', () => {
  const setup = () => {
    const calls: string[] = [];
    const patches = new Emitter<TerminalPatch>();
    const service = {
      onDidPatch: patches.event,
      onDidRun: new Emitter<never>().event,
      createTerminal: async () => (calls.push('create'), { terminalId: 't' }),
      applyAgentEvent: (_: string, { terminalId }: { readonly terminalId: string }) =>
        void calls.push(`event ${terminalId}`),
      endSession: (id: string) => void calls.push(`end ${id}`),
      disposeSession: (id: string) => void calls.push(`dispose ${id}`),
      views: () => [{ terminalId: 't' }],
      dispose: () => void calls.push('dispose'),
    } as unknown as TerminalService;
    const loaded = new Deferred<TerminalService>();
    let loads = 0;
    const door = new TerminalDoor(() => (loads++, loaded.promise));
    return { calls, patches, service, loaded, door, loads: () => loads };
  };
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

  it('loads nothing until there is a terminal', () => {
    const { door, loads } = setup();
    expect([door.views('s'), door.view('s', 't'), door.open('s', 't')]).toEqual([[], undefined, false]);
    door.endSession('s');
    door.disposeSession('s');
    expect(loads()).toBe(0);
  });

  it('keeps the order of what comes while it loads', async () => {
    const { calls, patches, service, loaded, door, loads } = setup();
    const shown: string[] = [];
    door.onDidPatch(({ sessionId }) => shown.push(sessionId));
    door.applyAgentEvent('s', { type: 'output', terminalId: 'a', data: '' });
    const created = door.createTerminal({ sessionId: 's', command: 'ls' }, token);
    door.endSession('s');
    door.applyAgentEvent('s', { type: 'output', terminalId: 'b', data: '' });
    door.disposeSession('s');
    expect(calls).toEqual([]);
    loaded.resolve(service);
    expect(await created).toEqual({ terminalId: 't' });
    expect(calls).toEqual(['event a', 'create', 'end s', 'event b', 'dispose s']);
    expect(loads()).toBe(1);
    patches.fire({ sessionId: 's', patch: { op: 'terminal/rows' } as TerminalPatch['patch'] });
    expect(shown).toEqual(['s']);
    expect(door.views('s')).toHaveLength(1);
    door.dispose();
    expect(calls.at(-1)).toBe('dispose');
  });

  it('ends what is loaded after its own end', async () => {
    const { calls, service, loaded, door } = setup();
    door.applyAgentEvent('s', { type: 'output', terminalId: 'a', data: '' });
    door.dispose();
    loaded.resolve(service);
    await loaded.promise;
    await Promise.resolve();
    expect(calls[0]).toBe('dispose');
  });
});
