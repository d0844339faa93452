import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { type AppendFiles, appendFiles } from '../../../../src/host/sessions/transcriptFile';
import {
  type TranscriptLimits,
  TranscriptStore,
  UnreadableTranscript,
} from '../../../../src/host/sessions/transcriptStore';
import { StorageTrouble } from '../../../../src/host/storage/storageTrouble';
import type { ThreadAction } from '../../../../src/thread/actions';
import type { Thread } from '../../../../src/thread/thread';
import { FakeClock } from '../../../fakes/fakeClock';

let folder: string;
let file: string;
let clock: FakeClock;
let trouble: StorageTrouble;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
  file = join(folder, 'a.ndjson');
  clock = new FakeClock();
  trouble = new StorageTrouble(clock);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = { version: 1, id: 'a', agent: 'Agent', cwd: '/p', createdAt: 1 } as const;
const open = (options: { readonly files?: AppendFiles; readonly limits?: TranscriptLimits } = {}) =>
  new TranscriptStore({ folder, clock, log: silentLogger, trouble, headerOf: (id) => ({ ...header, id }), ...options });
const said = (text: string): ThreadAction => ({
  type: 'notice/added',
  at: 1,
  severity: 'info',
  title: text,
  actions: [],
});
const titles = ({ entries }: Thread) =>
  [...entries].map((entry) => (entry.kind === 'notice' ? entry.title : entry.kind));
const read = async (store = open()) => titles((await store.read('a'))!.thread);
/** A store in which these were said, each before a write. */
function saying(store: TranscriptStore, ...texts: readonly string[]): TranscriptStore {
  store.begin(header);
  for (const text of texts) {
    store.append('a', said(text));
    clock.advance(300);
  }
  return store;
}
const lines = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly type?: string });

it('keeps the order of what was said when the window ends just after a write has begun', async () => {
  const store = saying(open(), 'first');
  store.append('a', said('second'));
  store.flushSync();
  // Here the host may end: nothing is waited for.
  expect(lines()).toMatchObject([header, { title: 'first' }, { title: 'second' }]);
  expect(await read()).toEqual(['first', 'second']);
});

describe('what a crash has cut off', () => {
  const cut = (bytes: number) => {
    saying(open(), 'whole', 'cut');
    truncateSync(file, statSync(file).size - bytes);
  };

  it.each([
    [10, ['whole']],
    [1, ['whole', 'cut']],
  ])('at %s bytes before the end is cut away or completed, and takes nothing with it', async (bytes, left) => {
    cut(bytes);
    const next = open();
    expect(await read(next)).toEqual(left);
    next.append('a', said('typed after the crash'));
    next.flushSync();
    expect([await read(), lines().length]).toEqual([[...left, 'typed after the crash'], left.length + 2]);
  });

  it('is cut away also where nobody has read it before', async () => {
    cut(10);
    const next = open();
    next.append('a', said('after'));
    next.flushSync();
    expect([await read(), (await open().read('a'))?.skipped]).toEqual([['whole', 'after'], 0]);
  });
});

/** A disk that takes so many bytes more, and then part of what is written. */
function smallDisk(code = 'ENOSPC') {
  const disk = { room: Infinity, truncates: true, slack: 0 };
  const refuse = () => Object.assign(new Error(code), { code });
  const files: AppendFiles = {
    ...appendFiles,
    append: (path, bytes) => {
      const part = bytes.subarray(0, disk.room);
      appendFileSync(path, part);
      disk.room -= part.length;
      if (part.length < bytes.length) throw refuse();
    },
    truncate: (path, size) => {
      if (!disk.truncates) throw refuse();
      disk.room = disk.slack;
      truncateSync(path, size);
    },
  };
  return { disk, files };
}

