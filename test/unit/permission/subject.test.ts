import { describe, expect, it } from 'vitest';
import { assess } from '../../../src/permission/assess';
import { commandLineOf } from '../../../src/permission/commandLine';
import { changedSubject, type SubjectFields, subjectOf, subjectText } from '../../../src/permission/subject';
import { workTime } from '../../fakes/workTime';

describe('the command of a raw input', () => {
  it.each<[object, string | undefined, 'certain' | 'doubtful']>([
    [{ command: 'ls' }, 'ls', 'certain'],
    [{ cmd: 'ls' }, 'ls', 'certain'],
    [{ command: ['rm', '-rf', 'a b'] }, "rm -rf 'a b'", 'certain'],
    [{ command: ['bash', '-lc', 'ls && pwd'] }, 'ls && pwd', 'certain'],
    [{ command: 'rm', args: ['-rf', 'x'] }, 'rm -rf x', 'certain'],
    [{ command: 'rm', args: [] }, 'rm', 'certain'],
    [{ command: 'rm', args: '-rf ~' }, 'rm -rf ~', 'doubtful'],
    [{ command: 'rm', args: ['-rf', 7] }, 'rm ["-rf",7]', 'doubtful'],
    [{ command: ['rm', 7] }, 'rm 7', 'doubtful'],
    [{ script: 'ls' }, 'ls', 'certain'],
    [{ argv: ['ls', '-l'] }, 'ls -l', 'certain'],
    [{ args: ['ls', '-l'] }, 'ls -l', 'certain'],
    [{ args: 'ls -l' }, 'ls -l', 'certain'],
    [{ commands: ['ls', 'rm -rf ~'] }, 'ls\nrm -rf ~', 'doubtful'],
    [{ commands: [['ls', '-l'], { run: 'x' }] }, 'ls -l\n{"run":"x"}', 'doubtful'],
    [{ command: 'ls', cmd: ' ls ' }, 'ls', 'certain'],
    [{ command: 'ls', cmd: 'rm -rf ~' }, 'ls\nrm -rf ~', 'doubtful'],
    [{ command: 'ls', script: 'rm -rf ~', argv: ['dd'] }, 'ls\nrm -rf ~\ndd', 'doubtful'],
    [{ command: ' ' }, undefined, 'certain'],
    [{ command: 3 }, undefined, 'certain'],
  ])('%j is %j, %s', (rawInput, text, certainty) => {
    const found = commandLineOf(rawInput, 'execute');
    expect(found?.text).toBe(text);
    expect(found?.doubt === undefined ? 'certain' : 'doubtful').toBe(certainty);
  });

  it('arguments alone are a command only where the call runs one', () =>
    expect(commandLineOf({ args: ['a'] }, 'other')).toBeUndefined());
});

