import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { linesOf, lineEdits, withLineEdits } from '../../../../src/changes/lineEdits';
import type { Overlap } from '../../../../src/changes/merge';
import { contentOfText, textIn } from '../../../../src/host/storage/contentInHand';
import { takeOverChanges } from '../../../../src/host/takeOver/takeOverChanges';
import { Machine, ReviewHost } from '../../../fakes/reviewMachine';
import { tries } from '../../../fakes/tries';

const now = vi.hoisted(() => ({ textOf: (_path: string): string | undefined => undefined }));
vi.mock('vscode', () => import('../../../fakes/fakeVscode'));
vi.mock('../../../../src/host/files/readContent', async (original) => ({
  ...(await original<object>()),
  withBytes: async (_: string, content: object) => content,
  standingContent: async (path: string) => contentOfText(now.textOf(path)),
}));

const names = ['a', 'b'] as const;
const start = ['p one', 'p two', 'p three', 'p four', 'p five', ''].join('\n');
const mine = (name: string) => `/p/main/${name}`;
const tree = (name: string) => `/p/tree/${name}`;

/** Numbers choose places; what they mean depends on the text at that moment. */
type Step =
  | {
      readonly kind: 'user';
      readonly isMain: boolean;
      readonly file: number;
      readonly at: number;
      readonly isSaved: boolean;
    }
  | { readonly kind: 'agent'; readonly file: number; readonly at: number; readonly removed: number }
  | { readonly kind: 'takeOver'; readonly overlap: Overlap; readonly leftOut: number }
  | { readonly kind: 'keep' | 'undo'; readonly isMain: boolean; readonly file: number; readonly which: number }
  | { readonly kind: 'save' }
  | { readonly kind: 'kill'; readonly after: number };

const file = fc.nat(1);
const agent = fc.record({ kind: fc.constant('agent' as const), file, at: fc.nat(9), removed: fc.nat(2) });
const takeOver = fc.record({
  kind: fc.constant('takeOver' as const),
  overlap: fc.constantFrom<Overlap>('mine', 'theirs', 'both'),
  leftOut: fc.nat(4),
});
const save = fc.constant({ kind: 'save' as const });
const kill = fc.record({ kind: fc.constant('kill' as const), after: fc.nat(25) });
const user = fc.record({
  kind: fc.constant('user' as const),
  isMain: fc.boolean(),
  file,
  at: fc.nat(9),
  isSaved: fc.boolean(),
});
const decision = (kind: 'keep' | 'undo') =>
  fc.record({ kind: fc.constant(kind), isMain: fc.boolean(), file, which: fc.nat(4) });

/**
 * A folder of the user and a worktree of an agent, on a machine whose extension host is killed now and then: in the
 * middle of an act, of a save of the review, or before anything has saved it.
 */
class Both {
  readonly machine = new Machine();
  /** Each line of the user, and those of the start. */
  readonly lines = new Set(start.split('\n').filter(Boolean));
  #host!: ReviewHost;
  #prompt = 0;
  #fresh = 0;

  static async open(): Promise<Both> {
    const both = new Both();
    for (const name of names) for (const path of [mine(name), tree(name)]) both.machine.disk.set(path, start);
    now.textOf = (path) => both.machine.text(path);
    await both.#start();
    return both;
  }

  get texts(): readonly (string | undefined)[] {
    return names.flatMap((name) => [this.machine.text(mine(name)), this.machine.text(tree(name))]);
  }

  get host(): ReviewHost {
    return this.#host;
  }

  async take(step: Step): Promise<void> {
    const { machine } = this;
    try {
      await this.#act(step);
    } catch (error) {
      if (machine.steps <= machine.dieAt) throw error;
    }
    if (machine.steps > machine.dieAt) await this.#start();
  }

  /** The last kill, and a new window. */
  async end(): Promise<void> {
    await this.#start();
  }

