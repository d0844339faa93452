import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../src/base/event';
import { Outcomes, type Feedback } from '../../../../../src/host/review/feedback/outcomes';
import { type Decision, decisionOf } from '../../../../../src/changes/decision';
import { Ledger, type Wish } from '../../../../../src/changes/ledger';
import type { Place } from '../../../../../src/changes/places';
import { MemoryState } from '../../../../fakes/memoryState';

const path = '/w/a.ts';
const before = 'a\nb\nc\nd\ne\n';

/** One session with a file of which lines 2 and 4 were changed by the agent. */
function desk(feedback: Feedback = 'offer', state = new MemoryState()) {
  const ledger = new Ledger();
  ledger.agentWrote(path, before, 'a\nB\nc\nD\ne\n');
  const decided = new Emitter<Decision>();
  const changed = new Emitter<void>();
  const placesIn = (): Place[] =>
    ledger.changes.flatMap(({ hunks }) => hunks.map((hunk) => ({ sessionId: 's', path, hunk })));
  const outcomes = new Outcomes({
    onDidDecide: decided.event,
    review: { onDidChange: changed.event, placesIn },
    labelOf: () => 'a.ts',
    feedback: () => feedback,
    state,
  });
  const tell = (verdict: Decision['verdict'], was = ledger.get(path)) => {
    const decision = decisionOf('s', verdict, was, ledger.get(path));
    if (decision) decided.fire(decision);
    changed.fire();
  };
  const decide = (wish: Wish, ids?: readonly string[]) => {
    const was = ledger.get(path);
    ledger.done(path, wish, ledger.plan(path, wish, ids)!.text, ids);
    if (wish !== 'restore') return tell('undone', was);
    changed.fire();
  };
  const keep = () => {
    const was = ledger.get(path);
    ledger.keep(path);
    tell('kept', was);
  };
  const ids = () => ledger.changes.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  const lines = (notes: ReturnType<Outcomes['wanted']>) =>
    notes.map(
      ({ kind, first, last, diff, text }) =>
        `${kind} ${first}-${last} ${diff.replaceAll('\n', ' ')}${text && ` ${text}`}`,
    );
  return {
    ledger,
    outcomes,
    decide,
    keep,
    ids,
    offered: () => lines(outcomes.offered('s')),
    wanted: () => lines(outcomes.wanted('s')),
    state,
  };
}

describe('what the agent is told of decisions', () => {
  it('an undone change is offered, and told with the next message', () => {
    const { outcomes, decide, ids, offered, wanted } = desk();
    decide('undo', [ids()[0]!]);
    expect([offered(), wanted()]).toEqual([['undone 2-2 -b +B'], []]);
    outcomes.answer('s', true);
    expect([offered(), wanted()]).toEqual([[], ['undone 2-2 -b +B']]);
    expect(outcomes.offered('other')).toEqual([]);
  });

  it('an offer that is left out leaves nothing; what was taken along before stays', () => {
    const { outcomes, decide, ids, offered, wanted } = desk();
    decide('undo', [ids()[0]!]);
    outcomes.answer('s', true);
    decide('undo');
    expect(offered()).toEqual(['undone 4-4 -d +D']);
    outcomes.answer('s', false);
    expect([offered(), wanted()]).toEqual([[], ['undone 2-2 -b +B']]);
  });

  it('what was undone and comes back is not told', () => {
    const { ledger, decide, ids, offered } = desk();
    const id = ids()[0]!;
    decide('undo', [id]);
    expect(offered()).toHaveLength(1);
    decide('restore', [id]);
    expect(offered()).toEqual([]);
    expect(ledger.get(path)!.hunks).toHaveLength(2);
  });

  it('a change that was kept as the user edited it shows both versions; one that was not edited is no news', () => {
    const { ledger, keep, offered } = desk();
    ledger.edited(path, 'a\nBB\nc\nD\ne\n');
    keep();
    expect(offered()).toEqual(['edited 2-2 -B +BB']);
  });

  it('always tells without a question, never tells nothing', () => {
    const always = desk('always');
    always.decide('undo');
    expect([always.offered(), always.wanted()]).toEqual([[], ['undone 2-2 -b +B', 'undone 4-4 -d +D']]);
    const never = desk('never');
    never.decide('undo');
    expect([never.offered(), never.wanted()]).toEqual([[], []]);
  });

  it('is still known after a restart, and goes with its session', () => {
    const first = desk('always');
    first.decide('undo');
    const second = desk('always', first.state);
    second.decide('undo');
    expect(second.wanted()).toHaveLength(2);
    second.outcomes.forgetSession('s');
    expect(second.wanted()).toEqual([]);
  });

  it('what was taken for a message and comes back is told again', () => {
    const { outcomes, decide, wanted } = desk('always');
    decide('undo');
    const notes = outcomes.wanted('s');
    outcomes.remove(new Set(notes.map(({ id }) => id)));
    expect(wanted()).toEqual([]);
    outcomes.putBack('s', notes);
    expect(wanted()).toHaveLength(2);
  });

  it('the undo of a file that was created, and of one that was deleted, is told', () => {
    const { outcomes } = desk();
    const ledger = new Ledger();
    ledger.agentWrote('/w/new.ts', undefined, 'x\n');
    expect(decisionOf('s', 'undone', ledger.get('/w/new.ts'), undefined)?.hunks).toHaveLength(1);
    ledger.agentWrote('/w/gone.ts', 'x\n', undefined);
    expect(decisionOf('s', 'undone', ledger.get('/w/gone.ts'), undefined)).toMatchObject({ hunks: [] });
    expect(decisionOf('s', 'undone', ledger.get('/w/gone.ts'), ledger.get('/w/gone.ts'))).toBeUndefined();
    outcomes.dispose();
  });
});
