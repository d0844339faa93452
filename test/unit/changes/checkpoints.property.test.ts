import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Change } from '../../../src/changes/hunk';
import { Machine, ReviewHost, session } from '../../fakes/reviewMachine';
import { tries } from '../../fakes/tries';

vi.mock('vscode', () => import('../../fakes/diskVscode'));

const paths = ['/p/a', '/p/b', '/p/c', '/p/new'];

type Step =
  | { readonly kind: 'agent' | 'type' | 'save'; readonly path: string; readonly text: string | undefined }
  | { readonly kind: 'keep' | 'undo'; readonly path: string }
  | { readonly kind: 'prompt' | 'redo' | 'restart' }
  | { readonly kind: 'restore'; readonly which: number };

const path = fc.constantFrom(...paths);
const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 6 }).map((lines) => lines.join('\n'));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('agent' as const),
      path,
      text: fc.option(text, { nil: undefined, freq: 8 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('type' as const, 'save' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('keep' as const, 'undo' as const), path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('prompt' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('redo' as const, 'restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), which: fc.nat(5) }) },
);

/**
 * The files, the host, and what each file was before the agent's first change after each prompt, told apart from both.
 */
class Day {
  readonly machine = new Machine();
  host = new ReviewHost(this.machine, 1);
  private prompt = 1;
  /** By prompt: texts before the agent's first change after it. */
  private readonly before = new Map<number, Map<string, string | undefined>>();
  /** What stood before each restore that can be taken back. */
  private readonly stood: {
    readonly texts: ReadonlyMap<string, string | undefined>;
    readonly changed: readonly string[];
  }[] = [];

  async begin(): Promise<void> {
    for (const each of paths.slice(0, 3)) this.machine.disk.set(each, 'a\nb\nc');
    await this.host.open();
  }

  async take(step: Step): Promise<void> {
    const { machine } = this;
    switch (step.kind) {
      case 'agent': {
        const now = machine.text(step.path);
        if (now === step.text) return;
        const touched = this.before.get(this.prompt) ?? new Map<string, string | undefined>();
        this.before.set(this.prompt, touched);
        if (!touched.has(step.path)) touched.set(step.path, now);
        return this.host.write(step.path, step.text);
      }
      case 'type':
      case 'save':
        if (step.kind === 'type' && machine.disk.has(step.path)) machine.documents.set(step.path, step.text!);
        else {
          machine.disk.set(step.path, step.text!);
          machine.documents.delete(step.path);
        }
        return this.host.ledger.edited(step.path, machine.text(step.path));
      case 'keep':
      case 'undo':
        return this.host.decide(step.path, step.kind);
      case 'prompt':
        this.host.prompt = ++this.prompt;
        return;
      case 'restart':
        await this.host.checkpoints.log(session);
        await this.host.store.save();
        this.host = new ReviewHost(machine, this.prompt);
        return this.host.open();
      case 'restore':
        return this.restore(step.which);
      case 'redo':
        return this.redo();
    }
  }

  private async restore(which: number): Promise<void> {
    const prompts = [...this.before.keys()];
    const prompt = prompts[which % prompts.length];
    if (prompt === undefined) return;
    const texts = this.texts();
    const expected = new Map(texts);
    for (const [at, touched] of [...this.before].reverse())
      if (at >= prompt) for (const [each, was] of touched) expected.set(each, was);
    await this.host.restoreTo(prompt);
    expect(this.texts()).toEqual(expected);
    this.check();
    const changed = paths.filter((each) => texts.get(each) !== expected.get(each));
    if (changed.length > 0) this.stood.push({ texts, changed });
  }

  private async redo(): Promise<void> {
    const last = this.stood.pop();
    const expected = this.texts();
    // Only the files that the restore has changed come back.
    for (const each of last?.changed ?? []) expected.set(each, last!.texts.get(each));
    expect(await this.host.redo()).toBe(last !== undefined);
    expect(this.texts()).toEqual(expected);
    this.check();
  }

  /** A restore, and Redo at once: everything is as it was, what waits for review too. */
  async thereAndBack(which: number): Promise<void> {
    const texts = this.texts();
    const changes = this.changes();
    const count = this.stood.length;
    await this.restore(which);
    if (this.stood.length === count) return;
    expect(await this.host.redo()).toBe(true);
    this.stood.pop();
    expect(this.texts()).toEqual(texts);
    expect(this.changes()).toEqual(changes);
  }

  /** The review knows what stands in each file that it follows. */
  private check(): void {
    for (const each of this.host.ledger.paths) expect(this.host.ledger.current(each)).toBe(this.machine.text(each));
  }

  private texts(): Map<string, string | undefined> {
    return new Map(paths.map((each) => [each, this.machine.text(each)]));
  }

  private changes(): readonly Change[] {
    return this.host.ledger.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

describe('checkpoints, whatever comes', () => {
  it('a restore brings back exactly what stood before the first change after a prompt, and no other file changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const day = new Day();
        await day.begin();
        for (const each of steps) await day.take(each);
      }),
      { numRuns: tries(1_000) },
    );
  });

  it('Redo gives back what stood before the restore, and what waited for review', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(5), async (steps, which) => {
        const day = new Day();
        await day.begin();
        for (const each of steps) if (each.kind !== 'restore' && each.kind !== 'redo') await day.take(each);
        await day.thereAndBack(which);
      }),
      { numRuns: tries(1_000) },
    );
  });
});
