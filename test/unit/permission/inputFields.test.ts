import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeToolCall } from '../../../src/acp/decodeUpdate';
import { decodePermissionV2 } from '../../../src/acp/v2/decodePermission';
import { assess } from '../../../src/permission/assess';
import { furtherFields } from '../../../src/permission/commandLine';
import { decodeRules } from '../../../src/permission/decodeRules';
import { decide } from '../../../src/permission/rules';
import { type RequestWords, type SubjectFields, subjectOf } from '../../../src/permission/subject';
import { workTime } from '../../fakes/workTime';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

function judge(request: SubjectFields, call?: SubjectFields, words?: RequestWords) {
  return assess(subjectOf(request, call, words), {
    cwd: '/work/app',
    home: '/home/me',
    dialect: 'bash',
    look: async (file) => ({
      inside: file.startsWith('/work/app'),
      exists: false,
      guarded: false,
      relative: file.replace('/work/app/', ''),
      real: file.replace('/work/app/', ''),
    }),
  });
}

type Judging = Awaited<ReturnType<typeof judge>>;
const answerTo = (judged: Judging, ...rules: object[]) =>
  decide(decodeRules(rules).rules, judged, 'Agent', options, true)?.choice.optionId ?? 'ask';
const allow = { answer: 'allowOnce', command: ['*', 'ls *', 'bash *', './x/bash *', 'npm test'] };

