import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/host/platform/clock';
import { FakeClock } from '../../../fakes/fakeClock';
import { TerminalCard } from '../../../../src/host/terminals/terminalCard';
import { Replica, type ViewPatch } from '../../../../src/protocol/patch';
import type { PanelView } from '../../../../src/protocol/viewModel';

const base64 = (bytes: string | readonly number[]) => Buffer.from(bytes as string).toString('base64');

/** A card of an agent's own terminal, and what the panel has of it. */
function start() {
  const screen = { cols: 100, rows: 30, newlineReturns: true };
  const card = new TerminalCard({ terminalId: 't', canOpen: false, screen }, systemClock);
  onTestFinished(() => card.dispose());
  const replica = new Replica({ threadId: 'x', panel: {} as PanelView, entries: [], terminals: [card.view] });
  card.onDidPatch((patch: ViewPatch) => void replica.apply([patch]));
  const shown = () => replica.terminals.get('t')!;
  const rows = () =>
    shown()
      .rows.map((row) => row.map(({ text }) => text).join(''))
      .join('\n')
      .trimEnd();
  return { card, shown, rows };
}

describe('193, 195: a terminal of an agent of v2', () => {
  it('shows bytes with characters and colours that are cut', async () => {
    const { card, shown, rows } = start();
    card.patch({ terminalId: 't', command: 'ls' });
    for (const piece of [base64([0xe2]), base64([0x82, 0xac]), base64(' \u001b[3'), base64('1mred')])
      card.writeBytes(piece);
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

describe('a command that waits for input', () => {
  const quietCard = (canType: boolean) => {
    const clock = new FakeClock();
    const screen = { cols: 100, rows: 30, newlineReturns: false };
    const card = new TerminalCard({ terminalId: 't', canOpen: true, canType, screen }, clock);
    onTestFinished(() => card.dispose());
    const waits: boolean[] = [];
    card.onDidPatch((patch) => patch.op === 'terminal/set' && waits.push(patch.terminal.waitsForInput === true));
    const says = async (data: string) => {
      card.write(data);
      clock.advance(100);
      await expect
        .poll(() =>
          card.view.rows
            .flat()
            .map(({ text }) => text)
            .join('\n'),
        )
        .toContain(data.trim().split('\r\n').at(-1));
    };
    return { card, clock, waits, says };
  };

  it('is pointed out once it has been quiet for a while, until it goes on', async () => {
    const { card, clock, waits, says } = quietCard(true);
    await says('Password: ');
    clock.advance(3_000);
    expect(card.view.waitsForInput).toBeUndefined();
    clock.advance(1_500);
    expect(card.view.waitsForInput).toBe(true);
    card.answered();
    expect(card.view.waitsForInput).toBeUndefined();
    clock.advance(5_000);
    expect(card.view.waitsForInput).toBe(true);
    await says('\r\nthanks\r\n');
    expect(card.view.waitsForInput).toBeUndefined();
    clock.advance(60_000);
    expect(waits).toEqual([true, false, true, false]);
  });

  it('is not while output comes, after its end, or where nobody can type', async () => {
    const busy = quietCard(true);
    for (let i = 0; i < 5; i++) {
      await busy.says('.\r\nGo on? ');
      busy.clock.advance(2_000);
    }
    busy.card.end({ exitCode: 0 });
    busy.clock.advance(60_000);
    const pipes = quietCard(false);
    await pipes.says('Password: ');
    pipes.clock.advance(60_000);
    expect([...busy.waits, ...pipes.waits]).not.toContain(true);
  });
});
