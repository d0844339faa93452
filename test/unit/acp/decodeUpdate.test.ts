import { describe, expect, it } from 'vitest';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { decodeTurnUsage } from '../../../src/acp/decodeUsage';

const decoded = (raw: object) => decodeUpdate(raw).value;

describe('111 session_info_update', () => {
  it.each<[object, unknown]>([
    [{ title: 'A title' }, { type: 'title', title: 'A title' }],
    [{ title: null }, { type: 'title', title: undefined }],
    [{}, { type: 'other', tag: 'session_info_update' }],
    [{ updatedAt: '2026-11-20T23:56:56.141Z' }, { type: 'other', tag: 'session_info_update' }],
    [{ _meta: { codex: { threadStatus: 'idle' } } }, { type: 'other', tag: 'session_info_update' }],
    [{ title: 5 }, { type: 'other', tag: 'session_info_update' }],
  ])('%j', (fields, expected) => expect(decoded({ sessionUpdate: 'session_info_update', ...fields })).toEqual(expected));
});

describe('PromptResponse.usage', () => {
  it.each<[unknown, unknown]>([
    [{ totalTokens: 3, inputTokens: 2, outputTokens: 1 }, { totalTokens: 3, inputTokens: 2, outputTokens: 1 }],
    [
      { totalTokens: 3, inputTokens: 2, outputTokens: 1, thoughtTokens: null, cachedReadTokens: 1, cachedWriteTokens: 'x', _meta: {} },
      { totalTokens: 3, inputTokens: 2, outputTokens: 1, cachedReadTokens: 1 },
    ],
    [{ totalTokens: 3, inputTokens: 2 }, undefined],
    [{ totalTokens: -3, inputTokens: 2, outputTokens: 1 }, undefined],
    [null, undefined],
    ['much', undefined],
  ])('%j', (raw, expected) => expect(decodeTurnUsage(raw)).toEqual(expected));
});

describe('115 an unknown update', () => {
  it.each(['future_thing', '_vendor_x', 'async_task_spawned', 'subagent_update'])('%s changes nothing and leaves one line', (sessionUpdate) => {
    expect(decodeUpdate({ sessionUpdate })).toEqual({ value: { type: 'other', tag: sessionUpdate }, issues: [`unknown update ${sessionUpdate}`] });
  });
});
