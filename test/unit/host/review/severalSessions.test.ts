import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { KeepHistory } from '../../../../src/host/changes/keepHistory';
import { contentsIn } from '../../../fakes/wholeFiles';
import { Review } from '../../../../src/host/review/review';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { FakeClock } from '../../../fakes/fakeClock';
import { contentOfText } from '../../../../src/host/storage/contentInHand';

const done = vi.hoisted(() => ({ commands: [] as (readonly unknown[])[] }));
vi.mock('vscode', async () => {
  const { reviewVscode } = await import('../../../fakes/reviewVscode');
  const executeCommand = async (...command: readonly unknown[]) => void done.commands.push(command);
  return { ...reviewVscode(), commands: { executeCommand } };
});

const numbered = (changed: Record<number, string> = {}) =>
  Array.from({ length: 12 }, (_, i) => `${changed[i] ?? `line ${i}`}\n`).join('');

describe('one file that two sessions have changed', () => {
  let folder: string;
  let path: string;
  let service: ReviewService;
  let review: Review;
  let reported: string[];
  /** What the left sides of diffs show. */
  let texts: Map<string, string>;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-several-')));
    path = join(folder, 'a.txt');
    [reported, texts, done.commands] = [[], new Map(), []];
    const [clock, isGuarded, confirm, report] = [
      new FakeClock(),
      () => false,
      async () => true,
      (message: string) => void reported.push(message),
    ];
    const baselines = {
      set: (_path: string, key: string, text: string) => (texts.set(key, text), key),
      add: () => '',
      deleteAll: () => undefined,
    };
    service = new ReviewService({
      scopes: () => undefined,
      baselines: baselines as never,
      clock,
      log: silentLogger,
      turnOf: () => 'e0',
      dialogs: { confirm, report },
      storage: { contents: contentsIn(join(folder, 'bytes')) },
    });
    review = new Review(service, new KeepHistory(service), () => folder, clock, {
      movedFrom: () => undefined,
      isGuarded,
      askGuarded: async () => false,
      askTied: async () => true,
      turnName: () => ({ number: undefined, title: undefined }),
      report,
    });
    agent('first', numbered(), numbered({ 2: 'two' }));
    agent('second', numbered({ 2: 'two' }), numbered({ 2: 'two', 6: 'six', 9: 'nine' }));
  });
  afterEach(() => {
    for (const part of [review, service]) part.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const agent = (sessionId: string, before: string, after: string) => {
    writeFileSync(path, after);
    service.record(sessionId, path, contentOfText(before), contentOfText(after));
  };
  const shown = () =>
    review
      .changes()
      .map(
        ({ label, kind, added, removed, hunks, conflicts }) =>
          `${kind} ${label} +${added} -${removed}, ${hunks} hunks, ${conflicts} conflicts`,
      );
  const lines = () =>
    review.placesIn(path).map(({ sessionId, hunk }) => `${sessionId} ${hunk?.current.start} ${hunk?.state}`);
  const onDisk = () => readFileSync(path, 'utf8');

  it('is one row that counts both, with the hunks of both in its editor', () => {
    expect(shown()).toEqual(['modified a.txt +3 -3, 3 hunks, 0 conflicts']);
    expect(lines()).toEqual(['first 2 pending', 'second 6 pending', 'second 9 pending']);
    expect(review.places()).toHaveLength(3);
  });

  it('does not count lines that were undone in one session as pending there once the agent of another writes them', async () => {
    await review.undo({ sessionId: 'first' });
    expect(onDisk()).toBe(numbered({ 6: 'six', 9: 'nine' }));
    agent('second', onDisk(), numbered({ 2: 'two', 6: 'six', 9: 'nine' }));
    expect(lines()).toEqual(['second 2 pending', 'second 6 pending', 'second 9 pending']);
  });

  it('counts and shows the conflicts of both', async () => {
    writeFileSync(path, numbered({ 2: 'my two', 6: 'six', 9: 'nine' }));
    service.recordEdit(path, numbered({ 2: 'my two', 6: 'six', 9: 'nine' }));
    await review.decide(review.placesIn(path).slice(0, 1), 'undo');
    expect(shown()).toEqual(['modified a.txt +3 -3, 3 hunks, 1 conflicts']);
    expect(lines()[0]).toBe('first 2 conflicted');
    await review.resolve('first', path, 'agents');
    expect(onDisk()).toBe(numbered({ 2: 'two', 6: 'six', 9: 'nine' }));
    expect(shown()).toEqual(['modified a.txt +2 -2, 2 hunks, 0 conflicts']);
  });

  it('shows both where both have changed the same lines, the later one first', () => {
    agent('second', onDisk(), numbered({ 2: 'second two', 6: 'six', 9: 'nine' }));
    expect(lines()).toEqual(['second 2 pending', 'first 2 pending', 'second 6 pending', 'second 9 pending']);
    expect(shown()).toEqual(['modified a.txt +4 -4, 4 hunks, 0 conflicts']);
  });

  it('Undo of the file takes back both, the later one first', async () => {
    agent('second', onDisk(), numbered({ 2: 'second two', 6: 'six', 9: 'nine' }));
    await review.undo({ path });
    expect([onDisk(), shown(), reported]).toEqual([numbered(), [], []]);
  });

  it('Undo of a place takes back both, the later one first', async () => {
    agent('second', onDisk(), numbered({ 2: 'second two', 6: 'six', 9: 'nine' }));
    expect(await review.decide(review.placesIn(path).slice(0, 2), 'undo')).toBe(0);
    expect(onDisk()).toBe(numbered({ 6: 'six', 9: 'nine' }));
  });

  it('Keep of the file agrees to both', async () => {
    await review.keep({ path });
    expect([onDisk(), shown()]).toEqual([numbered({ 2: 'two', 6: 'six', 9: 'nine' }), []]);
  });

  it('is the change of the other once one session is undone', async () => {
    await review.undo({ sessionId: 'first' });
    expect(onDisk()).toBe(numbered({ 6: 'six', 9: 'nine' }));
    expect(shown()).toEqual(['modified a.txt +2 -2, 2 hunks, 0 conflicts']);
  });

  it('opens as one diff of what both have changed, which follows what is decided and edited', async () => {
    await review.open(path);
    await review.open(undefined);
    const diffs = done.commands.filter(([name]) => name === 'vscode.diff' || name === 'vscode.changes');
    const left = diffs[0]![1] as string;
    expect(diffs[1]![2]).toMatchObject([[{ fsPath: path }, left, { fsPath: path }]]);
    expect(texts.get(left)).toBe(numbered());
    const edited = numbered({ 2: 'two', 4: 'mine', 6: 'six', 9: 'nine' });
    writeFileSync(path, edited);
    service.recordEdit(path, edited);
    expect(texts.get(left)).toBe(numbered({ 4: 'mine' }));
    await review.keep({ sessionId: 'second' });
    expect(texts.get(left)).toBe(numbered({ 4: 'mine', 6: 'six', 9: 'nine' }));
  });

  it('is shown too where one of them changed only its permissions', () => {
    service.record('third', path, undefined, { kind: 'binary', digest: 'd', mode: 0o755 });
    review.refresh();
    expect(shown()).toContain('modified a.txt +3 -3, 3 hunks, 0 conflicts');
    expect(lines()).toEqual(['third undefined undefined', 'first 2 pending', 'second 6 pending', 'second 9 pending']);
    expect(review.changeIn(path)?.note).toBeUndefined();
  });
});
