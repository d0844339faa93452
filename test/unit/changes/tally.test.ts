import { describe, expect, it } from 'vitest';
import { decisionOf } from '../../../src/changes/decision';
import { Ledger } from '../../../src/changes/ledger';
import { hunksOfDiff, Tally } from '../../../src/changes/tally';

const path = '/w/a.ts';
const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nD\ne\nF\n';

function three() {
  const ledger = new Ledger();
  ledger.agentWrote(path, before, after);
  const tally = new Tally();
  const ids = ledger.get(path)!.hunks.map(({ id }) => id);
  const decide = (wish: 'keep' | 'undo' | 'restore', ...chosen: string[]) => {
    const was = ledger.get(path);
    if (wish === 'keep') ledger.keep(path, chosen);
    else ledger.done(path, wish, ledger.plan(path, wish, chosen)!.text, chosen);
    const decision =
      wish === 'restore' ? undefined : decisionOf('s', wish === 'keep' ? 'kept' : 'undone', was, ledger.get(path));
    if (decision) tally.add(decision);
  };
  const told = () => tally.files(ledger.changes).map(({ pending, kept, undone }) => [pending, kept, undone]);
  return { ledger, ids, decide, told };
}

describe('what became of the changes to a file', () => {
  it('counts what waits, what was kept and what was undone', () => {
    const { ids, decide, told } = three();
    expect(told()).toEqual([[3, 0, 0]]);
    decide('keep', ids[0]!);
    decide('undo', ids[1]!);
    expect(told()).toEqual([[1, 1, 1]]);
    decide('keep', ids[2]!);
    expect(told()).toEqual([[0, 2, 1]]);
  });

  it('counts for each turn what it changed', () => {
    const { ledger, ids, decide } = three();
    decide('keep', ...ids);
    ledger.agentWrote(path, after, `${after}G\nH\n`, 'e4');
    const tally = new Tally();
    const [was] = ledger.changes;
    expect(tally.files(ledger.changes)).toEqual([{ path, turn: 'e4', pending: 1, kept: 0, undone: 0 }]);
    ledger.keep(
      path,
      was!.hunks.map(({ id }) => id),
    );
    tally.add(decisionOf('s', 'kept', was, ledger.get(path))!);
    ledger.agentWrote(path, `${after}G\nH\n`, `A\n${after.slice(2)}G\nH\n`, 'e9');
    expect(tally.files(ledger.changes)).toEqual([
      { path, turn: 'e9', pending: 1, kept: 0, undone: 0 },
      { path, turn: 'e4', pending: 0, kept: 1, undone: 0 },
    ]);
  });

  it('what was undone and comes back waits again', () => {
    const { ids, decide, told } = three();
    decide('undo', ids[1]!);
    decide('restore', ids[1]!);
    expect(told()).toEqual([[3, 0, 0]]);
  });
});

describe('the hunks of one diff of an agent', () => {
  const places = (oldText: string | undefined, newText: string | undefined) =>
    hunksOfDiff(three().ledger.get(path)!.hunks, oldText, newText).map(({ current }) => current.start);
  it('are those with its lines', () => {
    expect(places('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n')).toEqual([1]);
    expect(places('c\r\nd\r\n', 'c\r\nD\r\n')).toEqual([3]);
    expect(places(undefined, 'F\n')).toEqual([5]);
  });
  it('are all of them where that cannot be told', () => {
    expect(places('x', 'y')).toEqual([1, 3, 5]);
    expect(places(undefined, undefined)).toEqual([1, 3, 5]);
  });
});
