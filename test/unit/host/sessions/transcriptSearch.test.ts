import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionSearch } from '../../../../src/host/sessions/sessionSearch';
import { findInTranscript, searchWords } from '../../../../src/host/sessions/transcriptSearch';
import { StorageTrouble } from '../../../../src/host/storage/storageTrouble';
import { TranscriptStore } from '../../../../src/host/sessions/transcriptStore';
import type { ThreadAction } from '../../../../src/thread/actions';
import { findEntry } from '../../../../src/thread/actionTexts';
import { replay } from '../../../../src/thread/replay';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { workTime } from '../../../fakes/workTime';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'search-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { hits: 3, bytes: 1_000_000 };
const asked = (text: string): ThreadAction => ({
  type: 'turn/started',
  at: 1,
  turnId: 't',
  prompt: [{ type: 'text', text }],
});
const said = (text: string, role: 'agent' | 'thought' = 'agent'): ThreadAction => ({
  type: 'message/chunkAppended',
  at: 2,
  role,
  content: { type: 'text', text },
});
const called = (title: string, text: string): ThreadAction => ({
  type: 'toolCall/patched',
  at: 3,
  fields: {
    toolCallId: 'c',
    title,
    content: [
      { type: 'content', content: { type: 'text', text } },
      { type: 'diff', path: '/a', oldText: null, newText: 'const diffed = "yes";' },
    ],
  },
});

