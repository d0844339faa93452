import { expect, it, vi } from 'vitest';
import { Ledger } from '../../../../src/changes/ledger';
import { placeAt } from '../../../../src/changes/places';
import { PendingFiles } from '../../../../src/host/review/pendingFiles';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/** Two sessions that changed the same files, each in lines of its own. */
function pending(files: number): PendingFiles {
  const ledgers = [0, 1].map((session) => {
    const ledger = new Ledger();
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line}`);
    for (let i = session; i < files; i++)
      ledger.agentWrote(
        `/p/${i}.ts`,
        lines.join('\n'),
        lines.map((line, at) => (at % 20 === 5 + 6 * session ? `${line} changed` : line)).join('\n'),
        'e0',
      );
    return ledger;
  });
  const service = {
    pendingSessions: ['0', '1'],
    tracked: (id: string) => ledgers[Number(id)]!.changes,
  };
  return new PendingFiles(
    service,
    () => undefined,
    () => false,
  );
}

it('the number of a place is told from its file alone, and is its number among all', () => {
  const all = pending(6);
  expect([all.fileCount, all.places.length]).toEqual([6, 22]);
  const numbers = new Set<number>();
  for (let file = 0; file < 7; file++) {
    for (let line = 0; line < 41; line++) {
      const number = all.placeAt(`/p/${file}.ts`, line, 40);
      expect(number, `${file}:${line}`).toBe(placeAt(all.places, `/p/${file}.ts`, line, 40));
      numbers.add(number);
    }
  }
  expect(numbers.size).toBe(23);
});
