import { describe, expect, it } from 'vitest';
import { decodeContentBlock } from '../../../src/acp/decodeContent';
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

describe('106 commands', () => {
  it.each<[names: string[], shown: string[]]>([
    [['/help', '//twice', ' / plan '], ['help', 'twice', 'plan']],
    [['dup', '/dup', 'other', 'dup'], ['dup', 'other']],
    [['mcp:server:tool', 'front end', '', '/'], ['mcp:server:tool', 'front end']],
  ])('%j are known as %j', (names, shown) => {
    const value = decoded({ sessionUpdate: 'available_commands_update', availableCommands: names.map((name) => ({ name, description: '' })) });
    expect(value?.type === 'commands' && value.commands.map(({ name }) => name)).toEqual(shown);
  });
});

describe('images however they are spelled', () => {
  const data = 'iVBORw0KGgoAAAA';
  const image = { type: 'image', data, mimeType: 'image/png' };
  it.each<[string, object, object | undefined]>([
    ['as in the schema', { ...image, uri: 'file:///a.png' }, { ...image, uri: 'file:///a.png' }],
    ['a source', { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }, image],
    ['other names of the type', { type: 'image', data, media_type: 'image/png' }, image],
    ['no type', { type: 'image', data }, image],
    ['an address with data', { type: 'image', data: `data:image/png;base64,${data}` }, image],
    ['an address with data in a source', { type: 'image', source: { type: 'url', url: `data:image/png;charset=x;base64,${data}` } }, image],
    ['an image_url', { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }, image],
    ['an input_image', { type: 'input_image', image_url: `data:image/png;base64,${data}` }, image],
    ['the name of another library', { type: 'image', image: data, mediaType: 'image/png' }, image],
    ['an address with data as the image', { type: 'image', image: `data:image/png;base64,${data}` }, image],
    ['an image within', { type: 'image', image: { format: 'png', bytes: data } }, image],
    ['inline data', { type: 'image', inlineData: { mimeType: 'image/png', data } }, image],
    ['media', { type: 'media', data, mediaType: 'image/png' }, image],
    ['media that is no image is named', { type: 'media', data: 'AAAA', mediaType: 'video/mp4' }, { type: 'unknown', kind: 'media' }],
    ['an address elsewhere is named', { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }, { type: 'unknown', kind: 'image' }],
    ['no data is named', { type: 'image', mimeType: 'image/png' }, { type: 'unknown', kind: 'image' }],
    ['no known type is named', { type: 'image', data: 'AAAA' }, { type: 'unknown', kind: 'image' }],
    ['a sound', { type: 'audio', source: { data: 'AAAA', mime_type: 'audio/wav' } }, { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
  ])('%s', (_, raw, block) => expect(decodeContentBlock(raw)).toEqual(block));
});