describe('a disk that takes nothing any more', () => {
  it('is said at once, for that conversation, and no more once there is room', async () => {
    const { disk, files } = smallDisk();
    const store = saying(open({ files }), 'first');
    const begun: unknown[] = [];
    trouble.onDidBegin(() => begun.push(trouble.view('a')?.title));
    disk.room = 20;
    store.append('a', said('second'));
    clock.advance(300);
    expect(begun).toEqual(['This conversation is not being saved: the disk is full.']);
    expect(trouble.view('b')?.title).toBe('Another conversation is not being saved: the disk is full.');
    expect(trouble.view('a')?.detail).toBe(
      `Parley keeps it in memory until this window closes, and tries again to save it. Make room on the disk of ${folder}.`,
    );
    disk.room = Infinity;
    clock.advance(5_000);
    expect([trouble.view('a'), await read()]).toEqual([undefined, ['first', 'second']]);
  });

  it.each([0, 1, 20, 60, 61, 100, 150])(
    'with room for %s bytes more holds no half line, and all is written in order later',
    async (room) => {
      const { disk, files } = smallDisk();
      const store = saying(open({ files }), 'first');
      disk.room = room;
      for (const text of ['second', 'third', 'fourth']) {
        store.append('a', said(text));
        clock.advance(300);
        expect(() => lines()).not.toThrow();
      }
      disk.room = Infinity;
      store.append('a', said('fifth'));
      clock.advance(300);
      expect([await read(), lines().length]).toEqual([['first', 'second', 'third', 'fourth', 'fifth'], 6]);
    },
  );

  it('that cannot even cut away a half line gets it cut before anything follows', async () => {
    const { disk, files } = smallDisk();
    const store = saying(open({ files }), 'first');
    Object.assign(disk, { room: 20, truncates: false });
    store.append('a', said('second'));
    clock.advance(300);
    expect(() => lines()).toThrow();
    Object.assign(disk, { room: Infinity });
    clock.advance(5_000);
    // Nothing was joined to it.
    expect(() => lines()).toThrow();
    Object.assign(disk, { truncates: true, slack: Infinity });
    trouble.retry();
    expect([await read(), lines().length]).toEqual([['first', 'second'], 3]);
  });

  it('while a turn runs and until the window closes: the end is missing, and nobody says “Interrupted”', async () => {
    const { disk, files } = smallDisk();
    const store = open({ files });
    store.begin(header);
    store.append('a', { type: 'turn/started', at: 1, turnId: 't1', prompt: [{ type: 'text', text: 'go' }] });
    clock.advance(300);
    Object.assign(disk, { room: 100, slack: 100 });
    store.append('a', said('x'.repeat(300)));
    store.append('a', { type: 'turn/ended', at: 2, turnId: 't1', stopReason: 'end_turn' });
    clock.advance(300);
    store.dispose();
    expect(await read()).toEqual(['userMessage', 'Messages after this were not saved: the disk is full.']);
    // The next window goes on below it.
    const next = open();
    await next.read('a');
    next.append('a', said('later'));
    next.flushSync();
    expect(await read()).toEqual(['userMessage', 'Messages after this were not saved: the disk is full.', 'later']);
  });

  it.each([
    [1_000, []],
    [9_000, ['Messages after this were not saved']],
  ])(
    'and takes not even a word about that: what the session list knows of the time %s tells',
    async (lastKnown, told) => {
      saying(open(), 'first');
      expect(titles((await open().read('a', lastKnown))!.thread)).toEqual(['first', ...told]);
    },
  );

  it('is read with what could not be written', async () => {
    const { disk, files } = smallDisk();
    const store = saying(open({ files }), 'first');
    disk.room = 0;
    store.append('a', said('second'));
    clock.advance(300);
    expect(await read(store)).toEqual(['first', 'second']);
    expect(await store.copy('a', { ...header, id: 'b' })).toBe(true);
    expect(titles((await open().read('b'))!.thread)).toEqual(['first', 'second']);
  });

  it('keeps little of long output in memory until there is room', async () => {
    const { disk, files } = smallDisk();
    const store = saying(open({ files, limits: { ...limits, waiting: 10_000 } }), 'first');
    disk.room = 0;
    for (let i = 0; i < 100; i++) {
      store.append('a', {
        type: 'toolCall/patched',
        at: 1,
        fields: { toolCallId: `c${i}`, status: 'completed', rawOutput: 'x'.repeat(1_000) },
      });
      clock.advance(300);
    }
    Object.assign(disk, { room: Infinity, slack: Infinity });
    clock.advance(5_000);
    expect((await open().read('a'))?.thread.entries.length).toBe(101);
    expect(statSync(file).size).toBeLessThan(40_000);
  });
});