/** The program that a request names is the one that runs, in whichever way an agent spells it. */
describe('the program of a request', () => {
  it.each<[object, 'yes' | 'ask']>([
    [{ command: ['bash', '-lc', 'ls a'] }, 'yes'],
    [{ command: ['sh', '-c', 'ls a'] }, 'yes'],
    [{ command: ['/bin/bash', '-lc', 'ls a'] }, 'yes'],
    [{ command: ['/usr/bin/zsh', '-c', 'ls a'] }, 'yes'],
    [{ command: ['/bin/bash', '-l', '-c', 'ls a'] }, 'yes'],
    [{ command: 'bash', args: ['-lc', 'ls a'] }, 'yes'],
    [{ command: 'ls', args: ['a'] }, 'yes'],
    [{ command: ['ls', 'a'] }, 'yes'],
    [{ argv: ['bash', '-c', 'ls a'] }, 'yes'],
    [{ args: ['ls', 'a'] }, 'yes'],
    [{ cmd: 'ls a' }, 'yes'],
    [{ script: 'ls a' }, 'yes'],
    // Any other path may be anything.
    [{ command: ['./x/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['x/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['/work/app/x/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['/any/path/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['/bin/../work/app/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['/bin/x/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['/usr/bin/./bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['//bin/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['~/bin/bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['.\\bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['C:\\x\\bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['BASH', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['bash ', '-lc', 'ls a'] }, 'ask'],
    [{ command: './x/bash', args: ['-lc', 'ls a'] }, 'ask'],
    [{ cmd: ['./x/bash', '-c', 'ls a'] }, 'ask'],
    [{ cmd: './x/sh', args: ['-c', 'ls a'] }, 'ask'],
    [{ argv: ['./x/bash', '-c', 'ls a'] }, 'ask'],
    [{ args: ['./x/bash', '-c', 'ls a'] }, 'ask'],
    [{ script: "./x/bash -c 'ls a'" }, 'ask'],
    [{ command: "./x/bash -lc 'ls a'" }, 'ask'],
    [{ command: './x/ls a' }, 'ask'],
    [{ command: ['./x/ls', 'a'] }, 'ask'],
    [{ command: 'src/ls a' }, 'ask'],
    // What wraps a command is not the command.
    [{ command: ['env', 'ls', 'a'] }, 'ask'],
    [{ command: ['nice', 'bash', '-lc', 'ls a'] }, 'ask'],
    [{ command: ['bash', '-x', '-c', 'ls a'] }, 'ask'],
    [{ command: ['bash', '-ic', 'ls a'] }, 'ask'],
    [{ command: ['bash', '-l', './x', '-c', 'ls a'] }, 'ask'],
    [{ command: ['bash', '-l -c', 'ls a'] }, 'ask'],
    [{ command: ['bash', '-c', 'ls a', 'x'] }, 'ask'],
    [{ command: ['fish', '-c', 'ls a'] }, 'ask'],
    [{ command: ['pwsh', '-Command', 'ls a'] }, 'ask'],
    [{ command: ['bash', '--rcfile', 'x', '-c', 'ls a'] }, 'ask'],
    // Words that a shell would read as more, if the agent gives them to one after all.
    [{ command: 'ls', args: ['a; touch x'] }, 'ask'],
    [{ command: ['ls', '$(touch x)'] }, 'ask'],
    [{ command: ['ls', 'a --x'] }, 'ask'],
    [{ command: ['ls', ''] }, 'ask'],
    // Fields that another one hides.
    [{ command: ['ls'], args: ['a'] }, 'ask'],
    [{ script: 'ls a', args: ['b'] }, 'ask'],
    [{ argv: ['ls'], args: ['b'] }, 'ask'],
    [{ command: 'ls', args: { 0: 'b' } }, 'ask'],
    [{ command: 'ls', argv: { 0: 'b' } }, 'ask'],
    [{ command: 'ls', script: { run: 'b' } }, 'ask'],
    [{ command: 'ls', commands: 7 }, 'ask'],
    [{ command: { run: 'ls' } }, 'ask'],
    [{ command: 'ls', cmd: ['ls', 'b'] }, 'ask'],
    [{ input: { command: 'ls a' } }, 'ask'],
  ])('%j: %s', async (rawInput, expected) =>
    expect(answerTo(await judge({ kind: 'execute', title: 'ls a', rawInput }), allow)).toBe(expected),
  );

  it('is what a rule that restrains sees, with the command that it wraps', async () => {
    for (const command of [
      ['./x/bash', '-lc', 'rm x'],
      ['/bin/bash', '-lc', 'rm x'],
      ['bash', '-c', 'rm x'],
    ]) {
      for (const pattern of ['rm *', '*bash *'])
        expect(
          answerTo(await judge({ kind: 'execute', rawInput: { command } }), { answer: 'rejectOnce', command: pattern }),
        ).toBe('no');
    }
  });

  it('is shown as what runs, and warned of where only its name is the system’s', async () => {
    const { subject, assessment } = await judge({
      kind: 'execute',
      rawInput: { command: ['./x/bash', '-lc', 'ls a'] },
    });
    expect(subject.command?.text).toBe("./x/bash -lc 'ls a'");
    expect(assessment.steps).toEqual(["./x/bash -lc 'ls a'", 'ls a']);
    expect(assessment.risks).toContainEqual({ kind: 'program', text: 'Runs ./x/bash instead of bash' });
    expect(
      (await judge({ kind: 'execute', rawInput: { command: './x/ls a && ../git push' } })).assessment.risks,
    ).toMatchObject([
      { text: 'Runs ./x/ls instead of ls' },
      { text: 'Runs ../git instead of git' },
      { kind: 'outside' },
      { kind: 'network' },
    ]);
    expect(
      (await judge({ kind: 'execute', rawInput: { command: '/usr/bin/ls a; ./tool.sh; ./gradlew build' } })).assessment
        .risks,
    ).toBeUndefined();
  });
});

/** What else an input says may change what runs, so the user decides. */
describe('a field beside the command', () => {
  const inputs: readonly (readonly [object, boolean])[] = [
    [{}, true],
    [{ description: 'Lists a', timeout: 120_000 }, true],
    [{ timeout_ms: 5 }, true],
    [{ cwd: '/work/app' }, true],
    [{ workdir: '/work/app/src' }, true],
    [{ run_in_background: false, is_background: false }, true],
    [{ env: {}, args: [], cwd: null }, true],
    [{ cwd: '/etc' }, false],
    [{ directory: '../x' }, false],
    [{ cwd: ['/work/app'] }, false],
    [{ cwd: { path: '/etc' } }, false],
    [{ description: { shell: 'x' } }, false],
    [{ timeout: './x' }, false],
    [{ timeout: -1 }, false],
    [{ timeout: { command: 'x' } }, false],
    [{ run_in_background: true }, false],
    [{ is_background: 'x' }, false],
    ...['./x/bash', '/bin/bash', 'bash', ''].map((shell) => [{ shell }, false] as const),
    [{ env_vars: { LD_PRELOAD: './x.so' } }, false],
    [{ env: { PATH: './x' } }, false],
    [{ env: ['PATH=./x'] }, false],
    [{ env: 'PATH=./x' }, false],
    [{ environment: [{ name: 'PATH', value: './x' }] }, false],
    [{ pre_command: 'touch x' }, false],
    [{ preCommand: 'touch x', post_command: 'y' }, false],
    [{ dangerouslyDisableSandbox: true }, false],
    [{ dangerouslyDisableSandbox: false }, false],
    [{ sandbox_permissions: 'require_escalated' }, false],
    [{ with_escalated_permissions: true }, false],
    [{ sandbox: null }, false],
    [{ host: 'example.com' }, false],
    [{ dir_path: 'src' }, false],
    [{ login: true }, false],
    [{ stdin: 'rm -rf src' }, false],
    [{ input: 'y' }, false],
    [{ user: 'root' }, false],
    [{ interpreter: './x' }, false],
    [{ Command: 'rm' }, false],
    [{ 'command ': 'rm' }, false],
    [{ unknown: 1 }, false],
    [{ options: { shell: './x' } }, false],
    [{ '': '' }, false],
    [{ toString: 1 }, false],
    [{ constructor: 'x' }, false],
    [JSON.parse('{"__proto__": {"shell": "./x"}}') as object, false],
  ];

  it.each(inputs)('%j leaves it to a rule: %s', async (more, isRule) => {
    const rawInput = Object.defineProperties({ command: 'npm test' }, Object.getOwnPropertyDescriptors(more)) as object;
    const judged = await judge({ kind: 'execute', rawInput });
    expect(answerTo(judged, allow)).toBe(isRule ? 'yes' : 'ask');
    // A rule that restrains is none the weaker.
    expect(answerTo(judged, allow, { answer: 'rejectOnce', command: 'npm *' })).toBe('no');
  });

  it('is seen by a rule that restrains, which may name what it runs', async () => {
    for (const more of [{ pre_command: 'rm -rf src' }, { setup: ['rm', '-rf', 'src'] }]) {
      expect(
        answerTo(await judge({ kind: 'execute', rawInput: { command: 'npm test', ...more } }), allow, {
          answer: 'rejectOnce',
          command: 'rm *',
        }),
      ).toBe('no');
    }
  });

  it('takes time by its number alone', () => {
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${from + at}`, 'x']));
    const started = workTime();
    expect(
      subjectOf(
        { kind: 'execute', rawInput: { command: 'ls', ...many(0) } },
        { kind: 'execute', rawInput: { command: 'ls', ...many(10_000) } },
      ).further.length,
    ).toBe(30_000);
    expect(workTime() - started).toBeLessThan(10_000);
  });

  it('counts whoever says it, and whatever kind the call has', async () => {
    expect(
      answerTo(
        await judge(
          { kind: 'execute', rawInput: { command: 'npm test' } },
          { kind: 'execute', rawInput: { command: 'npm test', shell: './x' } },
        ),
        allow,
      ),
    ).toBe('ask');
    expect(answerTo(await judge({ kind: 'other', rawInput: { command: 'npm test', shell: './x' } }), allow)).toBe(
      'ask',
    );
    expect(answerTo(await judge({ kind: 'other', rawInput: { command: 'npm test' } }), allow)).toBe('yes');
  });

  it('counts in a request of v2 too', async () => {
    const request = (more: object) =>
      decodePermissionV2(
        {
          sessionId: 's',
          title: 'Run',
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          subject: { type: 'command', command: 'npm test', ...more },
        },
        () => undefined,
      );
    for (const [more, expected] of [
      [{}, 'yes'],
      [{ cwd: '/work/app', _meta: {} }, 'yes'],
      [{ shell: './x/bash' }, 'ask'],
      [{ args: ['x'] }, 'ask'],
      [{ env: { PATH: '.' } }, 'ask'],
    ] as const) {
      const words = request(more);
      const judged = await judge({ kind: 'execute' }, undefined, words as RequestWords);
      expect({
        more,
        answer: answerTo(judged, allow),
        further: judged.subject.further.map(({ name }) => name),
      }).toEqual({ more, answer: expected, further: expected === 'yes' ? [] : Object.keys(more) });
    }
  });

  it('may hold a secret', async () => {
    expect(
      (
        await judge({
          kind: 'execute',
          rawInput: { command: 'ls', env: { API_TOKEN: 'sk-abcdefghijklmnopqrstuvwxyz012345' } },
        })
      ).assessment.risks,
    ).toMatchObject([{ kind: 'secret' }]);
  });

  it('is in no command that Claude Code, Codex, Gemini CLI, OpenCode or Qwen Code has sent', () => {
    const folder = path.join(import.meta.dirname, '../../fixtures/traces');
    const inputs = readdirSync(folder)
      .filter((name) => name.endsWith('.gz'))
      .flatMap((name) =>
        executed(
          gunzipSync(readFileSync(path.join(folder, name)))
            .toString('utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line): unknown => JSON.parse(line)),
        ),
      );
    expect(inputs.length).toBeGreaterThan(50);
    expect(inputs.flatMap((input) => furtherFields(input, 'execute').map(({ name }) => name))).toEqual([]);
  });
});

/** The inputs of all calls in it that run a command. */
function executed(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { rawInput, kind } = value as { readonly rawInput?: object; readonly kind?: string };
  const own = rawInput && (kind === 'execute' || 'command' in rawInput) ? [rawInput] : [];
  return [...own, ...Object.values(value).flatMap(executed)];
}

/** Some agents name files by addresses, which no rule may take for names in the workspace. */
it.each<[location: string, answer: 'yes' | 'ask', risks: string[]]>([
  ['file:///work/app/src/a.ts', 'yes', []],
  ['file:///work/app/../../etc/passwd', 'ask', ['Outside the workspace: /etc/passwd']],
  ['file:///home/me/.bashrc', 'ask', ['Outside the workspace: /home/me/.bashrc']],
  ['file:///home/me/%2ebashrc', 'ask', ['Outside the workspace: /home/me/.bashrc']],
  ['FILE:/etc/passwd', 'ask', ['Outside the workspace: /etc/passwd']],
  ['vscode-remote://ssh/work/app/a.ts', 'ask', []],
  ['src/$id.tsx', 'yes', []],
])('an edit of %s', async (location, answer, risks) => {
  const call = decodeToolCall({ toolCallId: 'a', kind: 'edit', locations: [{ path: location }] }, () => {})!;
  const judged = await judge(call);
  expect(answerTo(judged, { answer: 'allowOnce', kind: 'edit' })).toBe(answer);
  expect((judged.assessment.risks ?? []).map(({ text }) => text)).toEqual(risks);
});
