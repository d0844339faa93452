import { expect, it } from 'vitest';
import { TREE_VARIABLE } from '../../../src/node/processTag';
import { markedInLines, rowsOfPs } from '../../../src/node/processTable';
import { systemProgram } from '../../../src/node/systemProgram';

/** As `ps` of macOS writes it. */
const table = `
    1     0     1 Ss   Fri Nov 27 09:00:01 2026    
  501     1   501 S    Sat Nov 28 02:15:47 2026    
  502   501   501 R+   Sat Nov 28 02:15:48 2026    
  503   501   501 Z    Sat Nov 28 02:15:48 2026    
`;

it('the list of processes of macOS is read; zombies are none', () => {
  expect(rowsOfPs(table).map(({ pid, parent, group, startedAt }) => [pid, parent, group, startedAt])).toEqual([
    [1, 0, 1, new Date(2026, 10, 27, 9, 0, 1).getTime()],
    [501, 1, 501, new Date(2026, 10, 28, 2, 15, 47).getTime()],
    [502, 501, 501, new Date(2026, 10, 28, 2, 15, 48).getTime()],
  ]);
});

it('the marked processes of macOS are found in their environments', () => {
  const lines = [
    `  501 node agent.js HOME=/Users/me ${TREE_VARIABLE}=ab.1 TERM=x`,
    `  502 node ${TREE_VARIABLE}=ab.12`,
    `  503 node ${TREE_VARIABLE}=cd.1`,
    `  504 vim ${TREE_VARIABLE}`,
  ].join('\n');
  expect([...markedInLines(lines, 'ab.1')]).toEqual([501]);
  expect([...markedInLines(lines, 'ab.12')]).toEqual([502]);
  expect([...markedInLines(lines, 'ab.')]).toEqual([501, 502]);
});

it.skipIf(process.platform === 'win32')(
  'the system’s `ps` answers in English, in whatever language it runs',
  async () => {
    const before = process.env['LC_ALL'];
    process.env['LC_ALL'] = 'de_DE.UTF-8';
    try {
      const rows = rowsOfPs(await systemProgram('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']));
      const own = rows.find(({ pid }) => pid === process.pid);
      expect(Math.abs(own!.startedAt - (Date.now() - process.uptime() * 1_000))).toBeLessThan(60_000);
      expect(rows.filter(({ startedAt }) => Number.isNaN(startedAt))).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['LC_ALL'];
      else process.env['LC_ALL'] = before;
    }
  },
);
