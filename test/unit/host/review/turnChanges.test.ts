import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { withMoves } from '../../../../src/changes/movedFiles';
import { TurnChanges } from '../../../../src/host/review/panelReview';
import { Ledger } from '../../../../src/changes/ledger';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

it('a turn counts as the bar does: a file that was moved is one, and its lines are none', () => {
  const ledger = new Ledger();
  ledger.agentWrote('/w/a.ts', '1\n', 'one\n', 'e0');
  ledger.agentWrote('/w/old.ts', 'x\ny\n', undefined, 'e0');
  ledger.agentWrote('/w/new.ts', undefined, 'x\ny\n', 'e0');
  const moved = withMoves([{ sessionId: 's', changes: ledger.changes }], (path) =>
    path === '/w/new.ts' ? '/w/old.ts' : undefined,
  );
  const turns = new TurnChanges({ withMoves: moved, onDidChange: new Emitter<void>().event }, () => undefined);
  expect(turns.ended('s')).toEqual([{ turn: 'e0', files: 2, added: 1, removed: 1 }]);
});
