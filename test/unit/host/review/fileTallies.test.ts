import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { Vector } from '../../../../src/base/vector';
import { type Decision, decisionOf } from '../../../../src/changes/decision';
import { Ledger } from '../../../../src/changes/ledger';
import { FileTallies } from '../../../../src/host/review/fileTallies';
import { TurnDiffs } from '../../../../src/host/review/turnDiffs';
import { entryIdAt } from '../../../../src/thread/thread';

/* Three cards of one turn about one file: what is pending counts once, on the card of the call that made it. */

it('a card whose effect is gone says nothing, and one pending hunk counts once', () => {
  const path = '/w/a.ts';
  const texts = ['one\ntwo\nthree\n', 'one\nA\nB\ntwo\nthree\n', 'one\ntwo\nthree\n', 'one\ntwo\nTHREE\n'];
  const ledger = new Ledger();
  const changed = new Emitter<{ readonly sessionId: string }>();
  const decided = new Emitter<Decision>();
  const call = (before: string, after: string) => ({
    kind: 'toolCall',
    content: [{ type: 'diff', path, oldText: before, newText: after }],
  });
  const turn = entryIdAt(0);
  const thread = {
    entries: Vector.from<object>([{ kind: 'userMessage' }, ...texts.slice(1).map((text, i) => call(texts[i]!, text))]),
  };
  const service = {
    decisions: { onDidDecide: decided.event },
    onDidChangeChanges: changed.event,
    session: () => ({ ledger }),
    tracked: () => ledger.changes,
  };
  const live = { cwd: '/w', session: { thread: thread as never } };
  const tallies = new FileTallies(service as never, () => live, new TurnDiffs());
  for (const [i, text] of texts.slice(1).entries()) ledger.agentWrote(path, texts[i], text, turn);
  expect(tallies.of('s')).toEqual([{ path, turn, call: entryIdAt(3), pending: 1, kept: 0, undone: 0 }]);
  const before = ledger.get(path);
  ledger.keep(path);
  decided.fire(decisionOf('s', 'kept', before, ledger.get(path))!);
  expect(tallies.of('s')).toEqual([{ path, turn, call: entryIdAt(3), pending: 0, kept: 1, undone: 0 }]);
  // A later turn writes there: its change is its own.
  const later = entryIdAt(4);
  thread.entries = thread.entries.push({ kind: 'userMessage' }).push(call(texts[3]!, 'ONE\ntwo\nTHREE\n'));
  ledger.agentWrote(path, texts[3], 'ONE\ntwo\nTHREE\n', later);
  changed.fire({ sessionId: 's' });
  expect(tallies.of('s')).toEqual([
    { path, turn: later, call: entryIdAt(5), pending: 1, kept: 0, undone: 0 },
    { path, turn, call: entryIdAt(3), pending: 0, kept: 1, undone: 0 },
  ]);
  expect(tallies.of('s')).toBe(tallies.of('s'));
});