it('writes later what could not be written, in its place', async () => {
  const store = open();
  mkdirSync(file);
  saying(store, 'first');
  rmdirSync(file);
  store.append('a', said('second'));
  clock.advance(300);
  expect(await read()).toEqual(['first', 'second']);
});

it('a folder that is removed is made again, and the loss is said', async () => {
  const store = saying(open(), 'first');
  const lost: string[] = [];
  store.onDidLose(({ id }) => lost.push(id));
  rmSync(folder, { recursive: true });
  store.append('a', said('second'));
  clock.advance(300);
  expect([lost, await read()]).toEqual([['a'], ['second']]);
  expect(lines()[0]).toEqual(header);
});

it('a window that closes while a turn runs says so in the file', async () => {
  const store = open();
  store.begin(header);
  store.append('a', { type: 'turn/started', at: 1, turnId: 't1', prompt: [{ type: 'text', text: 'go' }] });
  store.close(['a']);
  expect(await read()).toEqual(['userMessage', 'Interrupted: the window was closed while the agent was working']);
});

const limits: TranscriptLimits = {
  stored: { call: 1_000, session: 50_000, least: 100 },
  inMemory: 20_000,
  terminals: 4_000,
  waiting: 1_000_000,
  line: 5_000,
};
const called = (id: string, output: string, status: 'in_progress' | 'completed' = 'completed'): ThreadAction => ({
  type: 'toolCall/patched',
  at: 1,
  fields: {
    toolCallId: id,
    title: id,
    status,
    content: [{ type: 'content', content: { type: 'text', text: output } }],
  },
});
const textOf = (thread: Thread, id: string) =>
  [...thread.entries]
    .flatMap((entry) =>
      entry.kind === 'toolCall' && entry.toolCallId === id
        ? entry.content.map((item) =>
            item.type === 'content' && item.content.type === 'text' ? item.content.text : item.type,
          )
        : [],
    )
    .join();

