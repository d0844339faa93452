import { expect, it } from 'vitest';
import { inSlices } from '../../../../src/host/platform/slices';
import { exportReading, readExport } from '../../../../src/thread/readExport';

const at = '2026-11-22T10:00:00.000Z';
const file = (entries: number) =>
  JSON.stringify({
    format: 'parley.session',
    version: 1,
    exportedAt: at,
    agent: 'Demo',
    entries: Array.from({ length: entries }, (_, i) => ({
      type: i % 2 === 0 ? 'prompt' : 'answer',
      at,
      until: at,
      content: [{ type: 'text', text: `entry ${i}` }],
    })),
  });

it('a session of any length is imported in slices, in which the host does other things', async () => {
  const text = file(10_000);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const imported = await inSlices(exportReading(text)).finally(() => (isOver = true));
  expect(turns).toBeGreaterThan(3);
  expect(imported).toEqual(readExport(text));
});

it('what is wrong in a file is told to who waits', async () => {
  await expect(inSlices(exportReading(file(0)))).rejects.toThrow('no conversation');
});
