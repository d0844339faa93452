import { describe, expect, it } from 'vitest';
import { Backlog } from '../../../src/thread/backlog';

const ESC = '\x1b';

describe('output that waits to be shown', () => {
  it('is given as it came, once', () => {
    const backlog = new Backlog(100);
    for (const piece of ['a', '', 'b\r\n']) backlog.push(piece);
    expect(backlog.isEmpty).toBe(false);
    expect(backlog.take()).toBe('ab\r\n');
    expect(backlog.isEmpty).toBe(true);
    expect(backlog.take()).toBe('');
  });

  it('beyond the limit is the end of it, from a line on, without the colour of what is gone', () => {
    const backlog = new Backlog(20);
    for (let i = 0; i < 1_000; i++) backlog.push(`${ESC}[31mline ${i}\r\n`);
    expect(backlog.take()).toBe(`${ESC}[0m\r\n${ESC}[31mline 999\r\n`);
    backlog.push('next');
    expect(backlog.take()).toBe('next');
  });

  it('keeps what lasts: the screen of an editor, a scroll region, hidden cursors', () => {
    const backlog = new Backlog(10);
    for (const piece of [
      `${ESC}[?1049h${ESC}[?25l${ESC}[2;10r`,
      `${ESC}[1;1H${ESC}[Ktext`,
      `${ESC}(0`,
      'x'.repeat(20),
      '\r\nafter\r\n',
    ])
      backlog.push(piece);
    expect(backlog.take()).toBe(`${ESC}[0m${ESC}[?1049h${ESC}[?25l${ESC}[2;10r${ESC}(0${ESC}[999;1H\r\nafter\r\n`);
  });

  it('does not grow by what lasts either', () => {
    const backlog = new Backlog(10);
    for (let i = 0; i < 10_000; i++) backlog.push(`${ESC}[?25l some text`);
    expect(backlog.take().length).toBeLessThan(2_000);
  });
});