  /** A host as it is after a kill. */
  async #start(): Promise<void> {
    this.machine.dieAt = Infinity;
    this.#host = new ReviewHost(this.machine, ++this.#prompt);
    await this.#host.open();
    await this.#host.store.save();
  }

  async #act(step: Step): Promise<void> {
    const { machine } = this;
    if (step.kind === 'kill') return void (machine.dieAt = machine.steps + step.after);
    if (step.kind === 'save') return this.#host.store.save();
    if (step.kind === 'takeOver') return this.#takeOver(step.overlap, step.leftOut);
    const name = names[step.file]!;
    if (step.kind === 'agent') return this.#host.write(tree(name), this.#edited(tree(name), step.at, step.removed));
    if (step.kind === 'user') {
      const path = step.isMain ? mine(name) : tree(name);
      const text = this.#edited(path, step.at, 0);
      this.lines.add(`${this.#fresh} new`);
      machine.documents.set(path, text);
      // As the host hears of each keystroke.
      this.#host.ledger.edited(path, text);
      if (!step.isSaved) return;
      machine.disk.set(path, text);
      machine.documents.delete(path);
      return;
    }
    const path = step.isMain ? mine(name) : tree(name);
    this.#host.ledger.edited(path, machine.text(path));
    const hunks = this.#host.ledger.get(path)?.hunks ?? [];
    const chosen = hunks[step.which];
    if (hunks.length > 0) await this.#host.decide(path, step.kind, chosen && [chosen.id]);
  }

  /** A new line at a place, and lines of the start after it away: nobody takes back a line of their own. */
  #edited(path: string, at: number, removed: number): string {
    const lines = linesOf(this.machine.text(path) ?? '');
    const from = Math.min(at, lines.length);
    let end = from;
    while (end < from + removed && lines[end]?.startsWith('p ')) end++;
    return withLineEdits(lines, [{ start: from, end, lines: [`${++this.#fresh} new\n`] }]).join('');
  }

  async #takeOver(overlap: Overlap, leftOut: number): Promise<void> {
    const chosen = names.map((name) => {
      const theirs = this.machine.text(tree(name)) ?? '';
      const edits = lineEdits(start, theirs);
      const change = {
        path: mine(name),
        source: tree(name),
        label: name,
        base: contentOfText(start),
        theirs: contentOfText(theirs),
        edits,
      };
      return { change, edits: edits.filter((_, i) => i !== leftOut) };
    });
    const write = async (_: string, path: string, expected: unknown, next: Parameters<typeof textIn>[0]) => {
      expect(expected).toEqual(contentOfText(this.machine.text(path)));
      await this.#host.write(path, textIn(next));
    };
    const { left } = await takeOverChanges(chosen, () => overlap, 'session', { write } as never);
    if (this.machine.steps <= this.machine.dieAt) expect(left).toEqual([]);
  }
}

describe('a folder and a worktree, whatever happens in which order', () => {
  it('no line of the user is lost, and Restore and Redo give back each byte, wherever the host is killed', async () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 3, arbitrary: agent },
      { weight: 3, arbitrary: user },
      { weight: 3, arbitrary: takeOver },
      { weight: 3, arbitrary: fc.oneof(decision('keep'), decision('undo')) },
      { weight: 2, arbitrary: save },
      { weight: 2, arbitrary: kill },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const both = await Both.open();
        for (const each of steps) await both.take(each);
        await both.end();
        const found = new Set((await both.host.reachable()).join('\n').split('\n'));
        expect([...both.lines].filter((line) => !found.has(line))).toEqual([]);
        const before = both.texts;
        await both.host.restoreTo(1);
        await both.host.redo();
        expect(both.texts).toEqual(before);
      }),
      { numRuns: tries(800) },
    );
  });

  it('Undo of all gives back each byte that the agent found, where the user has changed and kept nothing', async () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 3, arbitrary: agent },
      { weight: 3, arbitrary: takeOver },
      { weight: 1, arbitrary: decision('undo') },
      { weight: 2, arbitrary: save },
      { weight: 2, arbitrary: kill },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const both = await Both.open();
        for (const each of steps) await both.take(each);
        await both.end();
        await both.host.undoAll();
        // A kill in the middle of an Undo leaves a conflict: Undo both.
        for (const { path } of both.host.ledger.changes) await both.host.decide(path, 'before');
        expect(both.texts).toEqual(Array(4).fill(start));
      }),
      { numRuns: tries(800) },
    );
  });
});
