import { describe, expect, it } from 'vitest';
import type { ToolCallView, ToolKindView } from '../../../src/protocol/toolCallView';
import { formatDuration, formatElapsed, formatSize } from '../../../src/protocol/format';
import { completeTail } from '../../../webview/markdown/completeTail';
import { busyTime, foldSummary } from '../../../webview/parts/toolFold';

const call = (toolKind: ToolKindView, fields: Partial<ToolCallView> = {}): ToolCallView => ({
  kind: 'toolCall',
  id: '1',
  title: '',
  toolKind,
  status: 'completed',
  locations: [],
  content: [],
  permissions: [],
  startedAt: 0,
  ...fields,
});
const at = (path: string) => ({ locations: [{ path, label: path }] });

describe('durations and sizes', () => {
  it.each([
    [10, '0.1 s'],
    [400, '0.4 s'],
    [1000, '1 s'],
    [3400, '3.4 s'],
    [9960, '10 s'],
    [34_400, '34 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [3_780_000, '1 h 3 min'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [1999, '1 s'],
    [61_500, '1 min 1 s'],
  ])('%i ms that still run are %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });

  it.each([
    [12, '12 B'],
    [12_300, '12 KB'],
    [3_400_000, '3.4 MB'],
    [1_240_000_000, '1.2 GB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('a fold of tool calls', () => {
  it('says what was done, in the order in which it was done', () => {
    expect(foldSummary([call('read'), call('search'), call('read'), call('read')])).toBe('Read 3 files, searched once');
    expect(foldSummary([call('fetch'), call('execute'), call('execute'), call('search'), call('search')])).toBe(
      'Fetched 1 page, ran 2 commands, searched twice',
    );
  });

  it('counts a file that was read twice once', () => {
    expect(foldSummary([call('read', at('/a')), call('read', at('/a')), call('read', at('/b'))])).toBe('Read 2 files');
  });

  it('adds up time without counting parallel calls twice, and says nothing where none is known', () => {
    expect(
      busyTime([
        call('read', { startedAt: 0, durationMs: 100 }),
        call('read', { startedAt: 50, durationMs: 100 }),
        call('read', { startedAt: 1000, durationMs: 10 }),
      ]),
    ).toBe(160);
    expect(busyTime([call('read')])).toBeUndefined();
  });
});

describe('text that is still being written', () => {
  it.each([
    ['a **bold', 'a **bold**'],
    ['a **', 'a '],
    ['some `code', 'some `code`'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see [the do', 'see the do'],
    ['Title\n-', 'Title\n'],
    ['Title\n==', 'Title\n'],
    ['text\n1.', 'text\n'],
    ['done **b** and `c`', 'done **b** and `c`'],
    ['| a | b', ''],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|\n| c', '| a | b |\n|---|---|\n| c'],
    ['- [', '- ['],
    ['- [x] task', '- [x] task'],
  ])('%j shows as %j', (text, shown) => {
    expect(completeTail(text).trimEnd()).toBe(shown.trimEnd());
  });
});
