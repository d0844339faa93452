import { describe, expect, it } from 'vitest';
import { maxMediaLength, maxPreviewLength } from '../../../src/protocol/attachments';
import { decodeFromWebview } from '../../../src/protocol/fromWebview';

/* The webview is not trusted: what is not exactly of the contract is nothing. */
describe('decodeFromWebview', () => {
  const ui = { draft: 'd', mentions: [{ token: '@a', path: '/a', label: 'a' }], expanded: { e1: true } };

  it.each([
    { type: 'ready' },
    { type: 'ui/changed', ui },
    { type: 'ui/changed', ui: { ...ui, scroll: { entryId: 'e1', offset: 3 } } },
    { type: 'prompt/submit', text: 'hi', mentions: [], attachments: ['a1'] },
    { type: 'attachment/add', name: 'a.png', data: 'iVBORw==' },
    {
      type: 'attachment/add',
      name: 'a.png',
      data: 'iVBORw==',
      preview: { mimeType: 'image/webp', data: 'UklG' },
      remark: '1 × 1',
      requestId: 3,
    },
    { type: 'attachment/addUris', uris: ['file:///a'] },
    { type: 'attachment/remove', id: 'x' },
    { type: 'attachment/removeSent' },
    { type: 'attachment/open', id: 'x' },
    { type: 'image/refused', requestId: 3, reason: 'a.heic cannot be converted.' },
    { type: 'context/add', source: 'problems' },
    { type: 'permission/select', requestId: 'p1', optionId: '' },
    { type: 'permission/addRule', requestId: 'p1' },
    { type: 'permission/showOptions', requestId: 'p1' },
    { type: 'permission/disableRule', entryId: 'e1' },
    { type: 'elicitation/submit', requestId: 'q1', values: { a: 'text', b: true, c: ['x', ''] } },
    { type: 'elicitation/open', requestId: 'q1' },
    { type: 'elicitation/decline', requestId: 'q1' },
    { type: 'elicitation/cancel', requestId: 'q1' },
    { type: 'ui/changed', ui: { ...ui, forms: { q1: { a: 'half' } } } },
    { type: 'option/set', key: 'config:model', value: '' },
    { type: 'option/set', key: 'config:fast', value: false },
    { type: 'option/favorite', key: 'config:model', value: 'a', isFavorite: true },
    { type: 'optionProblem/dismiss' },
    { type: 'signIn/choose', requestId: 's1', methodId: '' },
    { type: 'signIn/act', requestId: 's1', act: 'run' },
    { type: 'notice/act', action: 'retry' },
    { type: 'usage/dismiss', label: '5-hour limit' },
    { type: 'usage/dismiss', label: 'Weekly limit', resetsAt: 1_795_226_400_000 },
    { type: 'location/open', path: '/a', line: 3 },
    { type: 'location/open', path: '/a', line: 3, column: 2 },
    { type: 'snippet/query', queryId: 1, path: '/a', texts: ['a', 'b'] },
    { type: 'paths/query', paths: ['a.ts', 'b/c.ts'] },
    { type: 'symbol/open', names: [] },
    { type: 'symbol/open', names: ['parseExpr', 'Foo.bar()'] },
    { type: 'prompt/pick' },
    { type: 'code/newFile', text: 'a', language: 'ts' },
    { type: 'code/save', text: 'a', info: 'ts src/a.ts' },
    { type: 'plan/open', requestId: 'r' },
    { type: 'permission/openDiff', requestId: 'r', path: '/w/a.ts' },
    { type: 'list/open', list: 'plan' },
    { type: 'list/open', list: 'content', entryId: 'e1' },
    { type: 'diff/open', entryId: 'e1', index: 0 },
    { type: 'change/undo' },
    { type: 'change/undo', path: '/a' },
    { type: 'change/resolve', path: '/a', choice: 'both' },
    { type: 'sessions/show', key: 'a' },
    { type: 'sessions/search', text: 'parser' },
    { type: 'sessions/showHit', id: '0' },
    { type: 'sessions/act', act: 'archive', keys: ['a', 'b'] },
    { type: 'sessions/undoDelete' },
    { type: 'files/query', queryId: 1, text: '' },
    { type: 'focus/changed', focused: true },
  ])('takes $type as it is', (message) => expect(decodeFromWebview(message)).toEqual(message));

  it('drops fields that are not of the contract', () => {
    expect(decodeFromWebview({ type: 'ready', command: 'rm' })).toEqual({ type: 'ready' });
    expect(
      decodeFromWebview({
        type: 'ui/changed',
        ui: { ...ui, expanded: { a: 'yes', b: false }, scroll: { entryId: 1 }, x: 1 },
      }),
    ).toEqual({ type: 'ui/changed', ui: { ...ui, expanded: { b: false } } });
    expect(decodeFromWebview({ type: 'location/open', path: '/a', line: -1 })).toEqual({
      type: 'location/open',
      path: '/a',
    });
  });

  it.each([
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'toString' },
    { type: 'command/run', id: 'x' },
    { type: 'sessions/act', act: 'toString', keys: ['a'] },
    { type: 'sessions/act', act: 'delete', keys: 'a' },
    { type: 'sessions/act', act: 'delete', keys: [1] },
    { type: 'prompt/submit', text: 'hi', mentions: [] },
    { type: 'prompt/submit', text: 1, mentions: [], attachments: [] },
    { type: 'prompt/submit', text: 'x'.repeat(1_000_001), mentions: [], attachments: [] },
    { type: 'prompt/submit', text: 'hi', mentions: [], attachments: Array.from({ length: 31 }, String) },
    { type: 'prompt/submit', text: 'hi', mentions: [], attachments: [{ path: '/etc/passwd' }] },
    { type: 'prompt/submit', text: 'hi', mentions: [{ path: '/a' }], attachments: [] },
    { type: 'signIn/choose', requestId: 's1' },
    { type: 'signIn/act', requestId: 's1', act: 'authenticate' },
    { type: 'signIn/act', act: 'run' },
    { type: 'permission/select', requestId: 'p1' },
    { type: 'elicitation/submit', requestId: 'q1' },
    { type: 'elicitation/submit', requestId: 'q1', values: [] },
    { type: 'elicitation/submit', requestId: 'q1', values: { a: 1 } },
    { type: 'elicitation/submit', requestId: 'q1', values: { a: [1] } },
    { type: 'elicitation/submit', requestId: 'q1', values: { a: { toString: 'x' } } },
    { type: 'elicitation/submit', requestId: 'q1', values: { a: 'x'.repeat(1_000_001) } },
    { type: 'elicitation/submit', values: {} },
    { type: 'elicitation/open' },
    { type: 'option/set', key: 'config:model' },
    { type: 'option/set', key: 'config:model', value: 1 },
    { type: 'option/set', value: 'a' },
    { type: 'option/favorite', key: 'config:model', isFavorite: true },
    { type: 'focus/changed' },
    { type: 'notice/act', action: 'deleteEverything' },
    { type: 'list/open', list: 'plan', entryId: 'e1' },
    { type: 'list/open', list: 'locations' },
    { type: 'symbol/open' },
    { type: 'symbol/open', names: ['rm -rf'] },
    { type: 'symbol/open', names: [1] },
    { type: 'symbol/open', names: Array.from({ length: 101 }, () => 'a') },
    { type: 'list/open', list: 'other', entryId: 'e1' },
    { type: 'diff/open', entryId: 'e1', index: -1 },
    { type: 'diff/open', entryId: 'e1', index: 1.5 },
    // A malformed path must not turn into "all changes".
    { type: 'change/undo', path: 7 },
    { type: 'change/keep', path: null },
    { type: 'change/resolve', choice: 'mine' },
    { type: 'change/resolve', path: '/a', choice: 'before' },
    { type: 'ui/changed', ui: { draft: 1 } },
    { type: 'attachment/add', name: '', data: 'AAAA' },
    { type: 'attachment/add', name: 'a', data: '' },
    { type: 'attachment/add', name: 'a', data: '<svg>' },
    { type: 'attachment/add', name: 'a', data: 'AAAA', requestId: 'x' },
    { type: 'attachment/add', name: 'x'.repeat(256), data: 'AAAA' },
    { type: 'attachment/addUris', uris: Array.from({ length: 201 }, () => 'file:///a') },
    { type: 'attachment/addUris', uris: 'file:///a' },
    { type: 'attachment/remove' },
    { type: 'image/refused', requestId: 1.5, reason: '' },
    { type: 'context/add', source: 'clipboard' },
  ])('refuses %j', (message) => expect(decodeFromWebview(message)).toBeUndefined());

  it('an attachment has the size that was agreed on, and keeps no preview that is none', () => {
    const add = (data: string, preview?: unknown) =>
      decodeFromWebview({ type: 'attachment/add', name: 'a', data, ...(preview ? { preview } : {}) });
    expect(add('A'.repeat(maxMediaLength))).toBeDefined();
    expect(add('A'.repeat(maxMediaLength + 1))).toBeUndefined();
    for (const preview of [
      { mimeType: 'image/svg+xml', data: 'AAAA' },
      { mimeType: 'image/png', data: 'A'.repeat(maxPreviewLength + 1) },
      'AAAA',
      { data: 'AAAA' },
    ]) {
      expect(add('AAAA', preview)).toEqual({ type: 'attachment/add', name: 'a', data: 'AAAA' });
    }
  });
});
