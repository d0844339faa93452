import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/changes/ledger';
import { pendingOfTurn } from '../../../src/changes/pending';
import { ofTurn } from '../../../src/changes/scope';
import { tries } from '../../fakes/tries';

const path = '/p/a.txt';

/** Each turn edits some places: numbers choose them, what they mean depends on the text at that moment. */
interface Edit {
  readonly at: number;
  readonly length: number;
  readonly count: number;
}
const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(40), length: fc.nat(3), count: fc.nat(3) });
const turns = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

/** A file in which every line occurs once, and each line that a turn wrote has its name: `e3.5`. */
function written(all: readonly (readonly Edit[])[]) {
  const ledger = new Ledger();
  let lines = Array.from({ length: 16 }, (_, i) => `line ${i}`);
  let next = 0;
  for (const [turn, edits] of all.entries()) {
    for (const { at, length, count } of edits) {
      const before = lines.join('\n');
      const start = at % (lines.length + 1);
      lines = [
        ...lines.slice(0, start),
        ...Array.from({ length: count }, () => `e${turn}.${next++}`),
        ...lines.slice(start + length),
      ];
      if (lines.length === 0) lines = ['line 0'];
      ledger.agentWrote(path, before, lines.join('\n'), `e${turn}`);
    }
  }
  return { ledger, text: lines.join('\n') };
}

const now = (ledger: Ledger) => (ledger.current(path) ?? '').split('\n');
const isBy = (turn: string) => (line: string) => line.startsWith(`${turn}.`);
const namesIn = (lines: readonly string[]) => new Set(lines.map((line) => line.split('.')[0]!));

function decide(
  ledger: Ledger,
  wish: 'undo' | 'keep',
  turn: string,
  withOthers: boolean,
): ReadonlySet<string | undefined> | undefined {
  const change = ledger.get(path);
  const mine = change && pendingOfTurn('s', change, turn);
  if (!mine) return undefined;
  const { ids } = ofTurn(change, mine.hunks, turn);
  const of = { turn, withOthers };
  const tied = ledger.tied(path, wish, ids, turn);
  if (wish === 'keep') ledger.keep(path, ids, of);
  else ledger.done(path, wish, ledger.plan(path, wish, ids, of)!.text, ids, of);
  return tied;
}

describe('what one turn did, among what others did in the same hunks', () => {
  it('Undo of the last turn is never tied to another, takes its lines and no other', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const { ledger } = written(all);
        const last = `e${all.length - 1}`;
        const before = now(ledger);
        const tied = decide(ledger, 'undo', last, false);
        if (!tied) return;
        expect([...tied]).toEqual([]);
        expect(now(ledger).filter(isBy(last))).toEqual([]);
        const others = before.filter((line) => !isBy(last)(line));
        expect(now(ledger).filter((line) => others.includes(line))).toEqual(others);
        expect(
          pendingOfTurn(
            's',
            ledger.get(path) ?? {
              path,
              kind: 'modified',
              turn: undefined,
              baseline: '',
              current: '',
              hunks: [],
              added: 0,
              removed: 0,
            },
            last,
          ),
        ).toBeUndefined();
      }),
      { numRuns: tries(1_500) },
    );
  });

  it('Undo of any turn takes its lines and those of the turns it names, and leaves all lines of the others', () => {
    fc.assert(
      fc.property(turns, fc.nat(5), (all, which) => {
        const { ledger } = written(all);
        const turn = `e${which % all.length}`;
        const before = now(ledger);
        const tied = decide(ledger, 'undo', turn, true);
        if (!tied) return;
        expect(now(ledger).filter(isBy(turn))).toEqual([]);
        const others = before.filter((line) => !isBy(turn)(line) && ![...tied].some((name) => isBy(name!)(line)));
        expect(now(ledger).filter((line) => others.includes(line))).toEqual(others);
      }),
      { numRuns: tries(1_500) },
    );
  });

  it('Undo of any turn without the others leaves every line that they wrote', () => {
    fc.assert(
      fc.property(turns, fc.nat(5), (all, which) => {
        const { ledger } = written(all);
        const turn = `e${which % all.length}`;
        const others = now(ledger).filter((line) => !isBy(turn)(line));
        decide(ledger, 'undo', turn, false);
        expect(now(ledger).filter((line) => others.includes(line))).toEqual(others);
      }),
      { numRuns: tries(1_500) },
    );
  });

  it('Keep of any turn changes no line, and Undo of all the rest leaves what was kept', () => {
    fc.assert(
      fc.property(turns, fc.nat(5), fc.boolean(), (all, which, withOthers) => {
        const { ledger, text } = written(all);
        const turn = `e${which % all.length}`;
        const before = now(ledger);
        const tied = decide(ledger, 'keep', turn, withOthers);
        if (!tied) return;
        expect(ledger.current(path) ?? text).toBe(text);
        if (!withOthers && tied.size > 0) return;
        const change = ledger.get(path);
        const kept = before.filter(isBy(turn));
        if (change) {
          // What a later turn has deleted of it is pending still.
          expect(change.baseline!.split('\n').filter((line) => kept.includes(line))).toEqual(kept);
          expect(
            [...namesIn(change.baseline!.split('\n'))].filter(
              (name) => name.startsWith('e') && name !== turn && !tied.has(name),
            ),
          ).toEqual([]);
          ledger.done(path, 'undo', ledger.plan(path, 'undo')!.text);
          expect(now(ledger).filter((line) => kept.includes(line))).toEqual(kept);
        }
      }),
      { numRuns: tries(1_500) },
    );
  });

  it('Ctrl+Z after Undo of a turn brings all of it back, with its turns', () => {
    fc.assert(
      fc.property(turns, fc.nat(5), (all, which) => {
        const { ledger, text } = written(all);
        const turn = `e${which % all.length}`;
        const before = ledger.get(path);
        decide(ledger, 'undo', turn, true);
        ledger.edited(path, text);
        const sums = (change: typeof before) =>
          change?.hunks.map(({ parts, agentLines, baselineLines }) => ({ parts, agentLines, baselineLines }));
        if (ledger.has(path)) expect(sums(ledger.get(path))).toEqual(sums(before));
      }),
      { numRuns: tries(800) },
    );
  });

  it('so does Restore, with what the user has typed since', () => {
    fc.assert(
      fc.property(turns, fc.nat(5), fc.nat(40), (all, which, at) => {
        const { ledger, text } = written(all);
        const turn = `e${which % all.length}`;
        decide(ledger, 'undo', turn, true);
        const lines = now(ledger);
        const place = at % (lines.length + 1);
        ledger.edited(path, [...lines.slice(0, place), 'mine', ...lines.slice(place)].join('\n'));
        if (!ledger.hasUndoneTurn(path)) return;
        ledger.done(path, 'restore', ledger.plan(path, 'restore', [])!.text, []);
        expect(now(ledger).includes('mine')).toBe(true);
        expect(ledger.hasUndoneTurn(path)).toBe(false);
        // At the edge of what comes back, what was typed stays and the rest does not come.
        const back = now(ledger).filter((line) => line !== 'mine');
        expect(back.every((line) => text.split('\n').includes(line) || lines.includes(line))).toBe(true);
      }),
      { numRuns: tries(800) },
    );
  });
});
