import { describe, expect, it } from 'vitest';
import { decodePermissionV2 } from '../../../src/acp/v2/decodePermission';
import { decodeTerminal } from '../../../src/acp/v2/decodeTerminal';
import { decodeUpdateV2 } from '../../../src/acp/v2/decodeUpdateV2';
import { PatchParts, splitGitPatch } from '../../../src/acp/v2/gitPatch';
import { featuresOf, initializeParams, servedFeatures } from '../../../src/acp/v2/initialize';
import { configOptionsAsV1 } from '../../../src/acp/v2/respell';
import { allFeatures } from '../../../src/acp/clientFeatures';
import { ByteText } from '../../../src/node/byteText';
import { workTime } from '../../fakes/workTime';

const decoded = (raw: object) => decodeUpdateV2(raw);
const text = (words: string) => ({ type: 'text', text: words });

describe('192, 194: state_update', () => {
  it.each<[object, unknown, string[]]>([
    [{ state: 'running' }, { type: 'state', state: 'running' }, []],
    [
      { state: 'requires_action', background: 7 },
      { type: 'state', state: 'requiresAction' },
      ['background is not a list'],
    ],
    [{ state: 'running', background: [] }, { type: 'state', state: 'running', background: [] }, []],
    [
      {
        state: 'idle',
        background: [
          { type: 'terminal', terminalId: 't' },
          { type: 'tool_call', toolCallId: 'c' },
          { type: 'subagent', sessionId: 's' },
          { type: '_own/task', description: 'Watch' },
          { type: 'terminal' },
          7,
        ],
      },
      {
        type: 'state',
        state: 'idle',
        background: [
          { type: 'terminal', terminalId: 't' },
          { type: 'toolCall', toolCallId: 'c' },
          { type: 'subagent', sessionId: 's' },
          { type: 'other', description: 'Watch' },
          { type: 'other' },
          { type: 'other' },
        ],
      },
      [],
    ],
    [{ state: 'idle' }, { type: 'state', state: 'idle' }, []],
    [{ state: 'idle', stopReason: null }, { type: 'state', state: 'idle' }, []],
    [{ state: 'idle', stopReason: 7 }, { type: 'state', state: 'idle' }, []],
    [{ state: 'idle', stopReason: '_own' }, { type: 'state', state: 'idle', stopReason: '_own' }, []],
    [
      { state: 'idle', stopReason: 'error', error: { code: 1, message: 'm', data: 2 } },
      { type: 'state', state: 'idle', stopReason: 'error', error: { code: 1, message: 'm', data: 2 } },
      [],
    ],
    [
      { state: 'idle', stopReason: 'error', error: 'boom' },
      { type: 'state', state: 'idle', stopReason: 'error', error: { code: -32603, message: 'boom' } },
      [],
    ],
    [
      { state: 'idle', stopReason: 'error', error: { reason: 'boom' } },
      {
        type: 'state',
        state: 'idle',
        stopReason: 'error',
        error: { code: -32603, message: 'Internal error', data: { reason: 'boom' } },
      },
      [],
    ],
    [{ state: 'IDLE' }, { type: 'state', state: 'other' }, ['the state "IDLE" is not known and is taken for busy']],
    [
      { state: 'constructor' },
      { type: 'state', state: 'other' },
      ['the state "constructor" is not known and is taken for busy'],
    ],
    [{ state: 7 }, undefined, ['update state_update could not be used']],
  ])('%j', (fields, value, issues) =>
    expect(decoded({ sessionUpdate: 'state_update', ...fields })).toEqual({ value, issues }),
  );
});

describe('193: messages', () => {
  it.each<[object, unknown]>([
    [
      { sessionUpdate: 'agent_message', messageId: 'a' },
      { type: 'message', role: 'agent', messageId: 'a' },
    ],
    [
      { sessionUpdate: 'agent_thought', messageId: 'a', content: null },
      { type: 'message', role: 'thought', messageId: 'a', content: [] },
    ],
    [
      { sessionUpdate: 'user_message', messageId: 'a', content: [text('x'), 7, text('y')] },
      { type: 'message', role: 'user', messageId: 'a', content: [text('x'), text('y')] },
    ],
    [
      { sessionUpdate: 'agent_message', messageId: 7, content: 'x' },
      { type: 'message', role: 'agent', messageId: '7', content: [text('x')] },
    ],
    [
      { sessionUpdate: 'agent_message', messageId: 'a', content: 7 },
      { type: 'message', role: 'agent', messageId: 'a' },
    ],
    [{ sessionUpdate: 'agent_message', content: [text('x')] }, undefined],
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'a', content: { type: '_new' } },
      { type: 'messageChunk', role: 'agent', messageId: 'a', content: { type: 'unknown', kind: '_new' } },
    ],
    [{ sessionUpdate: 'agent_message_chunk', content: text('x') }, undefined],
    [
      {
        sessionUpdate: 'agent_message_chunk',
        messageId: 'a',
        content: text('x'),
        _meta: { claudeCode: { parentToolUseId: 'p' } },
      },
      { type: 'messageChunk', role: 'agent', messageId: 'a', content: text('x'), parentToolCallId: 'p' },
    ],
  ])('%j', (raw, value) => expect(decoded(raw).value).toEqual(value));
});

