import { describe, expect, it } from 'vitest';
import { savedEntry } from '../../../src/changes/decodeSaved';
import { Ledger } from '../../../src/changes/ledger';
import { Random } from '../../fakes/random';

const path = '/p/a.txt';

describe('the list of changes', () => {
  it('a file that the user gives the name of another changed one takes nothing from that', () => {
    const log = new Ledger();
    log.agentWrote('/a', 'a\n', 'agent a\n');
    log.agentWrote('/b', 'b\n', 'agent b\n');
    log.moved('/a', '/b');
    expect([log.get('/a')?.baseline, log.get('/b')?.baseline]).toEqual(['a\n', 'b\n']);
    log.moved('/a', '/c');
    expect([log.get('/a'), log.get('/c')?.baseline]).toEqual([undefined, 'a\n']);
    // Of a file that the user has deleted before, nothing is pending that could be lost.
    log.edited('/b', undefined);
    log.moved('/c', '/b');
    expect([log.get('/c'), log.get('/b')?.baseline]).toEqual([undefined, 'a\n']);
  });

  it('finds a file however its path is spelled, without looking at the others', () => {
    let looks = 0;
    const log = new Ledger((spelling) => {
      looks++;
      return spelling.toLowerCase();
    });
    for (let i = 0; i < 1_000; i++) log.agentWrote(`/p/F${i}`, 'a\n', 'b\n');
    looks = 0;
    expect([log.pathOf('/p/F7'), log.pathOf('/P/f7'), log.pathOf('/p/none')]).toEqual(['/p/F7', '/p/F7', undefined]);
    expect(looks).toBe(2);
    log.agentWrote('/P/f7', 'c\n', 'd\n');
    log.edited('/p/F7', 'a\n');
    log.keep('/p/F7');
    expect([log.pathOf('/p/f7'), log.pathOf('/P/f7')]).toEqual([
      log.paths.includes('/p/F7') ? '/p/F7' : '/P/f7',
      '/P/f7',
    ]);
  });

  it('keeps the text from before the first write as the baseline', () => {
    const log = new Ledger();
    log.agentWrote(path, 'one\n', 'two\n');
    log.agentWrote(path, 'two\n', 'three\nfour\n');
    expect(log.get(path)).toMatchObject({
      kind: 'modified',
      baseline: 'one\n',
      current: 'three\nfour\n',
      added: 2,
      removed: 1,
    });
    expect(log.plan(path, 'undo')).toEqual({ text: 'one\n', conflicts: [], losesEdits: false });
  });

  it('knows a created file and forgets it when it is gone again', () => {
    const log = new Ledger();
    log.agentWrote(path, undefined, 'x\ny\n');
    expect(log.get(path)).toMatchObject({ kind: 'created', baseline: undefined, added: 2, removed: 0 });
    expect(log.plan(path, 'undo')).toEqual({ text: undefined, conflicts: [], losesEdits: false });
    log.edited(path, undefined);
    expect(log.changes).toEqual([]);
  });

  it('knows a created file that is empty', () => {
    const log = new Ledger();
    log.agentWrote(path, undefined, '');
    expect(log.get(path)).toMatchObject({ kind: 'created', added: 0, removed: 0 });
  });

  it('knows a deleted file, and Undo brings back its baseline', () => {
    const log = new Ledger();
    log.agentWrote(path, 'one\n', 'two\n');
    log.agentWrote(path, 'two\n', undefined);
    expect(log.get(path)).toMatchObject({ kind: 'deleted', added: 0, removed: 1 });
    expect(log.plan(path, 'undo')).toEqual({ text: 'one\n', conflicts: [], losesEdits: false });
  });

  it.each(['pending', 'undone'])(
    "takes the user's deletion of a file with a %s hunk for no change of the agent, and has the hunk again with the file",
    (state) => {
      const log = new Ledger();
      log.agentWrote(path, 'one\nx\n', 'two\nx\n');
      if (state === 'undone') log.done(path, 'undo', 'one\nx\n');
      const standing = log.current(path);
      const before = [log.get(path)?.hunks, log.rejected(path)];
      log.edited(path, undefined);
      expect([log.changes, log.count, log.rejected(path), log.isAway(path), log.plan(path, 'undo')]).toEqual([
        [],
        0,
        [],
        true,
        undefined,
      ]);
      const later = new Ledger();
      later.restore(
        new Map([...log.saved].map(([name, entry]) => [name, savedEntry(JSON.parse(JSON.stringify(entry)))])),
      );
      expect(later.changes).toEqual([]);
      for (const ledger of [log, later]) {
        ledger.edited(path, standing);
        expect([ledger.get(path)?.hunks, ledger.rejected(path)]).toEqual(before);
      }
    },
  );

  it('takes a file that the agent makes where the user has deleted one for a new file', () => {
    const log = new Ledger();
    log.agentWrote(path, 'one\n', 'two\n');
    log.edited(path, undefined);
    log.agentWrote(path, undefined, 'three\n');
    expect(log.get(path)).toMatchObject({ kind: 'created', baseline: undefined });
    expect(log.plan(path, 'undo')).toEqual({ text: undefined, conflicts: [], losesEdits: false });
  });

  it('does not agree to that a file is gone with one hunk of it', () => {
    const log = new Ledger();
    log.agentWrote(path, 'one\n', 'two\n');
    const ids = log.get(path)!.hunks.map(({ id }) => id);
    log.agentWrote(path, 'two\n', undefined);
    log.keep(path, ids);
    expect(log.get(path)).toMatchObject({ kind: 'deleted', baseline: 'two\n' });
    log.keep(path);
    expect(log.changes).toEqual([]);
  });

  it('asks before Undo deletes a created file that the user has edited', () => {
    const log = new Ledger();
    log.agentWrote(path, undefined, 'x\n');
    log.edited(path, 'x\nmine\n');
    expect(log.plan(path, 'undo')).toEqual({ text: undefined, conflicts: [], losesEdits: true });
  });

  it("folds edits of the user apart from the agent's into the baseline", () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n4\n5\n', '1\ntwo\n3\n4\n5\n');
    log.edited(path, '1\ntwo\n3\n4\nfive\n');
    expect(log.get(path)).toMatchObject({ baseline: '1\n2\n3\n4\nfive\n', added: 1, removed: 1 });
    expect(log.plan(path, 'undo')).toEqual({ text: '1\n2\n3\n4\nfive\n', conflicts: [], losesEdits: false });
  });

  it('leaves in place what both edited and undoes the rest', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n');
    log.edited(path, 'my one\n2\n3\n4\nfive\n');
    expect(log.plan(path, 'undo')).toEqual({ text: 'my one\n2\n3\n4\n5\n', conflicts: ['1'], losesEdits: false });
    log.done(path, 'undo', 'my one\n2\n3\n4\n5\n');
    expect(log.get(path)).toMatchObject({ baseline: '1\n2\n3\n4\n5\n', added: 1, removed: 1 });
  });

  it('counts a later write of the agent as its own also where the user had edited', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n', 'one\n2\n3\n');
    log.edited(path, 'one\n2\nmine\n');
    log.agentWrote(path, 'one\n2\nmine\n', 'one\ntwo\nmine\n');
    expect(log.plan(path, 'undo')).toEqual({ text: '1\n2\nmine\n', conflicts: [], losesEdits: false });
  });

  it('gives no new hunk the id of one that a restore to a prompt brings back after a reload', () => {
    const earlier = new Ledger();
    earlier.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n');
    const fresh = new Ledger();
    fresh.put(path, earlier.saved.get(path));
    fresh.agentWrote(path, 'one\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n');
    expect(fresh.get(path)!.hunks.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('sees what the user did just before a write that came first', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n', 'one\n2\n3\n');
    log.agentWrote(path, 'one\n2\nmine\n', 'one\ntwo\nmine\n');
    expect(log.plan(path, 'undo')!.text).toBe('1\n2\nmine\n');
  });

  it('closes a change that leaves nothing changed', () => {
    const log = new Ledger();
    log.agentWrote(path, 'a\r\nb\r\n', 'a\nb\n');
    expect(log.changes).toEqual([]);
    log.agentWrote(path, 'a\n', 'b\n');
    log.edited(path, 'a\n');
    expect(log.changes).toEqual([]);
  });

  it('begins anew after Keep', () => {
    const log = new Ledger();
    log.agentWrote(path, 'a\n', 'b\n');
    log.keep(path);
    log.edited(path, 'c\n');
    expect(log.changes).toEqual([]);
    log.agentWrote(path, 'c\n', 'd\n');
    expect(log.get(path)).toMatchObject({ baseline: 'c\n', current: 'd\n' });
  });

  it('Undo gives the text as if the agent had never written, however edits apart from each other come', () => {
    const random = new Random(7);
    for (let round = 0; round < 500; round++) {
      // The agent owns the even tens, the user the odd ones: never the same or touching lines.
      const start = Array.from({ length: 100 }, (_, i) => `line ${i}\n`);
      let expected = start.join('');
      let current = expected;
      const log = new Ledger();
      for (let step = 0; step < 8; step++) {
        const agent = step === 0 || random.below(2) === 0;
        const tag = `${10 * (2 * random.below(5) + (agent ? 0 : 1)) + 3 + random.below(4)}\n`;
        const change = (text: string) =>
          text.replace(new RegExp(`^(line|changed|mine) ${tag}`, 'm'), `${agent ? 'changed' : 'mine'} ${tag}`);
        const next = change(current);
        if (agent) log.agentWrote(path, current, next);
        else {
          expected = change(expected);
          log.edited(path, next);
        }
        current = next;
      }
      expect(log.plan(path, 'undo')).toEqual({ text: expected, conflicts: [], losesEdits: false });
    }
  });

  it('a hunk belongs to the turn that touched it last, a file that is gone too', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\nthree\n4\n5\n', 'e0');
    log.agentWrote(path, 'one\n2\nthree\n4\n5\n', 'one\n2\nTHREE\n4\nfive\n', 'e4');
    expect(log.get(path)!.hunks.map(({ turns, currentLines }) => [turns.at(-1), currentLines[0]])).toEqual([
      ['e0', 'one'],
      ['e4', 'THREE'],
      ['e4', 'five'],
    ]);
    // What the user does there, or an agent that writes what stands there, changes nothing of that.
    log.edited(path, 'ONE\n2\nTHREE\n4\nfive\n');
    log.agentWrote(path, 'ONE\n2\nTHREE\n4\nfive\n', 'ONE\n2\nTHREE\n4\nfive\n', 'e8');
    expect(log.get(path)!.hunks.map(({ turns }) => turns.at(-1))).toEqual(['e0', 'e4', 'e4']);
    expect(log.get(path)!.turn).toBe('e4');
    log.agentWrote(path, 'ONE\n2\nTHREE\n4\nfive\n', undefined, 'e9');
    expect(log.get(path)).toMatchObject({ kind: 'deleted', hunks: [], turn: 'e9' });
  });

  it('Undo of one turn leaves what the others did', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', 'e0');
    log.agentWrote(path, 'one\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n', 'e4');
    const ids = log
      .get(path)!
      .hunks.filter(({ turns }) => turns.at(-1) === 'e0')
      .map(({ id }) => id);
    expect(log.plan(path, 'undo', ids)?.text).toBe('1\n2\n3\n4\nfive\n');
  });

  it('what was kept waits again, as it was', () => {
    const log = new Ledger();
    log.agentWrote(path, undefined, 'x\ny\n', 'e0');
    const kept = log.saved.get(path)!;
    log.keep(path);
    expect(log.changes).toEqual([]);
    log.takeBack(path, kept);
    expect(log.saved.get(path)).toBe(kept);
    expect(log.plan(path, 'undo')?.text).toBeUndefined();
  });

  it('what was kept waits again below what has been done since', () => {
    const log = new Ledger();
    log.agentWrote(path, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', 'e0');
    const kept = log.saved.get(path)!;
    log.keep(path);
    log.agentWrote(path, 'one\n2\n3\nmine\n5\n', 'one\n2\n3\nmine\nfive\n', 'e4');
    log.takeBack(path, kept);
    expect(log.get(path)).toMatchObject({ baseline: '1\n2\n3\nmine\n5\n', current: 'one\n2\n3\nmine\nfive\n' });
    expect(log.get(path)!.hunks.map(({ turns }) => turns.at(-1))).toEqual(['e0', 'e4']);
  });

  it('follows typing in 10,000 lines with 100 hunks in good time', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `const value${i % 500} = compute(${i});`);
    let text = lines.map((line, i) => (i % 100 === 7 ? `changed ${i}` : line)).join('\n');
    const log = new Ledger();
    log.agentWrote(path, lines.join('\n'), text);
    // The best of some: what else the machine does is not the question.
    let best = Infinity;
    for (let i = 0; i < 20; i++) {
      text = `${text.slice(0, 100_000)}x${text.slice(100_000)}`;
      const started = performance.now();
      log.edited(path, text);
      expect(log.get(path)!.hunks.length).toBe(100);
      best = Math.min(best, performance.now() - started);
    }
    // 4 ms on a machine that does nothing else.
    expect(best).toBeLessThan(100);
  });

  it('opens a file of 100,000 lines with 1,000 hunks in good time', () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `const value${i % 500} = compute(${i});`);
    const [before, after] = [
      lines.join('\n'),
      lines.map((line, i) => (i % 100 === 7 ? `changed ${i}` : line)).join('\n'),
    ];
    let best = Infinity;
    for (let i = 0; i < 3; i++) {
      const log = new Ledger();
      const started = performance.now();
      log.agentWrote(path, before, after);
      expect(log.get(path)!.hunks.length).toBe(1_000);
      best = Math.min(best, performance.now() - started);
    }
    // 0.3 s on a machine that does nothing else.
    expect(best).toBeLessThan(8_000);
  });
});
