import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TranscriptStore } from '../../../../src/host/sessions/transcriptStore';
import { silentLogger } from '../../../../src/base/log';
import type { ThreadAction } from '../../../../src/thread/actions';
import { FakeClock } from '../../../fakes/fakeClock';

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
  clock = new FakeClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => new TranscriptStore(folder, clock, silentLogger);
const said = (text: string): ThreadAction => ({ type: 'notice/added', at: 1, severity: 'info', title: text, actions: [] });
const titles = (actions: readonly ThreadAction[] = []) => actions.map((action) => action.type === 'notice/added' && action.title);

it('keeps the order of what was said when the window ends just after a write has begun', async () => {
  const store = open();
  store.begin({ version: 1, id: 'a', agent: 'Agent', cwd: '/p', createdAt: 1 });
  store.append('a', said('first'));
  clock.advance(300);
  store.append('a', said('second'));
  store.flushSync();
  // Here the host may end: nothing is waited for.
  const lines = readFileSync(join(folder, 'a.ndjson'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as ThreadAction);
  expect(titles(lines.slice(1))).toEqual(['first', 'second']);
  expect(titles((await open().read('a'))?.actions)).toEqual(['first', 'second']);
});

it('loses no line to one that a crash has cut off', async () => {
  const store = open();
  store.begin({ version: 1, id: 'a', agent: 'Agent', cwd: '/p', createdAt: 1 });
  store.append('a', said('whole'));
  store.append('a', { ...said('cut'), at: 2 });
  store.flushSync();
  const file = join(folder, 'a.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -10));
  const next = open();
  expect(titles((await next.read('a'))?.actions)).toEqual(['whole']);
  next.append('a', said('typed after the crash'));
  next.flushSync();
  expect(titles((await open().read('a'))?.actions)).toEqual(['whole', 'typed after the crash']);
});

it('writes later what could not be written, in its place', async () => {
  const store = open();
  const file = join(folder, 'a.ndjson');
  mkdirSync(file);
  store.begin({ version: 1, id: 'a', agent: 'Agent', cwd: '/p', createdAt: 1 });
  store.append('a', said('first'));
  clock.advance(300);
  rmdirSync(file);
  store.append('a', said('second'));
  clock.advance(300);
  expect(titles((await open().read('a'))?.actions)).toEqual(['first', 'second']);
});
