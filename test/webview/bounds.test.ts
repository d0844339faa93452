import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

/* What an agent can make as long as it likes costs the panel no more than what is in view. */

const row = (columns: number, cell: (n: number) => string) =>
  `|${Array.from({ length: columns }, (_, n) => cell(n)).join('|')}|`;
const table = (columns: number, rows: number, line: (n: number) => string) =>
  [row(columns, (n) => `h${n}`), row(columns, () => '-'), ...Array.from({ length: rows }, (_, n) => line(n))].join(
    '\n',
  );

/** Each with the number of cells that it would have, drawn as a whole. */
const tables: [string, number, string][] = [
  ['of 4 columns and 100,000 rows', 400_000, table(4, 100_000, (n) => row(4, (m) => `${n * m}`))],
  ['of 100 columns and 1,000 rows', 100_000, table(100, 1_000, (n) => row(100, (m) => `${n * m}`))],
  ['of 632 columns and 632 rows', 632 * 632, table(632, 632, (n) => row(632, (m) => `${n * m}`))],
  [
    'of 900 columns whose 100 rows are written with one cell each, in a quote',
    900 * 100,
    table(900, 100, () => '|x|').replaceAll(/^/gm, '> '),
  ],
  ['of 1,300 columns whose 300 rows are written with one cell each', 1_300 * 300, table(1_300, 300, () => '|x|')],
];

describe('a very large table', () => {
  it.each(tables)('%s is there, and most of its cells are not drawn', async (_name, cells, text) => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'short')]));
    await panel.patch({ op: 'entry/add', entry: agentMessage('b', text) });
    const drawn = panel.page.locator('.markdown').last();
    await expect.poll(() => drawn.textContent()).toContain('h0');
    await panel.frames(60);
    expect(await drawn.evaluate((element) => element.querySelectorAll('*').length)).toBeLessThan(cells / 4);
  });
});

it('a plan of 10,000 entries shows its beginning, what all of it comes to, and the way to the rest', async () => {
  const panel = await PanelPage.open();
  const plan = Array.from(
    { length: 200 },
    (_, n) => ({ content: `Step ${n}`, priority: 'medium', status: 'completed' }) as const,
  );
  await panel.show(
    threadView([agentMessage('a', 'short')], { plan, planTally: { total: 10_000, done: 3_000, current: 'Step 3000' } }),
    { expanded: { 'dock:plan': true } },
  );
  await expect
    .poll(() => panel.page.getByRole('button', { name: 'Step 3000' }).textContent())
    .toContain('Plan 3001 / 10000');
  await panel.page.getByRole('button', { name: '9,800 more steps' }).click();
  expect(await panel.nextPosted('list/open')).toEqual({ type: 'list/open', list: 'plan' });
});
