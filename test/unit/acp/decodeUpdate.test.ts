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
  ])('%j', (fields, expected) =>
    expect(decoded({ sessionUpdate: 'session_info_update', ...fields })).toEqual(expected),
  );
});

describe('PromptResponse.usage', () => {
  it.each<[unknown, unknown]>([
    [
      { totalTokens: 3, inputTokens: 2, outputTokens: 1 },
      { totalTokens: 3, inputTokens: 2, outputTokens: 1 },
    ],
    [
      {
        totalTokens: 3,
        inputTokens: 2,
        outputTokens: 1,
        thoughtTokens: null,
        cachedReadTokens: 1,
        cachedWriteTokens: 'x',
        _meta: {},
      },
      { totalTokens: 3, inputTokens: 2, outputTokens: 1, cachedReadTokens: 1 },
    ],
    [{ totalTokens: 3, inputTokens: 2 }, undefined],
    [{ totalTokens: -3, inputTokens: 2, outputTokens: 1 }, undefined],
    [null, undefined],
    ['much', undefined],
  ])('%j', (raw, expected) => expect(decodeTurnUsage(raw)).toEqual(expected));
});

/* Not stable in v1. Parley does not ask for it, so that agents that can send the same in a stable way do that. */
describe('plan_update', () => {
  const plan = (fields: object) => decodeUpdate({ sessionUpdate: 'plan_update', plan: { planId: 'p', ...fields } });
  it.each<[object, unknown]>([
    [
      { type: 'items', entries: [{ content: 'one', status: 'in_progress', priority: 'low' }, 7] },
      { type: 'plan', planId: 'p', entries: [{ content: 'one', status: 'in_progress', priority: 'low' }] },
    ],
    [
      { type: 'markdown', content: '# Plan' },
      { type: 'message', role: 'agent', messageId: 'plan p', content: [{ type: 'text', text: '# Plan' }] },
    ],
    [{ type: '_chart' }, { type: 'plan', planId: 'p', entries: [] }],
    [{ type: 'markdown' }, { type: 'plan', planId: 'p', entries: [] }],
    [{ planId: 7, type: 'items' }, undefined],
    [{}, undefined],
  ])('%j', (fields, value) => expect(plan(fields).value).toEqual(value));

  it('in a file is a link to it, and a removed one is empty', () => {
    expect(plan({ type: 'file', uri: 'file:///w/plan.md' }).value).toMatchObject({
      type: 'message',
      content: [{ type: 'resource_link', uri: 'file:///w/plan.md' }],
    });
    expect(decodeUpdate({ sessionUpdate: 'plan_removed', planId: 'p' }).value).toEqual({
      type: 'plan',
      planId: 'p',
      entries: [],
    });
    expect(decodeUpdate({ sessionUpdate: 'plan_removed' }).value).toBeUndefined();
  });
});

describe('115 an unknown update', () => {
  it.each(['future_thing', '_vendor_x', 'async_task_spawned'])(
    '%s changes nothing and leaves one line',
    (sessionUpdate) => {
      expect(decodeUpdate({ sessionUpdate })).toEqual({
        value: { type: 'other', tag: sessionUpdate },
        issues: [`unknown update ${sessionUpdate}`],
      });
    },
  );
});

describe('106 commands', () => {
  it.each<[names: string[], shown: string[]]>([
    [
      ['/help', '//twice', ' / plan '],
      ['help', 'twice', 'plan'],
    ],
    [
      ['dup', '/dup', 'other', 'dup'],
      ['dup', 'other'],
    ],
    [
      ['mcp:server:tool', 'front end', '', '/'],
      ['mcp:server:tool', 'front end'],
    ],
  ])('%j are known as %j', (names, shown) => {
    const value = decoded({
      sessionUpdate: 'available_commands_update',
      availableCommands: names.map((name) => ({ name, description: '' })),
    });
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
    [
      'an address with data in a source',
      { type: 'image', source: { type: 'url', url: `data:image/png;charset=x;base64,${data}` } },
      image,
    ],
    ['an image_url', { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }, image],
    ['an input_image', { type: 'input_image', image_url: `data:image/png;base64,${data}` }, image],
    ['the name of another library', { type: 'image', image: data, mediaType: 'image/png' }, image],
    ['an address with data as the image', { type: 'image', image: `data:image/png;base64,${data}` }, image],
    ['an image within', { type: 'image', image: { format: 'png', bytes: data } }, image],
    ['inline data', { type: 'image', inlineData: { mimeType: 'image/png', data } }, image],
    ['media', { type: 'media', data, mediaType: 'image/png' }, image],
    [
      'media that is no image is named',
      { type: 'media', data: 'AAAA', mediaType: 'video/mp4' },
      { type: 'unknown', kind: 'media' },
    ],
    [
      'an address elsewhere is named',
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'unknown', kind: 'image' },
    ],
    ['no data is named', { type: 'image', mimeType: 'image/png' }, { type: 'unknown', kind: 'image' }],
    ['no known type is named', { type: 'image', data: 'AAAA' }, { type: 'unknown', kind: 'image' }],
    [
      'line breaks in the data',
      { type: 'image', data: `${data.slice(0, 8)}\r\n${data.slice(8)}`, mimeType: 'image/png' },
      image,
    ],
    ['an empty type', { type: 'image', data, mimeType: '' }, image],
    ['only the end of a type', { type: 'image', data, mimeType: 'png' }, image],
    ['a format', { type: 'image', data, format: 'jpg' }, { ...image, mimeType: 'image/jpeg' }],
    ['a url', { type: 'image', url: `data:image/png;base64,${data}` }, image],
    ['a file', { type: 'file', data, mediaType: 'image/png' }, image],
    ['a file within', { type: 'image', file: { base64: data, type: 'image/png' } }, image],
    [
      'a resource',
      { type: 'resource', resource: { uri: 'a.png', mimeType: 'image/png', blob: data } },
      { ...image, uri: 'a.png' },
    ],
    ['a link with data', { type: 'resource_link', uri: `data:image/png;base64,${data}`, name: 'a' }, image],
    [
      'no data but an address is named',
      { type: 'image', data: '', mimeType: 'image/png', uri: 'file:///a.png' },
      { type: 'unknown', kind: 'image' },
    ],
    [
      'a sound',
      { type: 'audio', source: { data: 'AAAA', mime_type: 'audio/wav' } },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ],
  ])('%s', (_, raw, block) => expect(decodeContentBlock(raw)).toEqual(block));
});

