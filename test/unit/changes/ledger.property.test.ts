import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hunk } from '../../../src/changes/hunk';
import { Ledger, type Wish } from '../../../src/changes/ledger';
import { pendingOfTurn } from '../../../src/changes/pending';
import { toLines } from '../../../src/changes/pieces';
import { ofTurn } from '../../../src/changes/scope';
import { tries } from '../../fakes/tries';

const path = '/p/a.txt';

/** Numbers choose places and lengths; what they mean depends on the text at that moment. */
type Step =
  | {
      readonly kind: 'agent' | 'person';
      readonly at: number;
      readonly length: number;
      readonly fresh: readonly string[];
    }
  | { readonly kind: 'keep' | 'keepAll' | 'undoAll' | 'keepTurn' | 'undoTurn' | Wish; readonly which: number };

/** Few different lines, so that the same ones stand in many places. */
const line = fc.constantFrom('a', 'b', '', '}', 'x y');
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
const edit = (kind: 'agent' | 'person') =>
  fc.record({ kind: fc.constant(kind), at: fc.nat(20), length: fc.nat(4), fresh: fc.array(line, { maxLength: 4 }) });
const decision = fc.record({
  kind: fc.constantFrom('keep', 'keepAll', 'undoAll', 'keepTurn', 'undoTurn', 'undo', 'restore', 'agents', 'before'),
  which: fc.nat(9),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: edit('agent') },
  { weight: 3, arbitrary: edit('person') },
  { weight: 4, arbitrary: decision as fc.Arbitrary<Step> },
);

describe('the ledger, whatever comes', () => {
  it('knows what stands in the file, and outside its hunks baseline and file are the same', () => {
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 25 }), (start, steps) => {
        const file = new File(start);
        for (const each of steps) {
          file.take(each);
          file.check();
        }
      }),
      { numRuns: tries(2_400) },
    );
  });

  it('changes no line outside the hunk that is decided', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(step, { maxLength: 20 }),
        fc.nat(9),
        fc.constantFrom<Wish | 'keep'>('keep', 'undo', 'agents', 'before'),
        (start, steps, which, wish) => {
          const file = new File(start);
          for (const each of steps) file.take(each);
          const change = file.ledger.get(path);
          const hunk = change && pick(change.hunks, which);
          if (!hunk) return;
          const others = change.hunks.filter(({ id }) => id !== hunk.id);
          file.decide(wish, hunk.id);
          const now = toLines(file.text);
          const was = toLines(change.current!);
          expect(now.slice(0, hunk.current.start)).toEqual(was.slice(0, hunk.current.start));
          const after = was.length - hunk.current.end;
          expect(toLines(file.text).slice(now.length - after)).toEqual(was.slice(hunk.current.end));
          if (wish === 'keep') expect(file.text).toBe(change.current);
          if (wish === 'undo' && hunk.isEdited) {
            expect(file.text).toBe(change.current);
            expect(file.ledger.get(path)!.hunks.find(({ id }) => id === hunk.id)?.state).toBe('conflicted');
          }
          // The others are still there, with their ids and texts.
          expect((file.ledger.get(path)?.hunks ?? []).filter(({ id }) => id !== hunk.id).map(toTexts)).toEqual(
            others.map(toTexts),
          );
        },
      ),
      { numRuns: tries(2_400) },
    );
  });

  it('Keep of all leaves the file as it is, and nothing to decide', () => {
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 20 }), (start, steps) => {
        const file = new File(start);
        for (const each of steps) file.take(each);
        const before = file.text;
        file.ledger.keep(path);
        expect(file.ledger.changes).toEqual([]);
        expect(file.text).toBe(before);
        file.edit(`${before}\nmore`);
        expect(file.ledger.changes).toEqual([]);
      }),
    );
  });

  it('Undo of the last Keep brings all of it back, whatever has been done since', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(step, { maxLength: 15 }),
        fc.array(step, { maxLength: 6 }),
        fc.option(fc.nat(9)),
        (start, steps, later, which) => {
          const file = new File(start);
          for (const each of steps) file.take(each);
          const kept = file.ledger.saved.get(path);
          const before = file.ledger.get(path);
          if (!kept || !before) return;
          const hunk = which === null ? undefined : pick(before.hunks, which);
          file.ledger.keep(path, hunk && [hunk.id]);
          const untouched = file.text;
          for (const each of later) file.take(each);
          file.ledger.takeBack(path, kept);
          file.edit(file.text);
          file.check();
          if (file.text === untouched) expect(file.ledger.get(path)?.baseline).toBe(before.baseline);
        },
      ),
      { numRuns: tries(2_400) },
    );
  });

  it('Undo of a hunk, then Ctrl+Z, and it waits again, also where lines repeat', () => {
    fc.assert(
      fc.property(text, fc.array(edit('agent'), { minLength: 1, maxLength: 4 }), fc.nat(9), (start, writes, which) => {
        const file = new File(start);
        for (const each of writes) file.take(each);
        const before = file.ledger.get(path);
        const hunk = before && pick(before.hunks, which);
        if (!hunk) return;
        const textBefore = file.text;
        file.decide('undo', hunk.id);
        file.edit(textBefore);
        expect(file.ledger.get(path)?.hunks.map(toTexts)).toEqual(before.hunks.map(toTexts));
        expect(file.ledger.get(path)?.baseline).toBe(before.baseline);
        file.decide('undo', hunk.id);
        file.decide('restore', hunk.id);
        expect(file.ledger.get(path)?.hunks.map(toTexts)).toEqual(before.hunks.map(toTexts));
      }),
      { numRuns: tries(3_000) },
    );
  });
});

