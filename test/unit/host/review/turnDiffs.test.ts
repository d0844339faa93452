import { beforeEach, describe, expect, it } from 'vitest';
import type { ToolCallFields } from '../../../../src/acp/decodeUpdate';
import { Ledger } from '../../../../src/changes/ledger';
import { TurnDiffs } from '../../../../src/host/review/turnDiffs';
import type { ThreadAction } from '../../../../src/thread/actions';
import { reduce } from '../../../../src/thread/reducer';
import { emptyThread, entryIdAt, type Thread } from '../../../../src/thread/thread';

const path = '/w/a.ts';
const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

let thread: Thread;
let ledger: Ledger;
let text: string;
let turn: string;
const live = {
  cwd: '/w',
  session: {
    get thread() {
      return thread;
    },
  },
};
const act = (action: ThreadAction) => (thread = reduce(thread, action));
const call = (toolCallId: string, fields: Partial<ToolCallFields> = {}) =>
  act({ type: 'toolCall/patched', at: 0, fields: { title: toolCallId, ...fields, toolCallId } });
const begin = (turnId: string) => {
  turn = entryIdAt(thread.entries.length);
  act({ type: 'turn/started', at: 0, turnId, prompt: [{ type: 'text', text: 'Go' }] });
};
/** A call that changes a word of the file. @param isReported with its diff */
function edit(toolCallId: string, from: string, to: string, parentToolCallId?: string, isReported = true) {
  const next = text.replace(from, to);
  call(toolCallId, {
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
    ...(isReported ? { content: [{ type: 'diff', path: 'a.ts', oldText: `${from}\n`, newText: `${to}\n` }] } : {}),
  });
  ledger.agentWrote(path, text, next, turn);
  text = next;
}
const names = (diffs: TurnDiffs) =>
  ledger.get(path)!.hunks.map((hunk) => [hunk.currentLines.join(), diffs.subagentsOf(live, path, hunk).join()]);

beforeEach(() => {
  [thread, ledger, text] = [emptyThread, new Ledger(), before];
  begin('t1');
});

describe('a hunk', () => {
  it('bears the name of the subagent whose call reported its lines, and no other', () => {
    const diffs = new TurnDiffs();
    call('A', { title: 'Read the parser' });
    call('B', { title: 'Read the printer' });
    edit('own', 'one', 'ONE');
    edit('a1', 'three', 'THREE', 'A');
    edit('b1', 'five', 'FIVE', 'B');
    edit('shell', 'seven', 'SEVEN', 'A', false);
    expect(names(diffs)).toEqual([
      ['ONE', ''],
      ['THREE', 'Read the parser'],
      ['FIVE', 'Read the printer'],
      ['SEVEN', ''],
    ]);
  });

  it('bears those of all turns that changed it, as their calls are called now', () => {
    const diffs = new TurnDiffs();
    call('A', { title: 'Read' });
    edit('a1', 'three', 'THREE', 'A');
    expect(names(diffs)).toEqual([['THREE', 'Read']]);
    act({ type: 'turn/ended', at: 0, turnId: 't1', stopReason: 'end_turn' });
    begin('t2');
    call('B', { title: 'Write' });
    call('A', { title: 'Read the parser' });
    edit('b1', 'four', 'FOUR', 'B');
    expect(names(diffs)).toEqual([['THREE,FOUR', 'Read the parser,Write']]);
  });
});
