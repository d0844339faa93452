import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/thread/thread';
import {
  type FollowTarget,
  hasScrolledAway,
  isSameTarget,
  lineOf,
  revealSettlesMs,
  type ScrollState,
  targetOf,
} from '../../../src/view/follow';

type Call = Pick<ToolCall, 'toolKind' | 'locations' | 'content'>;
const call = (fields: Partial<Call>): Call => ({ toolKind: 'read', locations: [], content: [], ...fields });
const diff = (path: string, oldText: string | null = 'a\nb\n', newText = 'a\nc\n'): ToolCall['content'][number] =>
  ({ type: 'diff', path, oldText, newText }) as ToolCall['content'][number];

describe('where a call is at work', () => {
  it.each<[string, Call, FollowTarget | undefined]>([
    [
      'in the file that it names last',
      call({ locations: [{ path: '/w/a.ts' }, { path: '/w/b.ts', line: 7 }] }),
      { path: '/w/b.ts', line: 7 },
    ],
    [
      'in a relative path of the session’s folder',
      call({ locations: [{ path: 'src/a.ts', line: 1 }] }),
      { path: '/w/src/a.ts', line: 1 },
    ],
    ['in no place that only the host can find', call({ locations: [{ path: '~/a.ts' }] }), undefined],
    [
      'in the file of its diff',
      call({ toolKind: 'edit', content: [diff('/w/a.ts')] }),
      { path: '/w/a.ts', edit: { oldText: 'a\nb\n', newText: 'a\nc\n' } },
    ],
    [
      'in a file that did not exist',
      call({ toolKind: 'edit', content: [diff('/w/a.ts', null, 'x')] }),
      { path: '/w/a.ts', edit: { oldText: '', newText: 'x' } },
    ],
    [
      'at its location, with the edit there',
      call({ toolKind: 'edit', locations: [{ path: '/w/a.ts', line: 3 }], content: [diff('a.ts')] }),
      { path: '/w/a.ts', line: 3, edit: { oldText: 'a\nb\n', newText: 'a\nc\n' } },
    ],
    [
      'not in the diff of another file',
      call({ toolKind: 'edit', locations: [{ path: '/w/b.ts' }], content: [diff('/w/a.ts')] }),
      { path: '/w/b.ts' },
    ],
    ['where no line is told', call({ locations: [{ path: '/w/a.ts', line: null }] }), { path: '/w/a.ts' }],
    ['at the first line of a range', call({ locations: [{ path: '/w/a.ts:10-20' }] }), { path: '/w/a.ts', line: 10 }],
    ['in the last of several in one', call({ locations: [{ path: '/w/a.ts:1-5; /w/b.ts' }] }), { path: '/w/b.ts' }],
    ['nowhere, for a pattern', call({ locations: [{ path: '/w/src/**/*.ts' }] }), undefined],
    ['nowhere, for a path of another system', call({ locations: [{ path: 'C:\\proj\\a.c:1-220' }] }), undefined],
    ['nowhere', call({}), undefined],
    ['nowhere, for an empty path', call({ locations: [{ path: '' }] }), undefined],
    ['nowhere, for a search', call({ toolKind: 'search', locations: [{ path: '/w/a.ts' }] }), undefined],
    ['nowhere, for a command', call({ toolKind: 'execute', locations: [{ path: '/w' }] }), undefined],
    ['nowhere, for a file that goes', call({ toolKind: 'delete', locations: [{ path: '/w/a.ts' }] }), undefined],
  ])('%s', (_, one, target) => {
    expect(targetOf(one, '/w')).toEqual(target);
  });

  it('is the same place as long as path, line and text are', () => {
    const target = targetOf(
      call({ toolKind: 'edit', locations: [{ path: '/w/a.ts', line: 3 }], content: [diff('/w/a.ts')] }),
      '/w',
    )!;
    expect(isSameTarget(undefined, target)).toBe(false);
    expect(isSameTarget({ ...target }, target)).toBe(true);
    expect(isSameTarget({ ...target, line: 4 }, target)).toBe(false);
    expect(isSameTarget({ path: target.path, line: 3 }, target)).toBe(false);
  });
});

describe('the line that is shown', () => {
  const text = 'one\ntwo\nthree\nfour\n';
  it.each<[string, FollowTarget, string, number]>([
    ['is the one that the agent tells', { path: 'a', line: 9, edit: { oldText: 'x', newText: 'y' } }, text, 9],
    [
      'is the first that an edit of the whole file changed',
      { path: 'a', edit: { oldText: 'one\n2\nthree\nfour\n', newText: text } },
      text,
      2,
    ],
    [
      'is where a snippet has come to stand',
      { path: 'a', edit: { oldText: 'two\n3', newText: 'two\nthree' } },
      text,
      3,
    ],
    ['is where a snippet still stands', { path: 'a', edit: { oldText: 'two\nthree', newText: 'two\nTHREE' } }, text, 3],
    ['is a guess where neither stands there', { path: 'a', edit: { oldText: 'p\nq', newText: 'p\nr' } }, text, 2],
    ['is the first of a new file', { path: 'a', edit: { oldText: '', newText: text } }, text, 1],
    ['is the first else', { path: 'a' }, text, 1],
    [
      'is found in a file of Windows',
      { path: 'a', edit: { oldText: 'two\nthree', newText: 'two\n3' } },
      'one\r\ntwo\r\n3\r\n',
      3,
    ],
    [
      'is found in a file of Windows by the text before',
      { path: 'a', edit: { oldText: 'two\r\nthree', newText: 'two\r\n3' } },
      'one\ntwo\nthree\n',
      3,
    ],
  ])('%s', (_, target, stands, line) => {
    expect(lineOf(target, stands)).toBe(line);
  });
});

describe('scrolling', () => {
  const later = 10_000;
  const state = (fields: Partial<ScrollState>): ScrollState => ({
    now: later,
    shownAt: 0,
    changedAt: 0,
    line: 50,
    visible: [[1, 20]],
    ...fields,
  });
  it.each<[string, Partial<ScrollState>, boolean]>([
    ['away from the place is the user’s wish', {}, true],
    ['within sight of it is nothing', { visible: [[40, 60]] }, false],
    [
      'with the place in another visible range is nothing',
      {
        visible: [
          [1, 10],
          [50, 60],
        ],
      },
      false,
    ],
    ['just after it was shown is our own', { shownAt: later - revealSettlesMs + 1 }, false],
    ['just after the text changed may be the edit', { changedAt: later - revealSettlesMs + 1 }, false],
    ['of an editor that shows nothing yet is nothing', { visible: [] }, false],
  ])('%s', (_, fields, away) => {
    expect(hasScrolledAway(state(fields))).toBe(away);
  });
});