describe('the subject of a permission', () => {
  const run = (command: string): SubjectFields => ({ kind: 'execute', rawInput: { command } });
  const place = {
    cwd: '/work',
    home: '/home/me',
    dialect: 'bash',
    look: async () => ({ inside: true, exists: false, guarded: false, relative: 'x', real: 'x' }),
  } as const;

  it.each<[string, SubjectFields, SubjectFields | undefined]>([
    ['another command before', run('npm test'), run('rm -rf ~')],
    [
      'another folder before',
      { kind: 'execute', rawInput: { command: 'ls', cwd: '/work' } },
      { rawInput: { command: 'ls', cwd: '/work/sub' } },
    ],
    ['another file before', { kind: 'read', locations: [{ path: 'a' }] }, { locations: [{ path: 'b' }] }],
    [
      'another change before',
      { kind: 'edit', content: [{ type: 'diff', path: 'a', oldText: '', newText: 'x' }] },
      { content: [{ type: 'diff', path: 'a', oldText: '', newText: 'y' }] },
    ],
    [
      'another address before',
      { kind: 'fetch', rawInput: { url: 'https://a.example' } },
      { rawInput: { url: 'https://b.example' } },
    ],
    ['two commands in one input', { kind: 'execute', rawInput: { command: 'ls', cmd: 'pwd' } }, undefined],
    [
      'two folders in one input',
      { kind: 'execute', rawInput: { command: 'ls', cwd: '/work', workdir: '/work/sub' } },
      undefined,
    ],
    ['a list of commands', { kind: 'execute', rawInput: { commands: ['ls', 'pwd'] } }, undefined],
    ['an address as its file', { kind: 'edit', locations: [{ path: 'vscode-remote://ssh/etc/passwd' }] }, undefined],
    ['a file in quotes', { kind: 'edit', locations: [{ path: '"/etc/passwd"' }] }, undefined],
    ['a file after a blank', { kind: 'edit', locations: [{ path: ' /etc/passwd' }] }, undefined],
    ['a file behind a variable', { kind: 'edit', locations: [{ path: '$HOME/.bashrc' }] }, undefined],
    ['a file behind a Windows variable', { kind: 'edit', locations: [{ path: '%APPDATA%\\x' }] }, undefined],
    ['a file without a name', { kind: 'edit', locations: [{ path: '' }] }, undefined],
  ])('is the user’s to allow with %s', async (_name, request, call) => {
    expect((await assess(subjectOf(request, call), place)).mustAsk).toBeDefined();
  });

  it('is a rule’s to allow where call and request say the same', async () => {
    expect(
      (await assess(subjectOf(run('npm test'), { ...run('npm test'), title: 'Tests' }), place)).mustAsk,
    ).toBeUndefined();
  });

  it('takes from the call what the request leaves out, and is frozen', () => {
    const subject = subjectOf(
      { title: 'Run it', rawInput: {} },
      { kind: 'execute', title: 'x', rawInput: { command: 'make', cwd: '/w' } },
    );
    expect(subject).toMatchObject({
      title: 'Run it',
      kind: 'execute',
      command: { text: 'make' },
      cwd: '/w',
      rawInput: { command: 'make', cwd: '/w' },
      contradictions: [],
    });
    expect(Object.isFrozen(subject)).toBe(true);
  });

  it('is compared with its call in bounded time, however much both name', () => {
    const many = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name}${at}`);
    const diffs = (name: string) =>
      many(name).map((path) => ({ type: 'diff', path, oldText: null, newText: 'x' }) as const);
    const started = workTime();
    for (const [now, before] of [
      ['a', 'b'],
      ['a', './a'],
    ] as const) {
      expect(
        subjectOf({ kind: 'edit', content: diffs(now) }, { kind: 'edit', content: diffs(before) }).contradictions.map(
          ({ about }) => about,
        ),
      ).toEqual(['changes']);
      expect(
        subjectOf(
          { kind: 'read', locations: many(now).map((path) => ({ path })) },
          { kind: 'read', locations: many(before).map((path) => ({ path })) },
        ).contradictions.map(({ about }) => about),
      ).toEqual(['files']);
    }
    expect(
      subjectOf(
        { kind: 'edit', content: diffs('a'), rawInput: { all: many('./a') } },
        { kind: 'edit', content: diffs('a') },
      ).contradictions,
    ).toEqual([]);
    expect(workTime() - started).toBeLessThan(20_000);
  });

  it('is told in one text that names some of very many files', () => {
    const started = workTime();
    const text = subjectText(
      subjectOf({
        kind: 'read',
        title: 'x'.repeat(3_000_000),
        locations: Array.from({ length: 200_000 }, (_, at) => ({ path: `/w/${at}` })),
      }),
    );
    expect(text.endsWith(' /w/998, /w/999, …')).toBe(true);
    expect(workTime() - started).toBeLessThan(5_000);
  });

  it('is another one after an update that says something else, and only then', () => {
    const subject = subjectOf({ title: 'T', ...run('ls') });
    for (const same of [{}, { title: 'T' }, { rawInput: { command: 'ls' } }, { title: '', content: [], rawInput: {} }])
      expect(changedSubject(subject, same)).toBeUndefined();
    for (const other of [
      { title: 'U' },
      run('pwd'),
      { kind: 'read' } as const,
      { locations: [{ path: 'a' }] },
      { content: [{ type: 'content', content: { type: 'text', text: 'x' } }] } as const,
      { rawInput: { command: 'ls', more: 1 } },
    ])
      expect(changedSubject(subject, other)).toBeDefined();
  });

  it.each<[SubjectFields, string]>([
    [{ title: 'npm test', ...run('rm -rf ~') }, 'rm -rf ~'],
    [{ title: 'Edit a.ts', locations: [{ path: 'a.ts' }] }, 'Edit a.ts'],
    [{ title: 'Tidy up', locations: [{ path: '/etc/hosts' }] }, 'Tidy up: /etc/hosts'],
    [{ title: 'Fetch', rawInput: { url: 'https://a.example' } }, 'Fetch: https://a.example'],
    [{ kind: 'execute' }, 'Run a command'],
    [{ title: 'mcp__vscode__hover', rawInput: { symbol: 'parse', path: 'a.ts' } }, 'Look up parse: a.ts'],
    [{ title: 'mcp__vscode__hover', kind: 'delete', locations: [{ path: 'a.ts' }] }, 'mcp__vscode__hover: a.ts'],
  ])('is told in one text by what would happen: %j', (request, text) =>
    expect(subjectText(subjectOf(request))).toBe(text),
  );
});
