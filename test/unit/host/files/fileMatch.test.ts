import { describe, expect, it } from 'vitest';
import { matchPaths, pathList } from '../../../../src/host/files/fileMatch';
import { Random } from '../../../fakes/random';
import { workTime } from '../../../fakes/workTime';

const files = [
  'src/host/sessions/sessionService.ts',
  'src/thread/session.ts',
  'test/session/data.json',
  'docs/obsession.md',
  'src/views/setup/ion.ts',
  'README.md',
  'src/thread/reducer.ts',
];
const folders = ['src', 'src/thread', 'test/session'];
const list = pathList([...files, ...folders], files.length);
const find = (query: string, limit = 20) => matchPaths(list, query, limit).map((index) => list.paths[index]);

describe('files for what was typed after @', () => {
  it.each<[law: string, query: string, first: readonly string[]]>([
    [
      'a whole name first, then a name that starts so, then inside, then in the path',
      'session',
      [
        'src/thread/session.ts',
        'test/session',
        'src/host/sessions/sessionService.ts',
        'docs/obsession.md',
        'test/session/data.json',
      ],
    ],
    ['case does not matter', 'readme', ['README.md']],
    ['letters in order are enough', 'sesserv', ['src/host/sessions/sessionService.ts']],
    ['capitals begin words', 'service', ['src/host/sessions/sessionService.ts']],
    ['a path can be typed', 'thread/red', ['src/thread/reducer.ts']],
    ['also with backslashes', 'thread\\red', ['src/thread/reducer.ts']],
    ['words may come in any order', 'ts thread sess', ['src/thread/session.ts']],
    ['what does not occur is not found', 'sessionx', []],
    ['nothing typed finds nothing', '  ', []],
  ])('%s', (_law, query, first) => {
    expect(find(query).slice(0, first.length)).toEqual(first);
    if (first.length === 0) expect(find(query)).toEqual([]);
  });

  it('folders come with the files and say what they are', () => {
    const [index] = matchPaths(list, 'thread', 1);
    expect([list.paths[index!], list.isFolder(index!)]).toEqual(['src/thread', true]);
  });

  it('what the user uses comes first among equals', () => {
    expect(matchPaths(list, 'ts', 1, new Map([[6, 200]])).map((index) => list.paths[index])).toEqual([
      'src/thread/reducer.ts',
    ]);
  });

  it('answers for 100,000 files', () => {
    const random = new Random(1);
    const word = () => random.pick(['src', 'session', 'thread', 'view', 'host', 'render', 'token', 'util', 'client']);
    const many = Array.from(
      { length: 100_000 },
      (_, i) => `${Array.from({ length: 1 + random.below(5) }, word).join('/')}/${word()}${i}.ts`,
    );
    const large = pathList(many, many.length);
    matchPaths(large, 'warm', 50);
    const times = ['s', 'se', 'session', 'viewtok', 'thread/ses', 'session 999', 'zzz'].map((query) => {
      const started = workTime();
      matchPaths(large, query, 50);
      return workTime() - started;
    });
    // 7 to 16 ms on a quiet machine. This only catches what grows with more than the number of files.
    expect(times.sort((a, b) => a - b)[3]).toBeLessThan(2_000);
  });
});
