import { afterEach, beforeEach, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { Later } from '../../../../src/base/later';
import { silentLogger } from '../../../../src/base/log';
import { TranscriptRecorder } from '../../../../src/host/sessions/transcriptRecorder';
import { TerminalService } from '../../../../src/host/terminals/terminalService';
import type { TerminalView } from '../../../../src/protocol/terminalView';
import type { AgentTerminalEvent } from '../../../../src/thread/agentTerminals';
import { FakeClock } from '../../../fakes/fakeClock';

let clock: FakeClock;
let written: TerminalView[];
let recorder: TranscriptRecorder;
let terminals: Later<TerminalService>;
const events = new Emitter<{ readonly id: string; readonly event: AgentTerminalEvent }>();
beforeEach(() => {
  clock = new FakeClock();
  written = [];
  const options = { scopes: () => undefined, clock, log: silentLogger, environment: () => ({}) };
  terminals = new Later(async () => new TerminalService(options));
  recorder = new TranscriptRecorder(
    { find: () => ({}) as never, onDidReceiveTerminal: events.event },
    terminals,
    { terminal: (_, terminal) => void written.push(terminal) },
    clock,
  );
});
afterEach(() => {
  recorder.dispose();
  terminals.dispose();
});

/** The agent reports something. */
async function say(event: Omit<AgentTerminalEvent, 'terminalId'>): Promise<void> {
  events.fire({ id: 's', event: { ...event, terminalId: 't' } as AgentTerminalEvent });
  await terminals.get();
}
const output = (data: string) => say({ type: 'output', data } as never);
const end = (exit: { readonly exitCode: number; readonly signal: null } | null) =>
  say({ type: 'patched', fields: { terminalId: 't', exit } } as never);
const shown = () => terminals.opened?.view('s', 't');
const rowsOf = (terminal: TerminalView | undefined) =>
  terminal?.rows.map((row) => row.map(({ text }) => text).join(''));
/** The card is drawn after a while, and what came late is stored after another one. */
const later = (value: () => unknown) => expect.poll(() => (clock.advance(500), value()));

it('stores what an agent reports of its terminal after the end', async () => {
  await output('one\n');
  await say({ type: 'exited', exitCode: 1, signal: null } as never);
  await expect.poll(() => written.map(rowsOf)).toEqual([['one']]);
  await output('two\n');
  await output('three\n');
  await later(() => rowsOf(written.at(-1))).toEqual(['one', 'two', 'three']);
  const { length } = written;
  clock.advance(60_000);
  expect(written).toHaveLength(length);
});

it('stores the end that counts if an agent takes one back', async () => {
  await end({ exitCode: 1, signal: null });
  await expect.poll(() => written.at(-1)?.exitCode).toBe(1);
  await end(null);
  await expect.poll(() => shown()?.running).toBe(true);
  await end({ exitCode: 0, signal: null });
  await expect.poll(() => written.at(-1)?.exitCode).toBe(0);
});

it('stores it also if the window ends then', async () => {
  await end({ exitCode: 1, signal: null });
  await expect.poll(() => written).toHaveLength(1);
  await output('late\n');
  await expect.poll(() => (clock.advance(100), rowsOf(shown()))).toEqual(['late']);
  recorder.dispose();
  expect(rowsOf(written.at(-1))).toEqual(['late']);
});
