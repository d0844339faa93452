import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { TurnChanges } from '../../../../src/host/review/turnChanges';
import type { ChangeView } from '../../../../src/protocol/changeView';
import { Ledger } from '../../../../src/changes/ledger';
import { joinRenames } from '../../../../src/host/review/renamedChanges';

it('a turn counts as the bar does: a file that was moved is one, and its lines are none', () => {
  const ledger = new Ledger();
  ledger.agentWrote('/w/a.ts', '1\n', 'one\n', 'e0');
  ledger.agentWrote('/w/old.ts', 'x\ny\n', undefined, 'e0');
  ledger.agentWrote('/w/new.ts', undefined, 'x\ny\n', 'e0');
  const views = ledger.changes.map(({ path, kind, added, removed, hunks }): ChangeView => ({ path, label: path, kind, added, removed, hunks: hunks.length, conflicts: 0 }));
  const changed = new Emitter<void>();
  const turns = new TurnChanges({
    review: { sessions: [{ sessionId: 's', changes: ledger.changes }], changes: () => joinRenames(views, (path) => (path === '/w/new.ts' ? '/w/old.ts' : undefined)), onDidChange: changed.event },
    runningTurn: () => undefined,
  });
  expect(turns.ended('s')).toEqual([{ turn: 'e0', files: 2, added: 1, removed: 1 }]);
});
