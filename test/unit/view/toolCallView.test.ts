import { describe, expect, it } from 'vitest';
import { diffView } from '../../../src/view/projectDiff';
import { labelOfPath, labelOfUri, resolvePath } from '../../../src/view/labels';
import { toolCallView } from '../../../src/view/projectToolCall';
import type { PermissionChoice } from '../../../src/acp/decodeRequest';
import { type SubjectFields, subjectOf } from '../../../src/permission/subject';
import type { PendingPermission, ToolCall } from '../../../src/thread/thread';
import { workTime } from '../../fakes/workTime';

const call: ToolCall = {
  kind: 'toolCall',
  id: 'e0',
  at: 1_000,
  toolCallId: 't',
  title: 'T',
  toolKind: 'execute',
  status: 'in_progress',
  content: [],
  locations: [],
  permissions: [],
};
const waiting = (fields: SubjectFields, more: Partial<PendingPermission> = {}): PendingPermission => ({
  requestId: 'p',
  revision: 0,
  changes: 0,
  subject: subjectOf(fields),
  ...more,
});
const view = (fields: Partial<ToolCall>) => toolCallView({ ...call, ...fields }, '/work');

describe('tool call view', () => {
  it.each([
    [{ command: 'npm test' }, 'npm test'],
    [{ command: ['bash', '-lc', 'npm test && echo "a b"'] }, 'npm test && echo "a b"'],
    [{ command: ['/bin/zsh', '-c', 'ls'] }, 'ls'],
    [{ command: ['git', 'commit', '-m', "it's done"] }, "git commit -m 'it'\\''s done'"],
    [{ cmd: 'ls' }, 'ls'],
    [{ command: 3 }, undefined],
    ['text', undefined],
    [undefined, undefined],
  ])('finds the command in %j', (rawInput, expected) => expect(view({ rawInput }).command).toBe(expected));

  it.each<[Partial<ToolCall>, string]>([
    [{}, 'running'],
    [{ status: 'pending' }, 'pending'],
    [{ status: 'completed' }, 'completed'],
    [{ status: 'failed' }, 'failed'],
    [{ localEnd: 'cancelled' }, 'stopped'],
    [{ status: 'failed', wasStopped: true }, 'stopped'],
    [{ status: 'cancelled', wasStopped: true }, 'stopped'],
    [{ status: 'completed', wasStopped: true }, 'completed'],
    [{ status: 'cancelled' }, 'cancelled'],
    [{ status: 'failed', notRun: 'blocked' }, 'blocked'],
    [{ status: 'failed', notRun: 'rejected' }, 'rejected'],
    [{ localEnd: 'unfinished', decision: { optionId: 'y', name: 'Yes', kind: 'allow_once' } }, 'unfinished'],
    [{ localEnd: 'unfinished' }, 'unfinished'],
    [{ permissions: [waiting({ title: 'T' })] }, 'waiting'],
    [{ status: 'failed', decision: { optionId: 'n', name: 'No', kind: 'reject_once' } }, 'rejected'],
    [{ localEnd: 'unfinished', decision: { optionId: 'n', name: 'No', kind: 'reject_always' } }, 'rejected'],
    [{ status: 'completed', decision: { optionId: 'n', name: 'No', kind: 'reject_once' } }, 'completed'],
  ])('%j is shown as %s', (fields, status) => expect(view(fields).status).toBe(status));

  it('tells what a question comes to, with the folder as a user would say it', () => {
    const assessment = {
      steps: ['a', 'b'],
      cwd: '/work/sub',
      risks: [{ kind: 'deletes', text: 'Deletes files' }],
    } as const;
    expect(view({ permissions: [waiting({ title: 'T' }, { assessment })] }).permissions).toEqual([
      {
        requestId: 'p',
        title: 'T',
        options: [],
        content: [],
        locations: [],
        steps: ['a', 'b'],
        cwd: 'sub',
        risks: assessment.risks,
      },
    ]);
  });

  it('draws a question from what was asked alone, with what is unusual before its risks', () => {
    const subject = subjectOf(
      { title: 'npm test', kind: 'execute', rawInput: { command: 'rm -rf x', pad: 'x'.repeat(20_000) } },
      { kind: 'execute', rawInput: { command: 'npm test' } },
    );
    const [shown] = view({
      title: 'Something else',
      rawInput: { command: 'ls' },
      permissions: [
        {
          requestId: 'p',
          revision: 2,
          changes: 1,
          changedFrom: 'npm ci',
          subject,
          assessment: { risks: [{ kind: 'deletes', text: 'Deletes files' }] },
        },
      ],
    }).permissions;
    expect(shown).toMatchObject({
      requestId: 'p.2',
      origin: 'p',
      title: 'npm test',
      command: 'rm -rf x',
      risks: [
        { kind: 'changed', text: expect.stringMatching(/Before: npm ci$/) },
        { kind: 'contradiction', text: 'The tool call said: npm test' },
        { kind: 'contradiction', text: expect.stringMatching(/^Also in the input: pad: "x{100}/) },
        { kind: 'deletes' },
      ],
    });
    expect(shown!.input!.length).toBeGreaterThan(20_000);
    expect(view({ permissions: [waiting({ title: 'npm test', kind: 'execute' })] }).permissions[0]).toMatchObject({
      command: 'npm test',
      isFromTitle: true,
    });
  });

  it('shows what the input says besides the command, each field with its value, as far as it can be read', () => {
    const further = {
      shell: './x/bash',
      env_vars: { LD_PRELOAD: './x.so' },
      dangerouslyDisableSandbox: true,
      timeout: 5,
      description: 'Lists',
    };
    const texts = (input: object) =>
      view({
        permissions: [waiting({ kind: 'execute', rawInput: { command: 'ls a', ...input } })],
      }).permissions[0]!.risks?.map(({ text }) => text);
    expect(texts(further)).toEqual([
      'Also in the input: shell: "./x/bash"',
      'Also in the input: env_vars: {"LD_PRELOAD":"./x.so"}',
      'Also in the input: dangerouslyDisableSandbox: true',
    ]);
    expect(texts({ shell: 'x'.repeat(1_000) })).toEqual([
      `Also in the input: shell: "${'x'.repeat(492)}… (509 more characters)`,
    ]);
    expect(texts(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at])))).toMatchObject({
      length: 21,
      0: 'Also in the input: field0: 0',
      20: '4980 more fields are in the raw input',
    });
  });

  it('keeps what was answered where the call says something else since', () => {
    const answered = { decision: { optionId: 'y', name: 'Yes', kind: 'allow_once' }, decidedOn: 'rm -rf x' } as const;
    expect(view({ ...answered, rawInput: { command: 'ls' } })).toMatchObject({
      decidedOn: 'rm -rf x',
      decidedOnOther: true,
    });
    expect(view({ ...answered, rawInput: { command: 'rm -rf x' } })).not.toHaveProperty('decidedOnOther');
  });

  it('tells which rules answered', () => {
    const yes = { optionId: 'y', name: 'Yes', kind: 'allow_once' } as const;
    expect(view({ decision: yes }).decidedBy).toBeUndefined();
    expect(view({ decision: yes, decidedBy: ['npm test *'] }).decidedBy).toBe('Allowed by your rule “npm test *”');
    expect(view({ decision: { ...yes, kind: 'reject_once' }, decidedBy: ['a', 'b'] }).decidedBy).toBe(
      'Rejected by your rules “a”, “b”',
    );
  });

  it('compares raw output and content in bounded time', () => {
    const half = 'a'.repeat(500_000);
    const started = workTime();
    expect(
      view({
        content: [{ type: 'content', content: { type: 'text', text: 'a'.repeat(4_000_000) } }],
        rawOutput: `${half}b${half}`,
      }).output,
    ).toBeDefined();
    expect(
      view({
        content: [{ type: 'content', content: { type: 'text', text: `\`\`\`\n${half}b\n\`\`\`` } }],
        rawOutput: `${half}b`,
      }).output,
    ).toBeUndefined();
    expect(workTime() - started).toBeLessThan(10_000);
  });

  it('compares very many diffs in bounded time', () => {
    const lines = (name: string) => Array.from({ length: 6_000 }, (_, at) => `${name}${at}\n`).join('');
    const [oldText, newText] = [lines('a'), lines('b')];
    const started = workTime();
    const { content } = view({
      content: Array.from({ length: 200 }, (_, at) => ({ type: 'diff', path: `/w/${at}`, oldText, newText }) as const),
    });
    expect(content).toHaveLength(200);
    expect(workTime() - started).toBeLessThan(25_000);
  });

  it.each<[string, unknown]>([
    [
      'of a model',
      {
        content: 'Viewed image.',
        binaryResultsForLlm: [{ type: 'image', data: 'iVBORw0KGgo', mimeType: 'image/png', description: 'blue.png' }],
      },
    ],
    [
      'of an MCP server',
      {
        content: [
          { type: 'text', text: 'Viewed image.' },
          { type: 'image', data: 'iVBORw0KGgo', mimeType: 'image/png' },
        ],
      },
    ],
    [
      'of another model',
      { llmContent: { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo' } }, returnDisplay: 'Read it' },
    ],
    ['of a file', { type: 'image', file: { base64: 'iVBORw0KGgo', type: 'image/png' } }],
    ['without a kind', { data: 'iVBORw0KGgo', mimeType: 'image/png' }],
    ['in an address', { isImage: true, stdout: 'data:image/png;base64,iVBORw0KGgo' }],
    ['in a list', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo' } }]],
  ])('shows images that are only in the raw output %s, and not as text', (_, rawOutput) => {
    const shown = view({ toolKind: 'read', rawOutput });
    expect(shown.content).toContainEqual({
      type: 'content',
      content: { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo' },
    });
    expect(
      JSON.stringify([
        shown.output,
        shown.content.filter((item) => item.type === 'content' && item.content.type === 'text'),
      ]),
    ).not.toContain('iVBOR');
    const image = { type: 'image', data: 'other', mimeType: 'image/png' } as const;
    expect(view({ toolKind: 'read', rawOutput, content: [{ type: 'content', content: image }] }).content).toEqual([
      { type: 'content', content: image },
    ]);
  });

  it.each<[unknown, string]>([
    [{ filenames: ['a', 'b'], numFiles: 2 }, 'a\nb'],
    [{ items: [{ Text: 'x' }] }, 'x'],
    [{ result: { Ok: 'x' } }, 'x'],
    [{ toolResponse: { Output: 'x' } }, 'x'],
  ])('shows what a search found, however its output is spelled: %j', (rawOutput, text) => {
    expect(view({ toolKind: 'search', rawOutput }).content).toEqual([
      { type: 'content', content: { type: 'text', text, isPlain: true } },
    ]);
  });

  it('bounds raw output and does not repeat what the content says', () => {
    expect(view({ rawOutput: { more: 'x'.repeat(40_000) } }).output!.length).toBeLessThan(17_000);
    expect(
      view({ rawOutput: 'same', content: [{ type: 'content', content: { type: 'text', text: 'the same text' } }] })
        .output,
    ).toBeUndefined();
    expect(
      view({ rawOutput: { other: 1 }, content: [{ type: 'content', content: { type: 'text', text: 'text' } }] }).output,
    ).toBe('{\n  "other": 1\n}');
    expect(view({ rawInput: {} }).input).toBeUndefined();
  });

  it.each([
    ['/work/p/src/a.ts', 'src/a.ts'],
    ['work/p/src/a.ts', 'src/a.ts'],
    ['/work/p2/a.ts', '/work/p2/a.ts'],
    ['Edit /work/p/a.ts', 'Edit /work/p/a.ts'],
  ])('a title that is a path in the folder is said as one: %s', (title, shown) => {
    expect(toolCallView({ ...call, title, permissions: [waiting({ title })] }, '/work/p')).toMatchObject({
      title: shown,
      permissions: [{ title: shown }],
    });
  });

  it('JSON in one line is one value a line, in raw output and in content', () => {
    expect(view({ rawInput: '{"a":[1,2]}', rawOutput: '[{"b":1}]' })).toMatchObject({
      input: '{\n  "a": [\n    1,\n    2\n  ]\n}',
      output: '[\n  {\n    "b": 1\n  }\n]',
    });
    expect(view({ rawInput: '{"a":1', rawOutput: '[x] done' })).toMatchObject({
      input: '{"a":1',
      content: [{ output: { lines: ['[x] done'] } }],
    });
    expect(
      view({ toolKind: 'read', content: [{ type: 'content', content: { type: 'text', text: '{"a":1}' } }] }).content,
    ).toEqual([{ type: 'content', content: { type: 'text', text: '```json\n{\n  "a": 1\n}\n```' } }]);
  });

  describe('what a command says without a terminal', () => {
    const says = (text: string, fields: Partial<ToolCall> = {}) => {
      const [item] = view({ content: [{ type: 'content', content: { type: 'text', text } }], ...fields }).content;
      return item?.type === 'terminal' ? item.output : undefined;
    };

    it('is shown as it is', () => {
      expect(says('a\nb\n')).toEqual({ lines: ['a', 'b'], firstLine: 0 });
      expect(says('```console\n# a\n\n* b\n```')).toEqual({ lines: ['# a', '', '* b'], firstLine: 0 });
      expect(says('\u001b[31mred\u001b[0m\r\n10%\r100%')).toEqual({ lines: ['red', '100%'], firstLine: 0 });
      expect(says('10%\r50%\r')).toEqual({ lines: ['50%'], firstLine: 0 });
      expect(says('x', { toolKind: 'read' })).toBeUndefined();
    });

    it.each([
      [{ exitCode: 1 }, { exitCode: 1 }],
      [{ metadata: { exit_code: 0 } }, { exitCode: 0 }],
      [{ result: { data: { exitCode: 3 } }, success: false }, { exitCode: 3 }],
      [{ success: false }, { failed: true }],
      [{ success: true }, {}],
      [{ exitCode: '1' }, { exitCode: 1 }],
      [{ exitCode: 'one' }, {}],
      [{ items: [{ Json: { exit_status: 'exit status: 2', stdout: 'a' } }] }, { exitCode: 2 }],
      [{ status: 'exited(3)' }, { exitCode: 3 }],
      [{ status: 3 }, {}],
      [{ rc: 3 }, { exitCode: 3 }],
      [{ timedOut: true }, { failed: true }],
      [{ exit_code: null, timed_out: true }, { failed: true }],
      [{ exit_code: 1, timed_out: true }, { exitCode: 1 }],
      [{ interrupted: true }, { failed: true }],
      [{ interrupted: false }, {}],
      [{ ok: false }, { failed: true }],
      [{ termination_signal: 'SIGKILL' }, { signal: 'SIGKILL' }],
      ['exit 1', {}],
      [{ contents: [{ exitCode: 3 }] }, { exitCode: 3 }],
      [[{ a: [{ b: { exit_status: 2 } }] }], { exitCode: 2 }],
      [{ metadata: { exit: 3, truncated: false } }, { exitCode: 3 }],
      [{ metadata: { exit: null } }, {}],
      [{ returnCode: 4 }, { exitCode: 4 }],
      [{ metadata: { exit: { code: 4 } } }, { exitCode: 4 }],
      [{ content: [], is_error: true }, { failed: true }],
      [{ exitCode: null, signal: 'SIGTERM' }, { signal: 'SIGTERM' }],
      [{ signal: 'a word' }, {}],
      [{ isError: true }, { failed: true }],
    ])('ended as %j says', (rawOutput, expected) =>
      expect(says('a', { rawOutput })).toEqual({ lines: ['a'], firstLine: 0, ...expected }),
    );

    it.each<[text: string, exitCode: number | undefined]>([
      ['[Command exited with code 3]\nout', 3],
      ['out\n\nCommand exited with code 3', 3],
      ['EXIT_CODE: 3\nSTDERR:\noops', 3],
      ['Exit code: 0\nout', 0],
      ['out\n(exit code: 127)', 127],
      ['Error: Command failed with exit code 2', 2],
      ['Process finished with exit code -1', -1],
      ['Return code: 3', 3],
      ['go: exit\nexit status 3', 3],
      ['out\n[exit 3]', 3],
      ['Command failed (exit code 3)', 3],
      ['Exited with code 3 in 2.1 s', 3],
      ['<exit_code>3</exit_code>\nout', 3],
      ['**Exit Code:** 3\nout', 3],
      ['Chunk ID: x\nProcess exited with code 3\nOutput:\nabc', 3],
      ['Wall time: 1 s\nOutput:\nProcess exited with code 3\nabc', undefined],
      ['a\nCommand exited with code 3\nb', undefined],
      ['the tests say: exit code: 3', undefined],
      ['exit 3', undefined],
      [
        'Command: ls\nDirectory: (root)\nStdout: x\nStderr: (empty)\nError: (none)\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 1',
        3,
      ],
      ['Output: x\nExit Code: 3\nProcess Group PGID: 1', 3],
      ['out\nExit Code: 3\nthen more', undefined],
      ['<system>ERROR: Command failed with exit code: 3.</system>\nout', 3],
      ['<returncode>3</returncode>\n<output>\nx</output>', 3],
      ['out\nCommand "npm test" exited with code 3', 3],
      ['`npm test` failed with exit code 3', 3],
      ['Command executed with exit code 3', 3],
      ['out\nError: exit status 3', 3],
      ['out\n[exit=3]', 3],
      ['out\n[rc: 3]', 3],
    ])('ended as its first or last line says: %j', (text, exitCode) => expect(says(text)?.exitCode).toBe(exitCode));

    it('has not failed where the user stopped it', () => {
      expect(says('a', { wasStopped: true, rawOutput: { interrupted: true } })).toEqual({ lines: ['a'], firstLine: 0 });
      expect(says('a', { wasStopped: true, rawOutput: { exitCode: 130 } })).toEqual({
        lines: ['a'],
        firstLine: 0,
        exitCode: 130,
      });
    });

    it.each<[text: string, end: object]>([
      ['out\n\nCommand timed out after 2m 0.0s', { failed: true }],
      [
        'out\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n</bash_metadata>',
        { failed: true },
      ],
      ['out\nProcess terminated by signal SIGKILL', { signal: 'SIGKILL' }],
      ['a\nCommand timed out after 5 s\nb', {}],
      ['the command timed out', {}],
    ])('did not end by itself, says %j', (text, end) => {
      const { lines: _lines, firstLine: _first, ...found } = says(text)!;
      expect(found).toEqual(end);
    });

    it.each<[rawOutput: unknown, lines: string[] | undefined, exitCode?: number]>([
      [{ Output: 'x' }, ['x']],
      [{ std_out: 'x', stdErr: 'y' }, ['x', 'y']],
      [{ combined_output: 'x' }, ['x']],
      [{ result: { Ok: { content: [{ type: 'text', text: 'x' }] } } }, ['x']],
      [{ result: { Err: 'boom' } }, ['boom']],
      [{ items: [{ Text: 'x' }] }, ['x']],
      [{ items: [{ Json: { exit_status: '2', stdout: 'x', stderr: '' } }] }, ['x'], 2],
      [{ functionResponse: { response: { output: 'x' } } }, ['x']],
      ['EXIT_CODE: 3\nSTDERR:\noops', ['EXIT_CODE: 3', 'STDERR:', 'oops'], 3],
      [
        [{ query: 'q', result: '[Command exited with code 3]\nout', error: 'oops', success: false }],
        ['[Command exited with code 3]', 'out', 'oops'],
        3,
      ],
      [{ stdout: 'out', stderr: 'err', exit: 0 }, ['out', 'err'], 0],
      [{ output: 'out', metadata: { output: 'out', exit: 1 } }, ['out'], 1],
      [
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        ['a', 'b'],
      ],
      [{ error: 'Denied' }, ['Denied']],
      [{ exitCode: 0 }, undefined],
      [undefined, undefined],
    ])('that is only in the raw output is output: %j', (rawOutput, lines, exitCode) => {
      const [item] = view({ rawOutput }).content;
      const output = item?.type === 'terminal' ? item.output : undefined;
      expect([output?.lines, output?.exitCode]).toEqual([lines, exitCode]);
    });

    it('is bounded', () => {
      const output = says('line\n'.repeat(5_000))!;
      expect([output.lines.length, output.firstLine]).toEqual([2_000, 3_000]);
      const deep = JSON.parse('{"a":'.repeat(500) + '1' + '}'.repeat(500)) as unknown;
      expect(says('a', { rawOutput: deep })).toEqual({ lines: ['a'], firstLine: 0 });
      const started = workTime();
      for (const unit of ['\u001b[1;', 'a', '\r', 'a\r', '\u001b]0;', '```', '~', ' ', '```\n'])
        expect(says(unit.repeat(300_000))).toBeDefined();
      expect(says(`${'`'.repeat(300_000)}\na${'`'.repeat(299_999)}b`)).toBeDefined();
      expect(workTime() - started).toBeLessThan(8_000);
    });
  });

  it('a title is one line, a location is absolute and labelled within the folder', () => {
    const shown = view({
      title: 'Run\n  two\nlines ',
      locations: [{ path: 'src/a.ts' }, { path: '/work/b.ts', line: 4 }, { path: '/etc/passwd' }],
    });
    expect(shown.title).toBe('Run two lines');
    expect(shown.locations).toEqual([
      { path: '/work/src/a.ts', label: 'src/a.ts' },
      { path: '/work/b.ts', label: 'b.ts', line: 4 },
      { path: '/etc/passwd', label: '/etc/passwd' },
    ]);
  });
});

describe('a call under the name of a tool of the editor', () => {
  const title = 'mcp__vscode__hover';

  it('has the tool’s words', () => {
    expect(view({ title, toolKind: 'execute', rawInput: { symbol: 'parse' } })).toMatchObject({
      title: 'Look up parse',
      toolKind: 'other',
    });
  });

  it('is shown as what it is if it runs, deletes or moves something', () => {
    const command = view({ title, toolKind: 'execute', rawInput: { command: 'rm -rf src' } });
    expect(command).toMatchObject({ title, toolKind: 'execute', command: 'rm -rf src' });
    expect(view({ title, toolKind: 'delete' })).toMatchObject({ title, toolKind: 'delete' });
  });
});

describe('diff view', () => {
  it('counts lines and keeps three lines around a change', () => {
    const before = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
    const diff = diffView('/work/a.ts', before, before.replace('line 10', 'LINE 10\nand more'), '/work');
    expect(diff).toMatchObject({ label: 'a.ts', isNew: false, added: 2, removed: 1, truncated: false });
    expect(diff.hunks).toHaveLength(1);
    expect(diff.hunks[0]!.lines.map(([sign]) => sign).join('')).toBe('   -++   ');
  });

  it('a new file is all added, an emptied one all removed', () => {
    expect(diffView('/w/n', null, 'a\nb\n', '/w')).toMatchObject({ isNew: true, added: 2, removed: 0 });
    expect(diffView('/w/n', null, 'a\r\nb\r\n', '/w')).not.toHaveProperty('remark');
    expect(diffView('/w/n', 'a\nb', '', '/w')).toMatchObject({ isNew: false, added: 0, removed: 2 });
  });

  it('with other line ends everywhere shows the lines that differ, and says so', () => {
    expect(diffView('/w/n', 'a\r\nb\r\nc\r\n', 'a\nB\nc\n', '/w')).toMatchObject({
      added: 1,
      removed: 1,
      hunks: [{ lines: [' a', '-b', '+B', ' c'] }],
      remark: 'Line endings changed from CRLF to LF',
    });
    expect(diffView('/w/n', 'a\nb\n', 'a\r\nb\r\n', '/w')).toMatchObject({
      added: 0,
      removed: 0,
      hunks: [],
      remark: 'Line endings changed from LF to CRLF',
    });
  });

  it('of fifty on one card each is the smallest', () => {
    const text = (word: string) =>
      Array.from({ length: 180 }, (_, i) => (i % 3 === 0 ? `${word} ${i}` : `same ${i % 7}`)).join('\n');
    const { content } = view({
      content: Array.from(
        { length: 50 },
        (_, i) => ({ type: 'diff', path: `/w/${i}`, oldText: text('old'), newText: text('new') }) as const,
      ),
    });
    expect(new Set(content.map((item) => item.type === 'diff' && `${item.added} ${item.removed}`))).toEqual(
      new Set(['60 60']),
    );
  });

  it('a large diff is counted in full and shown in part', () => {
    const diff = diffView('/w/n', null, 'x\n'.repeat(3_000), '/w');
    expect(diff).toMatchObject({ added: 3_000, truncated: true });
    expect(diff.hunks.flatMap((hunk) => hunk.lines).length).toBe(400);
    expect(diffView('/w/n', 'a\n'.repeat(600_000), 'b\n'.repeat(600_000), '/w')).toMatchObject({
      added: 600_000,
      removed: 600_000,
      truncated: true,
      hunks: [],
    });
  });

  it('line ends that differ only by a carriage return are shown without it', () => {
    const diff = diffView('/w/n', 'a\r\nb\r\n', 'a\r\nc\r\n', '/w');
    expect(diff.hunks[0]!.lines).toEqual([' a', '-b', '+c']);
  });
});

describe('labels', () => {
  it.each([
    ['/work/src/a.ts', '/work', 'src/a.ts'],
    ['/work/src/a.ts', '/work/', 'src/a.ts'],
    ['/workshop/a.ts', '/work', '/workshop/a.ts'],
    ['/Work/a.ts', '/work', '/Work/a.ts'],
    ['C:\\Code\\a.ts', 'c:\\code', 'a.ts'],
    ['/a', '', '/a'],
  ])('%s in %s is %s', (path, cwd, label) => expect(labelOfPath(path, cwd)).toBe(label));

  it.each([
    ['src/a.ts', '/work', '/work/src/a.ts'],
    ['./a.ts', '/work/', '/work/a.ts'],
    ['a.ts', 'C:\\code', 'C:\\code\\a.ts'],
    ['C:\\x', '/work', 'C:\\x'],
    ['\\\\server\\share\\x', '/work', '\\\\server\\share\\x'],
  ])('%s from %s is %s', (path, cwd, resolved) => expect(resolvePath(path, cwd)).toBe(resolved));

  it('a URI is named by its last part, decoded where it can be', () => {
    expect(['file:///a/b%20c.ts', 'https://x.test/', 'file:///a/%E0%A4', 'memo://notes?x#y'].map(labelOfUri)).toEqual([
      'b c.ts',
      'x.test',
      '%E0%A4',
      'notes',
    ]);
  });
});

describe('output that is only in the raw output', () => {
  const texts = (fields: Partial<ToolCall>) =>
    view({ toolKind: 'other', status: 'completed', ...fields }).content.map((item) =>
      item.type === 'content' && item.content.type === 'text' ? item.content.text : item.type,
    );
  const block = (text: string) => ({ type: 'content', content: { type: 'text', text } }) as const;

  it.each<[name: string, fields: Partial<ToolCall>, shown: string[], output: boolean]>([
    ['the text of a file', { toolKind: 'read', rawOutput: 'line one\n' }, ['line one\n'], false],
    [
      'a field of text, beside others',
      { toolKind: 'search', rawOutput: { output: 'a.ts:1: x', metadata: { count: 1 } } },
      ['a.ts:1: x'],
      false,
    ],
    [
      'blocks of text',
      {
        toolKind: 'fetch',
        rawOutput: {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      ['a\nb'],
      true,
    ],
    [
      'words for the user',
      { toolKind: 'read', rawOutput: { llmContent: [{ text: 'a' }], returnDisplay: 'b' } },
      ['a'],
      true,
    ],
    [
      'the file in a result',
      { toolKind: 'read', rawOutput: { type: 'text', file: { filePath: 'a', content: 'x' } } },
      ['x'],
      true,
    ],
    ['one resource', { toolKind: 'read', rawOutput: { contents: [{ uri: 'a', text: 'x' }] } }, ['x'], true],
    [
      'the reason of a failure',
      { toolKind: 'read', status: 'failed', rawOutput: { error: { message: 'No such file' } } },
      ['No such file'],
      true,
    ],
    ['JSON in one line', { rawOutput: '{"a":1}' }, ['```json\n{\n  "a": 1\n}\n```'], true],
    ['values without words', { rawOutput: { matches: 3 } }, [], true],
    [
      'a list of things',
      {
        toolKind: 'search',
        rawOutput: [
          { url: 'https://a.example', text: 'A' },
          { url: 'https://b.example', text: 'B' },
        ],
      },
      [],
      true,
    ],
    [
      'a list of things in a field',
      { toolKind: 'search', rawOutput: { content: [{ file: 'a.ts', text: 'A' }] } },
      [],
      true,
    ],
    ['blanks', { rawOutput: ' \n' }, [], true],
    ['nothing', {}, [], false],
    [
      'what the content says already',
      { toolKind: 'read', content: [block('line one')], rawOutput: 'line one' },
      ['line one'],
      false,
    ],
    [
      'other words than the content',
      { toolKind: 'read', content: [block('1: line one')], rawOutput: 'line one' },
      ['1: line one'],
      false,
    ],
    [
      'the answer to a prompt that is the content',
      { toolKind: 'think', content: [block('Do it')], rawInput: { prompt: 'Do it' }, rawOutput: 'Done' },
      ['Do it', 'Done'],
      false,
    ],
    [
      'words beside a diff',
      {
        toolKind: 'edit',
        content: [{ type: 'diff', path: '/work/a', oldText: 'a', newText: 'b' }],
        rawOutput: 'Replaced',
      },
      ['diff'],
      true,
    ],
    [
      'the output of a command after its prompt',
      {
        toolKind: 'execute',
        rawInput: { command: 'ls' },
        content: [block('$ ls'), { type: 'terminal', terminalId: 't' }],
      },
      ['terminal'],
      false,
    ],
    [
      'a command alone',
      {
        toolKind: 'execute',
        rawInput: { command: 'ls' },
        content: [block('$ ls')],
        rawOutput: { content: [], details: {} },
      },
      [],
      true,
    ],
  ])('%s', (_name, fields, shown, output) =>
    expect([texts(fields), view({ toolKind: 'other', ...fields }).output !== undefined]).toEqual([shown, output]),
  );

  it('has a limit', () => {
    const [text] = texts({ toolKind: 'read', rawOutput: 'x'.repeat(300_000) });
    expect(text!.length).toBeLessThan(200_100);
    expect(text).toMatch(/… 100000 more characters$/);
  });

  it('is said once of a command that begins its text with its prompt', () =>
    expect(
      view({ toolKind: 'execute', rawInput: { command: 'ls' }, content: [block('$ ls'), block('a.ts')] }).content,
    ).toMatchObject([{ type: 'terminal', output: { lines: ['a.ts'] } }]));
});

describe('text of a tool', () => {
  const text = (words: string, fields: Partial<ToolCall> = {}) =>
    view({ toolKind: 'read', ...fields, content: [{ type: 'content', content: { type: 'text', text: words } }] })
      .content[0];
  const plain = (words: string) => ({ type: 'content', content: { type: 'text', text: words, isPlain: true } });
  const markdown = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });

  it.each<[name: string, said: string, kind: ToolCall['toolKind'], shown: unknown]>([
    ['a file', '# Makes\n    def __init__(self, *args):', 'read', plain('# Makes\n    def __init__(self, *args):')],
    ['a search', 'src/a.ts:3:# one', 'search', plain('src/a.ts:3:# one')],
    ['any other call', 'drwxr-xr-x  2 me  4096 .', 'other', plain('drwxr-xr-x  2 me  4096 .')],
    ['a page', '# Heading', 'fetch', plain('# Heading')],
    ['a block of code, which is Markdown', '```py\n# Makes\n```', 'read', markdown('```py\n# Makes\n```')],
    [
      'a longer fence around a shorter one',
      '````md\n```js\n1\n```\n````',
      'read',
      markdown('````md\n```js\n1\n```\n````'),
    ],
    [
      'a file that begins and ends with a block',
      '```\na\n```\n__b__\n```\nc\n```',
      'read',
      plain('```\na\n```\n__b__\n```\nc\n```'),
    ],
    ['a block with a word after it', '```\na\n```\n*b*', 'read', plain('```\na\n```\n*b*')],
    ['what a subagent reports', '**Done**', 'think', markdown('**Done**')],
    ['JSON in one line', '{"a":1}', 'other', markdown('```json\n{\n  "a": 1\n}\n```')],
    ['colours', '\u001b[31mred\u001b[0m plain', 'read', plain('red plain')],
  ])('%s', (_name, said, toolKind, shown) => expect(text(said, { toolKind })).toEqual(shown));

  it('has no control sequences anywhere in a call, but all of them in a permission request', () => {
    const red = (words: string) => `\u001b[31m${words}\u001b[0m`;
    const fields = {
      title: red('Read'),
      kind: 'read',
      content: [{ type: 'content', content: { type: 'text', text: red('file') } }],
      rawInput: { note: red('input') },
    } as const;
    const shown = view({
      title: red('Read'),
      toolKind: 'read',
      content: [...fields.content],
      rawInput: fields.rawInput,
      rawOutput: { out: red('output') },
    });
    expect(JSON.stringify(shown)).not.toContain('[31m');
    const [asked] = view({ permissions: [waiting(fields)] }).permissions;
    expect([asked!.title, JSON.stringify(asked!.content), asked!.fields![0]!.text]).toEqual([
      red('Read'),
      expect.stringContaining('[31m'),
      red('input'),
    ]);
  });
});

describe('title of a call', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch\n';
  it.each<[title: string, fields: Partial<ToolCall>, shown: string]>([
    ['Read `src/a.ts`', { toolKind: 'read' }, 'Read src/a.ts'],
    ['`npm test`', { toolKind: 'execute' }, 'npm test'],
    ['echo `whoami`', { toolKind: 'execute' }, 'echo `whoami`'],
    ['Read __tests__/__init__.py', { toolKind: 'read' }, 'Read __tests__/__init__.py'],
    [
      `apply_patch: ${JSON.stringify({ input: patch })}`,
      { toolKind: 'edit', rawInput: { input: patch } },
      'Edit src/a.ts',
    ],
    [
      `apply_patch: ${JSON.stringify({ input: patch }).slice(0, 40)}…`,
      { toolKind: 'other', rawInput: { input: patch } },
      'Edit src/a.ts',
    ],
    ['search({"q":"x","n":3})', { toolKind: 'other', rawInput: { q: 'x', n: 3 } }, 'search'],
    ['docs.search: {"q": "x"}', { toolKind: 'other', rawInput: { q: 'x' } }, 'docs.search'],
    ['read_file: /work/src/a.ts', { toolKind: 'read' }, 'read_file: src/a.ts'],
    ['Move "/work/a.ts" to "/work/b.ts"', { toolKind: 'move' }, 'Move "a.ts" to "b.ts"'],
    ['Read /workshop/a.ts of /other/work/a.ts', { toolKind: 'read' }, 'Read /workshop/a.ts of /other/work/a.ts'],
    ['rm /work/a.ts', { toolKind: 'execute', rawInput: { command: 'rm /work/a.ts' } }, 'rm /work/a.ts'],
    ['execute_bash: npm test', { toolKind: 'execute', rawInput: { command: 'npm test' } }, 'npm test'],
    [
      '$ npm run a\nnpm run b',
      { toolKind: 'execute', rawInput: { command: 'npm run a\nnpm run b' } },
      'npm run a npm run b',
    ],
    ['bash: npm run…', { toolKind: 'execute', rawInput: { command: 'npm run build' } }, 'npm run…'],
    ['bash: rm x', { toolKind: 'execute', rawInput: { command: 'npm test' } }, 'bash: rm x'],
    ['docs.search: {"q": "y"}', { toolKind: 'other', rawInput: { q: 'x' } }, 'docs.search: {"q": "y"}'],
  ])('%s', (title, fields, shown) => expect(view({ ...fields, title }).title).toBe(shown));
});

describe('what a permission request shows', () => {
  const asked = (fields: SubjectFields, options: PermissionChoice[] = []) =>
    view({ permissions: [waiting(fields, { subject: subjectOf(fields, undefined, {}, options) })] }).permissions[0]!;
  const said = (text: string) => [{ type: 'content', content: { type: 'text', text } }] as const;
  const yes = (optionId: string): PermissionChoice => ({ optionId, name: `Answer ${optionId}`, kind: 'allow_once' });

  it.each([
    '$ printf "**not bold**"',
    'printf "**not bold**"',
    '```sh\nprintf "**not bold**"\n```',
    '`printf "**not bold**"`',
  ])('says a command once: %s', (text) =>
    expect(
      asked({
        title: 'printf',
        kind: 'execute',
        content: [...said(text)],
        rawInput: { command: 'printf "**not bold**"' },
      }).content,
    ).toEqual([]),
  );

  it.each(['$ printf "bold" && rm -rf x', 'Runs: printf', '$ printf "bold"\nand more'])(
    'leaves any other words: %s',
    (text) =>
      expect(
        asked({ title: 'printf', kind: 'execute', content: [...said(text)], rawInput: { command: 'printf "bold"' } })
          .content,
      ).toEqual([{ type: 'content', content: { type: 'text', text, isPlain: true } }]),
  );

  it('says the input of a tool value by value', () => {
    expect(
      asked({
        title: 'docs.search: {"query":"a","limit":{"n":3,"all":[]}}',
        rawInput: { query: 'a', limit: { n: 3, all: [] } },
      }),
    ).toMatchObject({
      title: 'docs.search',
      fields: [
        { name: 'query', text: 'a' },
        { name: 'limit.n', text: '3' },
        { name: 'limit.all', text: '[]' },
      ],
    });
  });

  it('leaves out only what the card says in the same words', () => {
    expect(
      asked({
        title: 'Ask',
        content: [...said('Which one?\nThe first')],
        rawInput: { question: 'Which one?', first: 'The first', part: 'The', other: 'rm -rf x' },
      }).fields,
    ).toEqual([
      { name: 'part', text: 'The' },
      { name: 'other', text: 'rm -rf x' },
    ]);
  });

  it('shows a large or deep input as it is', () => {
    expect(
      asked({ title: 'T', rawInput: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at])) })
        .fields,
    ).toBeUndefined();
    expect(
      asked({ title: 'T', rawInput: JSON.parse('{"a":'.repeat(10) + '1' + '}'.repeat(10)) as object }).fields,
    ).toBeUndefined();
    expect(asked({ title: 'T', rawInput: 'text' }).fields).toBeUndefined();
  });

  it('leaves out a patch only where each line of it is drawn', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch';
    const fields = (input: unknown) => asked({ title: 'apply_patch', kind: 'edit', rawInput: { input } }).fields;
    expect(fields(patch)).toEqual([]);
    for (const other of [
      `rm -rf x\n${patch}`,
      `${patch}\nrm -rf x`,
      patch.replace('*** Update File: a.ts\n', '*** Update File: a.ts\n*** Move to: b.ts\n'),
    ])
      expect(fields(other)).toEqual([{ name: 'input', text: other }]);
    expect(
      asked({ title: 'T', kind: 'edit', rawInput: { input: patch, again: patch.replace('+b', '+c') } }).fields,
    ).toEqual([{ name: 'again', text: patch.replace('+b', '+c') }]);
  });

  it('knows a question by its answers or its input', () => {
    expect(asked({ title: 'Which?' }, [yes('a'), yes('b')]).isQuestion).toBe(true);
    expect(
      asked({ title: 'Which?', rawInput: { questions: [{ question: 'Which?', options: [] }] } }, [yes('a')]).isQuestion,
    ).toBe(true);
    expect(
      asked({ title: 'Edit' }, [yes('a'), { optionId: 'n', name: 'No', kind: 'reject_once' }]).isQuestion,
    ).toBeUndefined();
    expect(
      asked({ title: 'rm', kind: 'execute', rawInput: { command: 'rm x' } }, [yes('a'), yes('b')]).isQuestion,
    ).toBeUndefined();
  });
});
