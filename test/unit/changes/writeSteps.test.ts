import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/changes/ledger';
import { isTyping, type SeenEdit, type Span, WriteSteps } from '../../../src/changes/writeSteps';

const span = (line: number, character: number, endLine = line, endCharacter = character): Span => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});
const edit = (range: Span, text: string): SeenEdit => ({ range, text });
const here = [span(2, 4)];

describe('what looks like typing', () => {
  it.each<[rule: string, isTyped: boolean, edits: SeenEdit[], cursors: Span[]]>([
    ['a key at the cursor', true, [edit(span(2, 4), 'x')], here],
    ['Enter, with the indentation', true, [edit(span(2, 4), '\n  ')], here],
    ['a paste of many lines', true, [edit(span(2, 4), 'a\nb\nc\nd')], here],
    ['a word over what is selected', true, [edit(span(1, 0, 5, 2), 'x')], [span(1, 0, 5, 2)]],
    ['Backspace, and Delete', true, [edit(span(2, 3, 2, 4), '')], here],
    ['Backspace at the start of a line', true, [edit(span(1, 9, 2, 0), '')], [span(2, 0)]],
    ['a suggestion that takes the place of the word', true, [edit(span(2, 1, 2, 4), 'whole')], here],
    [
      'the same key at three cursors',
      true,
      [edit(span(1, 0), 'x'), edit(span(2, 0), 'x'), edit(span(3, 0), 'x')],
      [span(1, 0), span(2, 0), span(3, 0)],
    ],
    ['a formatter elsewhere', false, [edit(span(0, 0), '  ')], here],
    ['a formatter at the cursor and elsewhere', false, [edit(span(2, 4), ';'), edit(span(5, 0), ';')], here],
    ['a formatter that writes everything anew', false, [edit(span(0, 0, 2, 4), 'all of it')], here],
    ['an editor that shows another document', false, [edit(span(2, 4), 'x')], []],
    ['no edit', false, [], here],
  ])('%s: %s', (_, isTyped, edits, cursors) => {
    expect(isTyping(edits, cursors)).toBe(isTyped);
  });
});

describe("an agent's write, step by step", () => {
  /** What is left when all that is the agent's is undone. */
  function undone(before: string, { steps }: WriteSteps): string | undefined {
    const ledger = new Ledger();
    let standing = before;
    for (const { by, text } of steps) {
      if (by === 'agent') ledger.agentWrote('a', standing, text);
      else ledger.edited('a', text);
      standing = text;
    }
    return ledger.plan('a', 'undo')?.text ?? standing;
  }

  const before = 'one\ntwo\nthree\nfour\nfive\n';
  const agents = 'one\ntwo\nthree\nfour\nFIVE\n';
  const typed = 'mine\none\ntwo\nthree\nfour\nFIVE\n';
  const key = [edit(span(0, 0), 'mine\n')];
  const atTop = [span(0, 0)];

  it('is one step with its format on save', () => {
    const write = new WriteSteps(before, agents);
    write.changed(agents, [], []);
    write.saving();
    write.changed(agents.replace('FIVE', 'FIVE;'), [edit(span(4, 4), ';')], atTop);
    write.saved();
    expect(write.steps).toEqual([{ by: 'agent', text: agents.replace('FIVE', 'FIVE;') }]);
    expect(undone(before, write)).toBe(before);
  });

  it.each<[when: string, (write: WriteSteps) => void]>([
    [
      'before the save begins',
      (write) => {
        write.changed(typed, [edit(span(7, 0), 'from anywhere')], []);
        write.saving();
      },
    ],
    [
      'while it runs',
      (write) => {
        write.saving();
        write.changed(typed, key, atTop);
      },
    ],
    [
      'after it, before the write is answered',
      (write) => {
        write.saving();
        write.saved();
        write.changed(typed, [edit(span(7, 0), 'from anywhere')], []);
      },
    ],
  ])('is apart from what is typed %s', (_, happens) => {
    const write = new WriteSteps(before, agents);
    write.changed(agents, [], atTop);
    happens(write);
    expect(write.hasTyping).toBe(true);
    expect(write.steps).toEqual([
      { by: 'agent', text: agents },
      { by: 'person', text: typed },
    ]);
    expect(undone(before, write)).toBe(`mine\n${before}`);
  });

  it('is apart from keys that are faster than what tells of the cursor, before and after a formatter', () => {
    const write = new WriteSteps(before, agents);
    write.changed(agents, [], atTop);
    write.saving();
    write.changed(agents.replace('one', 'xone'), [edit(span(0, 0), 'x')], atTop);
    write.changed(agents.replace('one', 'xyone'), [edit(span(0, 1), 'y')], atTop);
    write.changed(agents.replace('one', 'xyone').replace('FIVE', 'FIVE;'), [edit(span(4, 4), ';')], [span(0, 2)]);
    write.changed(agents.replace('one', 'xyzone').replace('FIVE', 'FIVE;'), [edit(span(0, 2), 'z')], [span(0, 2)]);
    expect(write.steps.map(({ by }) => by)).toEqual(['agent', 'person', 'agent', 'person']);
    expect(undone(before, write)).toBe(before.replace('one', 'xyzone'));
  });

  it("is there, and nothing else, where the text was the agent's already", () => {
    const write = new WriteSteps('one\r\n', 'one\n');
    write.changed('one\r\nmine', [edit(span(1, 0), 'mine')], []);
    expect(write.steps).toEqual([
      { by: 'agent', text: 'one\r\n' },
      { by: 'person', text: 'one\r\nmine' },
    ]);
  });

  it('is nothing as long as the edit is not applied', () => {
    const write = new WriteSteps(before, agents);
    write.changed(`x${before}`, key, atTop);
    expect(write.steps).toEqual([]);
  });

  it("never takes a key for the agent's, nor a formatter for the user, in whatever order they come", () => {
    const happenings = fc.array(fc.constantFrom('key', 'line', 'back', 'saving', 'saved', 'format'), { maxLength: 30 });
    fc.assert(
      fc.property(happenings, (order) => {
        const write = new WriteSteps(before, agents);
        let [mine, theirs, at, isSaving] = ['', 'FIVE', 0, false];
        const text = () => `one${mine}\ntwo\nthree\nfour\n${theirs}\n`;
        const line = () => mine.split('\n').length - 1;
        const cursor = () => span(line(), line() === 0 ? 3 + mine.length : mine.split('\n').at(-1)!.length);
        write.changed(text(), [], [cursor()]);
        for (const what of order) {
          const old = cursor();
          if (what === 'saving' || what === 'saved') write[what]();
          isSaving = what === 'saving' || (isSaving && what !== 'saved');
          if (what === 'key' || what === 'line') {
            mine += what === 'key' ? String.fromCharCode(97 + (at++ % 26)) : '\n';
            write.changed(text(), [edit(old, mine.slice(-1))], [old]);
          } else if (what === 'back' && mine !== '') {
            mine = mine.slice(0, -1);
            write.changed(text(), [edit({ start: cursor().start, end: old.end }, '')], [old]);
          } else if (what === 'format' && isSaving) {
            theirs += ';';
            write.changed(text(), [edit(span(4 + line(), theirs.length - 1), ';')], [old]);
          }
        }
        expect(undone(before, write)).toBe(`one${mine}\ntwo\nthree\nfour\nfive\n`);
      }),
    );
  });
});