describe('193: terminal_update', () => {
  it.each<[object, unknown]>([
    [{}, {}],
    [
      { command: null, output: null, exitStatus: null, size: null, capabilities: null },
      { command: null, output: null, exit: null, size: null, canCancel: false },
    ],
    [
      {
        command: 'ls',
        output: { data: 'AA==' },
        exitStatus: {},
        size: { cols: 80, rows: 24 },
        capabilities: { cancel: {} },
      },
      {
        command: 'ls',
        output: 'AA==',
        exit: { exitCode: null, signal: null },
        size: { cols: 80, rows: 24 },
        canCancel: true,
      },
    ],
    [
      { command: 7, output: 'x', exitStatus: 0, size: { cols: 0, rows: 1 }, capabilities: { cancel: true } },
      { canCancel: false },
    ],
    [
      { size: { cols: 1e9, rows: 1 }, exitStatus: { exitCode: -1, signal: 7 } },
      { size: { cols: 1000, rows: 2 }, exit: { exitCode: -1, signal: null } },
    ],
  ])('%j', (fields, expected) =>
    expect(decodeTerminal({ terminalId: 't', ...fields })).toEqual({ terminalId: 't', ...(expected as object) }),
  );
});

describe('195: bytes of a terminal', () => {
  const pieces = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size).toString('base64'),
    );
  it.each([1, 2, 3, 5, 100])('a character that is cut is whole in the next piece: %d bytes each', (size) => {
    const words = 'ä€😀\u001b[1mb\u001b[0m ß';
    const decoder = new ByteText();
    expect(
      pieces(Buffer.from(words), size)
        .map((piece) => decoder.decode(piece))
        .join(''),
    ).toBe(words);
  });

  it('what is no base64 is no failure, and a snapshot begins anew', () => {
    const decoder = new ByteText();
    expect(decoder.decode('***')).toBe('');
    expect(decoder.decode(Buffer.from([0xe2]).toString('base64'))).toBe('');
    decoder.reset();
    expect(decoder.decode(Buffer.from('x').toString('base64'))).toBe('x');
  });
});

describe('200: the parts of a git patch', () => {
  const patch = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1 +1 @@',
    '--- a/not/a/name',
    '+x',
    'diff --git a/x.bin b/x.bin',
    'Binary files differ',
    'diff --git a/old b/new',
    'rename from old',
    'rename to new',
    'diff --git "a/n\\303\\244.ts" "b/n\\303\\244.ts"',
    '--- /dev/null',
    '+++ "b/n\\303\\244.ts"',
    '@@ -0,0 +1 @@',
    '+y',
    '',
  ].join('\n');
  it('are told apart by name', () => {
    expect(splitGitPatch(patch).map(({ oldPath, newPath }) => [oldPath, newPath])).toEqual([
      ['src/a.ts', 'src/a.ts'],
      ['x.bin', 'x.bin'],
      ['old', 'new'],
      ['nä.ts', 'nä.ts'],
    ]);
  });

  it.each<[string, string | undefined, RegExp | undefined]>([
    ['/w/src/a.ts', undefined, /^diff --git a\/src\/a\.ts/],
    ['C:\\w\\src\\a.ts', undefined, /^diff --git a\/src\/a\.ts/],
    ['/w/new', '/w/old', /^diff --git a\/old/],
    ['/w/nä.ts', undefined, /\+y/],
    ['/w/a.ts', undefined, undefined],
    ['/w/other', undefined, undefined],
  ])('%s', (path, oldPath, expected) => {
    const found = new PatchParts(splitGitPatch(patch)).of(path, oldPath, false);
    if (expected) expect(found).toMatch(expected);
    else expect(found).toBeUndefined();
  });

  it('one part may be about the one file, whatever it is called', () => {
    const parts = new PatchParts(splitGitPatch('--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-x\n+y\n'));
    expect(parts.of('/tmp/copy-of-it', undefined, true)).toContain('+y');
    expect(parts.of('/tmp/copy-of-it', undefined, false)).toBeUndefined();
  });

  it.each([
    '',
    'no patch',
    'diff --git ',
    `diff --git a/${'x '.repeat(200_000)} b/y`,
    '@@ -1 +1 @@\n+x',
    'diff --git a/x b/x\n'.repeat(20_000),
  ])('nothing throws, and nothing takes long', (odd) => {
    const start = workTime();
    const parts = new PatchParts(splitGitPatch(odd));
    for (let n = 0; n < 100; n++) parts.of(`/w/${n}/x`, undefined, true);
    expect(workTime() - start).toBeLessThan(10_000);
  });

  it('are found for many files of one name in bounded time', () => {
    const parts = new PatchParts(
      splitGitPatch(Array.from({ length: 3_000 }, (_, at) => `diff --git a/${at}/x b/${at}/x\n`).join('')),
    );
    const start = workTime();
    expect(parts.of('/w/7/x', undefined, false)).toContain('a/7/x');
    for (let n = 0; n < 300_000; n++) parts.of(`/w/y${n}/x`, undefined, false);
    expect(workTime() - start).toBeLessThan(10_000);
  });
});