describe('a transcript of any size', () => {
  it('is read line by line, and the oldest output is not in memory', async () => {
    // As an earlier version has written it: without limits.
    writeFileSync(
      file,
      [header, said('first'), ...Array.from({ length: 100 }, (_, i) => called(`c${i}`, `${i} `.repeat(700)))]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const { thread } = (await open({ limits }).read('a'))!;
    expect([thread.entries.length, titles(thread)[0]]).toEqual([101, 'first']);
    expect(textOf(thread, 'c0')).toBe('(output no longer in memory: 0.1 MB)');
    expect(textOf(thread, 'c99')).toBe('99 '.repeat(700));
    expect(JSON.stringify([...thread.entries]).length).toBeLessThan(60_000);
  });

  it('skips and counts what is corrupt or too long, and reads the rest', async () => {
    saying(open(), 'first');
    appendFileSync(
      file,
      `{"type":"notice/\n\u0000\u0001\n${JSON.stringify(said('x'.repeat(6_000)))}\n[]\n${JSON.stringify(said('last'))}\n`,
    );
    const stored = await open({ limits }).read('a');
    expect([titles(stored!.thread), stored?.skipped]).toEqual([
      ['first', 'last', '4 records of this conversation could not be read'],
      4,
    ]);
  });

  it('without a header is read all the same', async () => {
    writeFileSync(file, `garbage\n${JSON.stringify(said('first'))}\n`);
    const stored = await open().read('a');
    expect([stored?.header?.cwd, titles(stored!.thread), stored?.skipped]).toEqual([
      '/p',
      ['first', '1 record of this conversation could not be read'],
      1,
    ]);
    writeFileSync(file, '');
    expect((await open().read('a'))?.header?.cwd).toBe('/p');
  });

  it('has limits for the output of a call, and says how much was cut', async () => {
    const store = saying(open({ limits }), 'first');
    for (let i = 1; i <= 20; i++) {
      store.append('a', called('long', `so far ${i} ${'x'.repeat(300)}`, 'in_progress'));
      clock.advance(300);
    }
    store.append('a', called('long', 'y'.repeat(400_000)));
    store.append('a', called('short', 'done'));
    clock.advance(300);
    const { thread } = (await open().read('a'))!;
    expect([textOf(thread, 'short'), textOf(thread, 'long').slice(-34)]).toEqual([
      'done',
      '\n(output not stored: 0.4 MB)\n'.padStart(34, 'y'),
    ]);
    expect(statSync(file).size).toBeLessThan(6_000);
  });

  it('has a limit for all output of a session; prompts and the beginnings of outputs are stored beyond it', async () => {
    const store = saying(open({ limits }), 'first');
    for (let i = 0; i < 200; i++) {
      store.append('a', called(`c${i}`, `${i} ${'z'.repeat(900)}`));
      clock.advance(300);
    }
    const prompt = 'p'.repeat(3_000);
    store.append('a', { type: 'turn/started', at: 1, turnId: 't', prompt: [{ type: 'text', text: prompt }] });
    clock.advance(300);
    const { thread } = (await open().read('a'))!;
    expect(textOf(thread, 'c0')).toHaveLength(902);
    expect(textOf(thread, 'c199')).toMatch(/^199 z+\n\(output not stored/);
    expect(JSON.stringify(thread.entries.at(201))).toContain(prompt);
    expect(statSync(file).size).toBeLessThan(100_000);
  });

  const terminal = (terminalId: string) => ({
    terminalId,
    firstRow: 0,
    rows: Array.from({ length: 10 }, (_, row) => [{ text: `row ${row} ${'w'.repeat(40)}` }]),
    running: false,
    canOpen: false,
  });

  it('has the newest terminals in memory', async () => {
    const store = saying(open(), 'first');
    for (let i = 0; i < 20; i++) store.terminal('a', terminal(`t${i}`));
    clock.advance(300);
    const { terminals } = (await open({ limits }).read('a'))!;
    expect([terminals.length, terminals[0]?.rows.length, terminals.at(-1)?.rows.length]).toEqual([20, 1, 10]);
  });

  it('has a terminal in memory once, however often it was stored', async () => {
    const store = saying(open(), 'first');
    for (const id of ['one', ...Array.from({ length: 20 }, () => 'two')]) store.terminal('a', terminal(id));
    clock.advance(300);
    const { terminals } = (await open({ limits }).read('a'))!;
    expect(terminals.map(({ rows }) => rows.length)).toEqual([10, 10]);
  });
});

describe('a transcript that is not there, or cannot be read', () => {
  it('is undefined only where there is none', async () => {
    expect(await open().read('a')).toBeUndefined();
    mkdirSync(file);
    await expect(open().read('a')).rejects.toThrow(UnreadableTranscript);
    await expect(open().read('a')).rejects.toThrow(`a folder is in its place. Check ${file}.`);
    rmdirSync(file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    await expect(open().read('a')).rejects.toThrow('its folder is gone');
  });

  it('is not copied by half', async () => {
    mkdirSync(file);
    await expect(open().copy('a', { ...header, id: 'b' })).rejects.toThrow();
    expect(existsSync(join(folder, 'b.ndjson'))).toBe(false);
    expect(await open().copy('none', { ...header, id: 'b' })).toBe(false);
  });
});
