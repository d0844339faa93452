import { describe, expect, it } from 'vitest';
import { decodeFromWebview } from '../../../src/protocol/decode';

/* The webview is not trusted: what is not exactly of the contract is nothing. */
describe('decodeFromWebview', () => {
  const ui = { draft: 'd', mentions: [{ token: '@a', path: '/a', label: 'a' }], expanded: { e1: true } };

  it.each([
    { type: 'ready' },
    { type: 'ui/changed', ui },
    { type: 'ui/changed', ui: { ...ui, scroll: { entryId: 'e1', offset: 3 } } },
    { type: 'prompt/submit', text: 'hi', mentions: [] },
    { type: 'permission/select', requestId: 'p1', optionId: '' },
    { type: 'notice/act', action: 'retry' },
    { type: 'location/open', path: '/a', line: 3 },
    { type: 'diff/open', entryId: 'e1', index: 0 },
    { type: 'change/undo' },
    { type: 'change/undo', path: '/a' },
    { type: 'files/query', queryId: 1, text: '' },
    { type: 'focus/changed', focused: true },
  ])('takes $type as it is', (message) => expect(decodeFromWebview(message)).toEqual(message));

  it('drops fields that are not of the contract', () => {
    expect(decodeFromWebview({ type: 'ready', command: 'rm' })).toEqual({ type: 'ready' });
    expect(decodeFromWebview({ type: 'ui/changed', ui: { ...ui, expanded: { a: 'yes', b: false }, scroll: { entryId: 1 }, x: 1 } })).toEqual({ type: 'ui/changed', ui: { ...ui, expanded: { b: false } } });
    expect(decodeFromWebview({ type: 'location/open', path: '/a', line: -1 })).toEqual({ type: 'location/open', path: '/a' });
  });

  it.each([
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'toString' },
    { type: 'command/run', id: 'x' },
    { type: 'prompt/submit', text: 'hi' },
    { type: 'prompt/submit', text: 1, mentions: [] },
    { type: 'prompt/submit', text: 'x'.repeat(1_000_001), mentions: [] },
    { type: 'prompt/submit', text: 'hi', mentions: [{ path: '/a' }] },
    { type: 'permission/select', requestId: 'p1' },
    { type: 'focus/changed' },
    { type: 'notice/act', action: 'deleteEverything' },
    { type: 'diff/open', entryId: 'e1', index: -1 },
    { type: 'diff/open', entryId: 'e1', index: 1.5 },
    // A malformed path must not turn into "all changes".
    { type: 'change/undo', path: 7 },
    { type: 'change/keep', path: null },
    { type: 'ui/changed', ui: { draft: 1 } },
  ])('refuses %j', (message) => expect(decodeFromWebview(message)).toBeUndefined());
});