describe('text blocks however they are spelled', () => {
  const text = { type: 'text', text: 'a' };
  it.each<[unknown, unknown]>([
    ['a', text],
    [{ text: 'a' }, text],
    [{ type: 'text', content: 'a' }, text],
    [{ type: 'output_text', text: 'a' }, text],
    [{ type: 'future', text: 'a' }, text],
    [{ type: 'future' }, { type: 'unknown', kind: 'future' }],
    [{ type: 'text', text: null }, undefined],
    [
      { type: 'resource', uri: 'u', text: 'a' },
      { type: 'resource', resource: { uri: 'u', text: 'a' } },
    ],
    [5, undefined],
    [{}, undefined],
  ])('%j', (raw, block) => expect(decodeContentBlock(raw)).toEqual(block));

  it.each<[object]>([[{ content: 'ab' }], [{ content: [{ type: 'text', text: 'a' }, 'b'] }], [{ text: 'ab' }]])(
    'a chunk of %j',
    (fields) => {
      expect(decoded({ sessionUpdate: 'agent_message_chunk', ...fields })).toEqual({
        type: 'chunk',
        role: 'agent',
        content: { type: 'text', text: 'ab' },
      });
    },
  );
});

describe('tool calls however they are spelled', () => {
  const fieldsOf = (fields: object) => {
    const value = decoded({ sessionUpdate: 'tool_call', toolCallId: 'a', ...fields });
    return value?.type === 'toolCall' ? value.fields : undefined;
  };
  const said = { type: 'content', content: { type: 'text', text: 'x' } };

  it.each<[object, string]>([
    [{ toolCallId: 0 }, '0'],
    [{ toolCallId: 7 }, '7'],
    [{ toolCallId: '' }, ''],
  ])('%j is an id', (fields, id) => expect(fieldsOf(fields)?.toolCallId).toBe(id));
  it('a message has a number as its id', () =>
    expect(
      decoded({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' }, messageId: 5 }),
    ).toMatchObject({ messageId: '5' }));
  it('a title that is only the input becomes the name of the tool', () => {
    const call = { toolCallId: 'a', title: '{"symbol":"a"}', rawInput: { symbol: 'a' } };
    expect(fieldsOf({ ...call, _meta: { toolName: 'mcp__vscode__hover' } })).toMatchObject({
      title: 'mcp__vscode__hover',
    });
    expect(fieldsOf(call)).toMatchObject({ title: '{"symbol":"a"}' });
    const other = { ...call, rawInput: { symbol: 'b' }, _meta: { toolName: 'mcp__vscode__hover' } };
    expect(fieldsOf(other)).toMatchObject({ title: '{"symbol":"a"}' });
  });

  it.each(['', ' \n', 'undefined', 'null', 'None'])('the title %j is none', (title) =>
    expect(fieldsOf({ title })).not.toHaveProperty('title'),
  );

  it('no id is none', () => expect(fieldsOf({ toolCallId: null })).toBeUndefined());

  it.each([
    ['success', 'completed'],
    ['succeeded', 'completed'],
    ['done', 'completed'],
    ['COMPLETED', 'completed'],
    ['error', 'failed'],
    ['Failed', 'failed'],
    ['timed_out', 'failed'],
    ['denied', 'failed'],
    ['running', 'in_progress'],
    ['inProgress', 'in_progress'],
    ['in-progress', 'in_progress'],
    ['queued', 'pending'],
    ['canceled', 'cancelled'],
    ['aborted', 'cancelled'],
    ['killed', 'cancelled'],
    ['expired', 'failed'],
    ['awaiting_approval', 'pending'],
    ['something', undefined],
    [3, undefined],
    [null, undefined],
  ])('the status %j is %j', (status, expected) => expect(fieldsOf({ status })?.status).toBe(expected));

  it.each<[unknown, unknown]>([
    ['x', [said]],
    [['x'], [said]],
    [{ type: 'text', text: 'x' }, [said]],
    [said, [said]],
    [[{ type: 'content', content: 'x' }], [said]],
    [[{ type: 'content', content: [{ type: 'text', text: 'x' }, 'x'] }], [said, said]],
    [[{ type: 'content', text: 'x' }], [said]],
    [[{ type: 'content', content: [null, 'x', 3] }], [said]],
    [[{ text: 'x' }], [said]],
    [
      ['data:image/png;base64,iVBORw0KGgo='],
      [{ type: 'content', content: { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
    ],
    [
      [{ type: 'diff', path: '/a', oldText: 'x', newText: null }],
      [{ type: 'diff', path: '/a', oldText: 'x', newText: '' }],
    ],
    [[{ type: 'diff', path: '/a', newText: null }], []],
    [
      [{ type: 'diff', path: 'file:///a%20b', newText: 'x' }],
      [{ type: 'diff', path: '/a b', oldText: null, newText: 'x' }],
    ],
    ['', undefined],
    [null, undefined],
  ])('the content %j', (content, expected) => expect(fieldsOf({ content })?.content).toEqual(expected));

  it.each<[unknown, unknown]>([
    [['/a/b.ts'], [{ path: '/a/b.ts' }]],
    [{ path: '/a', line: 3 }, [{ path: '/a', line: 3 }]],
    [[{ path: '/a', line: '12' }], [{ path: '/a', line: 12 }]],
    [[{ uri: 'file:///a' }], [{ path: '/a' }]],
    [
      ['file:///c%20d/a.ts:3', 'file:///C:/a'],
      [{ path: '/c d/a.ts:3' }, { path: 'C:/a' }],
    ],
    [[{ path: '/a', line: -1 }, {}, ''], [{ path: '/a' }]],
    [null, undefined],
  ])('the locations %j', (locations, expected) => expect(fieldsOf({ locations })?.locations).toEqual(expected));

  it.each([
    ['Read', 'read'],
    ['EXECUTE', 'execute'],
    ['switchMode', 'switch_mode'],
    ['something', undefined],
    ['', undefined],
    [7, undefined],
  ])('the kind %j is %j', (kind, expected) => expect(fieldsOf({ kind })?.kind).toBe(expected));
});

describe('a plan however it is spelled', () => {
  const step = (content: string, status = 'pending', priority = 'medium') => ({ content, status, priority });
  it.each<[unknown, unknown]>([
    [
      [
        { content: 'a', status: 'done', priority: 'high' },
        { content: 'b', status: 'inProgress' },
      ],
      [step('a', 'completed', 'high'), step('b', 'in_progress')],
    ],
    [
      [
        { step: 'a', status: 'COMPLETED', priority: 1 },
        { title: 'b', completed: true },
        'c',
        { content: { type: 'text', text: 'd' } },
      ],
      [step('a', 'completed'), step('b', 'completed'), step('c'), step('d')],
    ],
    [
      [
        { content: 'a', status: 'failed' },
        { content: 'b', status: 'skipped' },
        { content: 'c', status: 'odd' },
      ],
      [step('a', 'cancelled'), step('b', 'cancelled'), step('c')],
    ],
    [[{ content: '' }, { content: ' \n' }, {}, null], []],
    [null, []],
  ])('%j', (entries, expected) =>
    expect(decoded({ sessionUpdate: 'plan', entries })).toEqual({ type: 'plan', entries: expected }),
  );
});

describe('a list that replaces the last one', () => {
  it.each(['plan', 'available_commands_update'])('%s without it changes nothing', (sessionUpdate) => {
    const { value, issues } = decodeUpdate({ sessionUpdate });
    expect([value, issues]).toEqual([undefined, [`update ${sessionUpdate} could not be used`]]);
  });

  it('null is empty', () =>
    expect(decoded({ sessionUpdate: 'available_commands_update', availableCommands: null })).toEqual({
      type: 'commands',
      commands: [],
    }));
});

it.each(['agentMessageChunk', 'AgentMessageChunk', 'AGENT_MESSAGE_CHUNK'])('the update %s', (sessionUpdate) =>
  expect(decoded({ sessionUpdate, content: 'x' })).toMatchObject({ type: 'chunk', role: 'agent' }),
);