/** Every line occurs once, so it is known whose it is. */
type UniqueStep =
  | { readonly kind: 'agent' | 'person'; readonly at: number; readonly length: number; readonly count: number }
  | { readonly kind: 'undo' | 'restore'; readonly which: number };

const uniqueStep: fc.Arbitrary<UniqueStep> = fc.oneof(
  fc.record({ kind: fc.constantFrom('agent', 'person'), at: fc.nat(40), length: fc.nat(3), count: fc.nat(3) }),
  fc.record({ kind: fc.constantFrom('undo', 'restore'), which: fc.nat(9) }),
);

describe('what is whose', () => {
  it('Undo of all is the baseline with what the user edited apart from the agent', () => {
    fc.assert(
      fc.property(fc.array(uniqueStep, { maxLength: 25 }), (steps) => {
        const start = Array.from({ length: 20 }, (_, i) => `line ${i}`);
        const file = new File(start.join('\n'));
        /** The file as if there had never been an agent. */
        let alone = start;
        steps.forEach((each, n) => {
          if (!('at' in each)) return file.take(each);
          const now = toLines(file.text);
          const fresh = Array.from({ length: each.count }, (_, i) => `${each.kind} ${n}.${i}`);
          if (each.kind === 'agent') return file.take({ ...each, fresh });
          const at = Math.min(each.at, now.length);
          const old = now.slice(at, at + each.length);
          // Only where the lines and their neighbours stand in a row on both sides the agent has nothing to do with it.
          const around = now.slice(Math.max(0, at - 1), at + each.length + 1);
          const from = alone.indexOf(around[0] ?? '');
          if (
            from < 0 ||
            around.some((line, i) => alone[from + i] !== line) ||
            at === 0 ||
            at + each.length >= now.length
          )
            return;
          // Who does what the agent did, where that was undone, has brought it back: that is what Ctrl+Z does.
          if (file.ledger.rejected(path).some(({ current }) => current.start <= at + each.length && at <= current.end))
            return;
          alone = alone.toSpliced(from + 1, old.length, ...fresh);
          file.take({ ...each, fresh });
        });
        file.undoAll();
        expect(file.ledger.changes).toEqual([]);
        expect(file.text).toBe(alone.join('\n'));
      }),
      { numRuns: tries(3_000) },
    );
  });

  it('no line of the user goes by Undo, wherever it was typed', () => {
    fc.assert(
      fc.property(fc.array(uniqueStep, { maxLength: 25 }), (steps) => {
        const file = new File(Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n'));
        steps.forEach((each, n) => {
          if (!('at' in each)) {
            const typed = typedIn(file.text);
            file.take(each);
            if (each.kind === 'undo') expect(typed.filter((line) => !toLines(file.text).includes(line))).toEqual([]);
            return;
          }
          const fresh = Array.from({ length: each.count }, (_, i) => `${each.kind} ${n}.${i}`);
          file.take({ ...each, fresh });
        });
        const typed = typedIn(file.text);
        file.undoAll();
        expect(typed.filter((line) => !toLines(file.text).includes(line))).toEqual([]);
        expect(file.ledger.changes.flatMap(({ hunks }) => hunks).every(({ state }) => state === 'conflicted')).toBe(
          true,
        );
      }),
      { numRuns: tries(2_400) },
    );
  });
});

/** A file and its ledger, changed side by side as the host does it. */
class File {
  readonly ledger = new Ledger();
  private writes = 0;

  constructor(public text: string) {}

  take(step: Step): void {
    if ('at' in step) {
      const lines = toLines(this.text);
      const now = lines.toSpliced(Math.min(step.at, lines.length), step.length, ...step.fresh).join('\n');
      if (step.kind === 'agent') {
        // Two writes a turn; the last one of an earlier turn may be heard of late.
        this.ledger.agentWrote(path, this.text, now, `e${Math.floor(this.writes++ / 2) % 5}`);
        this.text = now;
      } else {
        this.edit(now);
      }
    } else if (step.kind === 'keepAll') {
      this.ledger.keep(path);
    } else if (step.kind === 'undoAll') {
      this.undoAll();
    } else if (step.kind === 'keepTurn' || step.kind === 'undoTurn') {
      this.decideTurn(step.kind, `e${step.which % 5}`, step.which > 4);
    } else {
      const hunk = pick(
        step.kind === 'restore' ? this.ledger.rejected(path) : (this.ledger.get(path)?.hunks ?? []),
        step.which,
      );
      if (hunk) this.decide(step.kind, hunk.id);
    }
  }

  edit(text: string): void {
    this.text = text;
    this.ledger.edited(path, text);
  }

  undoAll(): void {
    const plan = this.ledger.plan(path, 'undo');
    if (!plan) return;
    this.text = plan.text!;
    this.ledger.done(path, 'undo', this.text);
  }

  decideTurn(what: 'keepTurn' | 'undoTurn', turn: string, withOthers: boolean): void {
    const change = this.ledger.get(path);
    const mine = change && pendingOfTurn('s', change, turn);
    if (!mine) return;
    const { ids, of } = ofTurn(change, mine.hunks, turn);
    const part = of && { ...of, withOthers };
    if (what === 'keepTurn') return this.ledger.keep(path, ids, part);
    const plan = this.ledger.plan(path, 'undo', ids, part)!;
    this.text = plan.text!;
    this.ledger.done(path, 'undo', this.text, ids, part);
  }

  decide(wish: Wish | 'keep', id: string): void {
    if (wish === 'keep') return this.ledger.keep(path, [id]);
    const plan = this.ledger.plan(path, wish, [id])!;
    this.text = plan.text!;
    this.ledger.done(path, wish, this.text, [id]);
  }

  check(): void {
    expect(this.ledger.count).toBe(this.ledger.changes.length);
    const change = this.ledger.get(path);
    if (!change) return;
    expect(change.current).toBe(this.text);
    const [was, now] = [toLines(change.baseline!), toLines(change.current!)];
    const hunks = [...change.hunks, ...this.ledger.rejected(path)].sort(
      (a, b) =>
        a.current.start - b.current.start ||
        a.baseline.start - b.baseline.start ||
        a.current.end - b.current.end ||
        a.baseline.end - b.baseline.end,
    );
    let before = 0;
    let at = 0;
    for (const hunk of hunks) {
      expect(now.slice(at, hunk.current.start)).toEqual(was.slice(before, hunk.baseline.start));
      expect(now.slice(hunk.current.start, hunk.current.end)).toEqual(hunk.currentLines);
      expect(was.slice(hunk.baseline.start, hunk.baseline.end)).toEqual(hunk.baselineLines);
      before = hunk.baseline.end;
      at = hunk.current.end;
    }
    // An empty text has one line for an editor, and none where all of them are in hunks.
    expect(now.slice(at).join('\n')).toBe(was.slice(before).join('\n'));
    expect(new Set(hunks.map(({ id }) => id)).size).toBe(hunks.length);
  }
}

function pick(hunks: readonly Hunk[], which: number): Hunk | undefined {
  return hunks.length === 0 ? undefined : hunks[which % hunks.length];
}

function toTexts({ id, baselineLines, currentLines }: Hunk): readonly unknown[] {
  return [id, baselineLines, currentLines];
}

function typedIn(text: string): string[] {
  return toLines(text).filter((line) => line.startsWith('person'));
}