function transcript(...actions: readonly ThreadAction[]): string {
  const file = join(folder, `${Math.random()}.ndjson`);
  writeFileSync(
    file,
    [{ version: 1, id: 'a', agent: 'header words', cwd: '/', createdAt: 1 }, ...actions]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  return file;
}
const find = async (file: string, text: string, bounds = limits) =>
  (await findInTranscript(file, searchWords(text), bounds, neverCancelled)).lines;

it('finds lines of prompts, answers, thoughts, calls and diffs that have all words, in any case', async () => {
  const file = transcript(
    asked('Please fix\nthe Slow parser'),
    said('One line.\nThe parser is slow.\nAnother.'),
    said('slow thinking about a parser', 'thought'),
    called('grep slow parser', 'nothing'),
  );
  expect(await find(file, 'PARSER slow', { ...limits, hits: 10 })).toEqual([
    'the Slow parser',
    'The parser is slow.',
    'slow thinking about a parser',
    'grep slow parser',
  ]);
  expect(await find(file, 'diffed = "yes"')).toEqual(['const diffed = "yes";']);
  // Neither the keys of what is stored, nor words on different lines.
  for (const text of ['toolCallId', 'header', 'please parser']) expect(await find(file, text)).toEqual([]);
});

it('finds what was stored in pieces, once, and the entry that shows it', async () => {
  const actions = [
    asked('hi'),
    said('The par'),
    said('ser is slow\nand '),
    said('so on'),
    called('Read', 'x'),
    said('The parser is slow'),
  ];
  const file = transcript(...actions);
  const [line, ...others] = await find(file, 'parser slow');
  expect([line, others]).toEqual(['The parser is slow', []]);
  expect(await find(file, 'and so on')).toEqual(['and so on']);
  expect(findEntry(replay(actions), line!)).toBe('e1');
  expect(findEntry(replay(actions), 'const diffed')).toBe('e2');
  expect(findEntry(replay(actions), 'not there')).toBeUndefined();
});

it('leads to no entry that a rewind took out', () => {
  const ended: ThreadAction = { type: 'turn/ended', at: 4, turnId: 't', stopReason: 'end_turn' };
  const rewound: readonly ThreadAction[] = [
    asked('fix the parser'),
    said('done'),
    ended,
    { type: 'thread/rewound', at: 5, entryId: 'e0', title: 'Back' },
  ];
  expect(findEntry(replay(rewound), 'fix the parser')).toBeUndefined();
  expect(findEntry(replay([...rewound, asked('fix the parser'), said('done again'), ended]), 'fix the parser')).toBe(
    'e3',
  );
});

it('stops at its limits and says so; a line that is damaged, or far too long, costs only itself', async () => {
  const file = transcript(...Array.from({ length: 20 }, (_, i) => called(`needle ${i}`, '')));
  expect(await findInTranscript(file, ['needle'], limits, neverCancelled)).toMatchObject({
    lines: ['needle 0', 'needle 1', 'needle 2'],
    isCut: true,
  });
  const damaged = transcript(called('first needle', ''));
  appendFileSync(
    damaged,
    `{"type":"needle\n${JSON.stringify(called('x'.repeat(3_000_000), 'needle'))}\n${JSON.stringify(called('last needle', ''))}\n`,
  );
  expect(await findInTranscript(damaged, ['needle'], { ...limits, bytes: 10_000_000 }, neverCancelled)).toEqual({
    lines: ['first needle', 'last needle'],
    isCut: true,
  });
  expect(await findInTranscript(damaged, ['last'], limits, neverCancelled)).toMatchObject({ lines: [], isCut: true });
  expect(await findInTranscript(join(folder, 'none'), ['x'], limits, neverCancelled)).toEqual({
    lines: [],
    isCut: false,
  });
});

it('reads 20 MB without keeping others waiting', async () => {
  const file = transcript(
    ...Array.from({ length: 1_000 }, (_, i) => called(`call ${i}`, 'word '.repeat(4_000))),
    said('the needle'),
  );
  // Counted, not timed: others have their turn again and again, on any machine.
  let turns = 0;
  const count = () => (turns++, (next = setImmediate(count)));
  let next = setImmediate(count);
  expect(await find(file, 'needle', { hits: 3, bytes: 64_000_000 })).toEqual(['the needle']);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(100);
});

function search() {
  const clock = new FakeClock();
  const index = new SessionIndex(new MemoryState());
  const transcripts = new TranscriptStore({
    folder,
    clock,
    log: silentLogger,
    trouble: new StorageTrouble(clock),
    headerOf: () => undefined,
  });
  const views: unknown[] = [];
  const result = new SessionSearch({
    sessions: { find: () => undefined },
    index,
    transcripts,
    clock,
    changed: () => views.push(result.view),
  });
  const add = (id: string, updatedAt: number, ...actions: ThreadAction[]) => {
    index.put({ id, agent: 'A', cwd: '/w', createdAt: 1, updatedAt, title: `Session ${id}` });
    transcripts.begin({ version: 1, id, agent: 'A', cwd: '/w', createdAt: 1 });
    for (const action of actions) transcripts.append(id, action);
  };
  return { result, index, add, views };
}

it('searches all sessions, the newest first, also what was not written yet; deleted ones are left out', async () => {
  const { result, index, add } = search();
  add('old', 1, asked('an old needle'));
  add('new', 2, said(`${'a long way '.repeat(40)}to the needle${' and on'.repeat(40)}`));
  add('gone', 3, asked('a needle that was deleted'));
  index.hide('gone', true);
  await result.search('needle');
  expect(result.view).toMatchObject({
    text: 'needle',
    isRunning: false,
    isCut: false,
    hits: [
      { id: '0', title: 'Session new' },
      { id: '1', title: 'Session old', line: 'an old needle' },
    ],
  });
  expect(result.view!.hits[0]!.line).toMatch(/^….*to the needle.*…$/);
  expect(result.view!.hits[0]!.line.length).toBeLessThan(165);
  expect(result.hit('1')).toEqual({ key: 'old', line: 'an old needle' });
  await result.search('n');
  expect([result.view, result.hit('1')]).toEqual([undefined, undefined]);
});

it('is ended by the next text', async () => {
  const { result, add } = search();
  for (let i = 0; i < 50; i++) add(`s${i}`, i, asked('first and second'));
  const first = result.search('first');
  const second = result.search('second');
  await Promise.all([first, second]);
  expect(result.view).toMatchObject({ text: 'second', isRunning: false });
  expect(result.view!.hits).toHaveLength(50);
  const source = new CancellationSource();
  source.cancel();
  expect((await findInTranscript(transcript(asked('x y')), ['x'], limits, source.token)).lines).toEqual([]);
});

it('takes the pieces of a message in one endless line as they come', async () => {
  const file = transcript(
    ...Array.from({ length: 30_000 }, (_, at) => said(at === 5 ? ' needle ' : 'x'.repeat(60))),
    said('\nlast needle'),
  );
  const started = workTime();
  const lines = await find(file, 'needle', { hits: 3, bytes: 100_000_000 });
  expect(lines.map((line) => line.length)).toEqual([2_000, 11]);
  expect(workTime() - started).toBeLessThan(15_000);
});