describe('191: initialize', () => {
  it('tells nothing that is switched off, and serves no files and terminals', () => {
    const info = { name: 'n', version: '1' };
    expect(initializeParams(allFeatures, info)).toMatchObject({
      protocolVersion: 2,
      info,
      capabilities: { elicitation: { form: {}, url: {} } },
    });
    expect(servedFeatures(allFeatures)).toMatchObject({
      'fs.readTextFile': false,
      'fs.writeTextFile': false,
      terminal: false,
      'elicitation.form': true,
    });
  });

  it.each<[unknown, object]>([
    [
      null,
      { info: undefined, loadSession: false, resume: false, list: false, close: false, delete: false, authMethods: [] },
    ],
    [{ capabilities: { session: null } }, { resume: false, list: false }],
    [
      { info: { name: 'n', version: '1' }, capabilities: { session: {} } },
      {
        info: { name: 'n', version: '1' },
        loadSession: true,
        resume: true,
        list: true,
        close: true,
        delete: false,
        prompt: { image: false, audio: false, embeddedContext: false },
      },
    ],
    [
      {
        capabilities: {
          session: { prompt: { image: true, audio: {} }, delete: {}, mcp: { http: {} }, additionalDirectories: {} },
        },
      },
      {
        delete: true,
        mcp: { stdio: false, http: true, sse: false },
        additionalDirectories: true,
        prompt: { image: false, audio: true, embeddedContext: false },
      },
    ],
    [
      { authMethods: [{ type: 'terminal', methodId: 'm', name: 'M', env: [{ name: 'A', value: 'b' }] }, 7] },
      { authMethods: [expect.objectContaining({ id: 'm', name: 'M' })] },
    ],
  ])('%j', (raw, expected) => expect(featuresOf(raw)).toMatchObject(expected));
});

describe('200: permission requests', () => {
  const options = [{ optionId: 'a', name: 'A', kind: '_new' }];
  it.each<[object, object]>([
    [{}, { title: 'T', options: [{ optionId: 'a', name: 'A', kind: 'other' }] }],
    [{ description: null, subject: null }, { title: 'T' }],
    [
      { description: 'D', subject: { type: '_x' } },
      { title: 'T', description: 'D' },
    ],
    [
      { subject: { type: 'command', command: 'ls', cwd: '/w', terminalId: 't', toolCallId: 'c' } },
      { toolCall: { toolCallId: 'c' }, command: { text: 'ls', cwd: '/w', terminalId: 't' } },
    ],
  ])('%j', (fields, expected) =>
    expect(decodePermissionV2({ sessionId: 's', title: 'T', options, ...fields }, () => undefined)).toMatchObject(
      expected,
    ),
  );

  it.each([
    { title: null },
    { options: [] },
    { options: null },
    { sessionId: 7 },
    { subject: { type: 'tool_call', toolCall: null } },
    { subject: { type: 'command' } },
  ])('%j is refused', (fields) => {
    expect(() => decodePermissionV2({ sessionId: 's', title: 'T', options, ...fields }, () => undefined)).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});

it('config options: configId and groupId are those of version 1', () => {
  expect(
    configOptionsAsV1([
      {
        configId: 'm',
        name: 'M',
        type: 'select',
        options: [
          { groupId: 'g', name: 'G', options: [] },
          { value: 'v', name: 'V' },
        ],
      },
      7,
    ]),
  ).toEqual([
    {
      id: 'm',
      name: 'M',
      type: 'select',
      options: [
        { group: 'g', name: 'G', options: [] },
        { value: 'v', name: 'V' },
      ],
    },
    { id: undefined, options: undefined },
  ]);
  expect(configOptionsAsV1('x')).toBe('x');
});

it.each<[fields: object, expected: object]>([
  [
    { kind: 'Edit', status: 'IN_PROGRESS' },
    { kind: 'edit', status: 'in_progress' },
  ],
  [{ status: 'done' }, { status: 'completed' }],
  [
    { toolCallId: 7, status: 'paused' },
    { toolCallId: '7', status: 'paused' },
  ],
])('a call of %j', (fields, expected) =>
  expect(decoded({ sessionUpdate: 'tool_call_update', toolCallId: 'a', ...fields })).toMatchObject({
    value: { fields: expected },
    issues: [],
  }),
);

it('a plan however it is spelled', () =>
  expect(
    decoded({
      sessionUpdate: 'plan_update',
      plan: { type: 'items', planId: 'p', entries: [{ content: text('a'), status: 'done', priority: 'HIGH' }] },
    }).value,
  ).toEqual({ type: 'plan', planId: 'p', entries: [{ content: 'a', status: 'completed', priority: 'high' }] }));
