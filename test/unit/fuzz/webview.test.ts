import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFromWebview } from '../../../src/protocol/fromWebview';
import type { FromWebview } from '../../../src/protocol/fromWebview';
import { anyJson, mutated, runs } from './mutations';

const samples: readonly FromWebview[] = [
  {
    type: 'ui/changed',
    ui: {
      draft: 'd',
      mentions: [{ token: '@a', path: '/a', label: 'a' }],
      expanded: { e1: true },
      scroll: { entryId: 'e1', offset: 3 },
    },
  },
  { type: 'prompt/submit', text: 'hi', mentions: [{ token: '@a', path: '/a', label: 'a' }], attachments: ['x'] },
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
  { type: 'image/refused', requestId: 3, reason: 'damaged' },
  { type: 'context/add', source: 'problems' },
  { type: 'permission/select', requestId: 'p1', optionId: 'o1' },
  { type: 'location/open', path: '/a', line: 3 },
  { type: 'diff/open', entryId: 'e1', index: 0 },
  { type: 'change/undo', path: '/a' },
  { type: 'change/resolve', path: '/a', choice: 'mine' },
  { type: 'files/query', queryId: 1, text: 'a' },
];

describe('fuzzed messages of the webview', () => {
  it('are refused or made into a message of the contract, which is taken as it is', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, mutated(samples)), (raw) => {
        const message = decodeFromWebview(raw);
        if (message) expect(decodeFromWebview(JSON.parse(JSON.stringify(message)))).toEqual(message);
      }),
      { ...runs, numRuns: 20 * runs.numRuns },
    );
  });
});
