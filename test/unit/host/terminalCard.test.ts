import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/host/clock';
import { TerminalCard } from '../../../src/host/terminalCard';
import { Replica, type ViewPatch } from '../../../src/protocol/patch';
import type { PanelView } from '../../../src/protocol/viewModel';

const base64 = (bytes: string | readonly number[]) => Buffer.from(bytes as string).toString('base64');

/** A card of an agent's own terminal, and what the panel has of it. */
function start() {
  const card = new TerminalCard({ terminalId: 't', canOpen: false, newlineReturns: true, cols: 100, rows: 30, clock: systemClock });
  onTestFinished(() => card.dispose());
  const replica = new Replica({ threadId: 'x', panel: {} as PanelView, entries: [], terminals: [card.view] });
  card.onDidPatch((patch: ViewPatch) => void replica.apply([patch]));
  const shown = () => replica.terminals.get('t')!;
  const rows = () => shown().rows.map((row) => row.map(({ text }) => text).join('')).join('\n').trimEnd();
  return { card, shown, rows };
}

describe('193, 195: a terminal of an agent of v2', () => {
  it('shows bytes with characters and colours that are cut', async () => {
    const { card, shown, rows } = start();
    card.patch({ terminalId: 't', command: 'ls' });
    for (const piece of [base64([0xe2]), base64([0x82, 0xac]), base64(' \u001b[3'), base64('1mred')]) card.writeBytes(piece);
    await expect.poll(rows).toBe('€ red');
    expect(shown()).toMatchObject({ command: 'ls', running: true });
    expect(shown().rows[0]?.find(({ text }) => text === 'red')?.classes).toContain('fg-1');
  });

  it('a snapshot takes the place of all output, null clears it, and more is appended', async () => {
    const { card, rows } = start();
    card.writeBytes(base64('old\nlines\n'));
    await expect.poll(rows).toBe('old\nlines');
    card.patch({ terminalId: 't', output: base64('new\n') });
    card.writeBytes(base64('and more'));
    await expect.poll(rows).toBe('new\nand more');
    card.patch({ terminalId: 't', output: null });
    await expect.poll(rows).toBe('');
  });

  it('absent keeps, null clears, and an exit can be replaced and taken back', async () => {
    const { card, shown, rows } = start();
    card.patch({ terminalId: 't', command: 'make', size: { cols: 10, rows: 5 }, canCancel: true });
    card.writeBytes(base64('0123456789abc'));
    await expect.poll(rows).toBe('0123456789\nabc');
    expect(shown()).toMatchObject({ command: 'make', canCancel: true });
    card.patch({ terminalId: 't', exit: { exitCode: 1, signal: null }, canCancel: false });
    await expect.poll(() => shown().exitCode).toBe(1);
    card.patch({ terminalId: 't', exit: { exitCode: null, signal: 'SIGKILL' } });
    expect(shown()).toMatchObject({ running: false, signal: 'SIGKILL', command: 'make' });
    expect(shown().canCancel).toBeUndefined();
    card.patch({ terminalId: 't', exit: null, command: null });
    expect(shown().running).toBe(true);
    expect(shown().command).toBeUndefined();
  });
});
