import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assess, type Judged } from '../../../src/permission/assess';
import { decodeRules } from '../../../src/permission/decodeRules';
import { decide, matchesCommand } from '../../../src/permission/rules';
import { subjectOf } from '../../../src/permission/subject';
import { suggestRules } from '../../../src/permission/suggestRules';
import { canAllow } from '../../../src/permission/wildcardPrograms';
import { workTime } from '../../fakes/workTime';

const once = { optionId: 'yes', name: 'Allow once', kind: 'allow_once' } as const;
const always = { optionId: 'ever', name: 'Always', kind: 'allow_always' } as const;
const no = { optionId: 'no', name: 'Reject', kind: 'reject_once' } as const;
const options = [always, once, no];

function judge(question: object, ignoresCase = false): Promise<Judged> {
  return assess(subjectOf(question, undefined), {
    ignoresCase,
    cwd: '/work/app',
    realCwd: '/private/work/app',
    home: '/home/me',
    dialect: 'bash',
    look: async (path) => {
      const written = path.replace(
        ignoresCase ? /^(?:\/private)?\/work\/app(?![^/])/i : /^(?:\/private)?\/work\/app(?![^/])/,
        '/work/app',
      );
      const plain = posix.normalize(written);
      // `pkg` is a link to a folder deeper and `up` to one higher than it; `link` to `secrets`.
      const real = posix.normalize(
        written
          .replace('/work/app/pkg', '/work/app/packages/a/pkg')
          .replace('/work/app/deep/er/up', '/work/app/lib')
          .replace('/work/app/link', '/work/app/secrets'),
      );
      const known = written.includes('..') ? real : plain;
      const relativeOf = (file: string) => file.replace(/^\/work\/app\/?/, '') || '.';
      return {
        inside: real === '/work/app' || real.startsWith('/work/app/'),
        exists: false,
        guarded: real.endsWith('/.env'),
        relative: relativeOf(known),
        real: relativeOf(real),
      };
    },
  });
}

function command(text: string): Promise<Judged> {
  return judge({ kind: 'execute', rawInput: { command: text } });
}

function rulesOf(...raw: object[]) {
  const { rules, problems } = decodeRules(raw);
  expect(problems).toEqual([]);
  return rules;
}

async function answer(
  raw: readonly object[],
  question: Judged,
  trusted = true,
  offered: Parameters<typeof decide>[3] = options,
): Promise<string> {
  return decide(rulesOf(...raw), question, 'Agent', offered, trusted)?.choice.optionId ?? 'ask';
}

type Answer = 'yes' | 'no' | 'ask';

/** The rows of a table of cases, one in each line of a file. */
const rows = <Row>(table: string): readonly Row[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/permission/${table}.json`, import.meta.url), 'utf8'));

const tooMuch = 'Rule 1 is not used: paths can have at most 500 globs, each with at most 256 alternatives in braces';

const allow = (pattern: string | readonly string[]) => ({ answer: 'allowOnce', command: pattern });
const reject = (pattern: string) => ({ answer: 'rejectOnce', command: pattern });

describe('rules for commands', () => {
  it('item 122: without rules nothing is answered', async () =>
    expect(await answer([], await command('npm test'))).toBe('ask'));

  it.each(rows<[string, readonly object[], string, Answer]>('ruleAnswers'))(
    '%s',
    async (_name, rules, text, expected) => expect(await answer(rules, await command(text))).toBe(expected),
  );

  it('allows nothing in Restricted Mode, and still rejects', async () => {
    expect(await answer([allow('*')], await command('npm test'), false)).toBe('ask');
    expect(await answer([reject('*')], await command('npm test'), false)).toBe('no');
  });

  it('chooses only an option that is offered, and never one that lasts', async () => {
    const asked = await command('npm test');
    expect(await answer([allow('*')], asked, true, [always, no])).toBe('ask');
    expect(await answer([reject('*')], asked, true, [always, once, { ...no, kind: 'reject_always' }])).toBe('ask');
    expect(await answer([allow('*')], asked, true, [once, { ...once, optionId: 'other' }])).toBe('ask');
  });

  it('asks where question and call say different things', async () => {
    const judged = await assess(
      subjectOf(
        { kind: 'execute', rawInput: { command: 'npm test' } },
        { kind: 'execute', rawInput: { command: 'rm -rf .' } },
      ),
      {
        cwd: '/work/app',
        home: '/home/me',
        dialect: 'bash',
        look: () => Promise.resolve({ inside: true, exists: true, guarded: false, relative: 'x', real: 'x' }),
      },
    );
    expect(await answer([allow('*')], judged)).toBe('ask');
  });

  it('asks where the command is only told in a title, which is shown in its parts all the same', async () => {
    expect((await judge({ kind: 'execute', title: 'npm ci && rm -rf build' })).assessment).toEqual({
      steps: ['npm ci', 'rm -rf build'],
      risks: [
        { kind: 'deletes', text: 'Deletes files' },
        { kind: 'network', text: 'Uses the network (npm ci)' },
      ],
    });
    expect(await answer([allow('*')], await judge({ kind: 'execute', title: 'npm test' }))).toBe('ask');
    expect(await answer([reject('npm *')], await judge({ kind: 'execute', title: 'npm test' }))).toBe('no');
  });
});

describe('what a tool is given', () => {
  it.each(rows<[string, object, Answer]>('toolInputs'))('%s', async (_name, question, expected) => {
    expect(
      await answer(
        [...['read', 'search', 'fetch', 'edit'].map((kind) => ({ answer: 'allowOnce', kind })), allow('*')],
        await judge(question),
      ),
    ).toBe(expected);
  });
});

describe('a rule for the editor’s own tools that only read', () => {
  const rule = { answer: 'allowOnce', kind: 'editorRead' };

  it.each(rows<[string, object, Answer]>('editorCalls'))('%s', async (_name, question, expected) => {
    expect(await answer([rule], await judge(question))).toBe(expected);
    expect(suggestRules(await judge(question)).some(({ kind }) => kind === 'editorRead')).toBe(expected === 'yes');
  });

  it.each([
    { kind: 'execute', rawInput: { command: 'rm -rf src' } },
    { kind: 'delete', locations: [{ path: '/work/app/src/a.ts' }] },
    { kind: 'other', content: [{ type: 'diff', path: '/work/app/src/a.ts', oldText: 'a', newText: 'b' }] },
  ])('does not answer what only has the name of a tool: %o', async (fields) => {
    const question = await judge({ title: 'mcp__vscode__hover', ...fields });
    expect(await answer([rule], question)).toBe('ask');
    expect(suggestRules(question).some(({ kind }) => kind === 'editorRead')).toBe(false);
  });

  it('allows nothing in Restricted Mode, and a rejecting one wins', async () => {
    const question = await judge({ title: 'mcp__vscode__references', kind: 'other', rawInput: { symbol: 'parse' } });
    expect(await answer([rule], question, false)).toBe('ask');
    expect(await answer([rule, { answer: 'rejectOnce', kind: 'other' }], question)).toBe('no');
  });
});

describe('a wildcard', () => {
  const known = ['ls', 'cat', 'rm', 'git status', 'npm test', 'make', 'pip list', 'sort', 'find', 'cargo test'];

  it('covers a program by no other name than its own', async () => {
    const change = fc.tuple(
      fc.constantFrom(...known),
      fc.nat(12),
      fc.constantFrom('g', 'x', '2', '-', '.', '_', './', '/', 'src/', 'A', '+'),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([line, at, more]) => {
        const [program = '', ...rest] = line.split(' ');
        const other = program.slice(0, at) + more + program.slice(at);
        expect({
          other,
          answer: await answer([allow(['*', `${other} *`])], await command([other, ...rest].join(' '))),
        }).toEqual({ other, answer: 'ask' });
      }),
    );
  });

  // Of a pattern without a wildcard the user has seen all.
  it.each(rows<[string, boolean]>('canAllow'))('in %s can allow something: %s', (pattern, expected) =>
    expect(canAllow(pattern)).toBe(expected),
  );
});

describe('rules for files', () => {
  const edit = (...paths: string[]) => judge({ kind: 'edit', locations: paths.map((path) => ({ path })) });
  it.each(rows<[string, object, readonly string[], Answer]>('fileRules'))('%s', async (_name, rule, paths, expected) =>
    expect(await answer([rule], await edit(...paths))).toBe(expected),
  );
});

describe('case in the paths of rules', () => {
  const upper = { kind: 'edit', locations: [{ path: '/work/app/SRC/a.ts' }] };
  it.each<[string, string, boolean, 'yes' | 'no' | 'ask']>([
    ['counts where a rule allows', 'allowOnce', false, 'ask'],
    ['unless the system ignores it', 'allowOnce', true, 'yes'],
    ['never counts where a rule rejects', 'rejectOnce', false, 'no'],
  ])('%s', async (_name, rule, ignoresCase, expected) =>
    expect(await answer([{ answer: rule, kind: 'edit', paths: ['src/**'] }], await judge(upper, ignoresCase))).toBe(
      expected,
    ),
  );

  it.each<[string, boolean, 'yes' | 'ask']>([
    ['cd /work/app && git status', false, 'yes'],
    ['cd /private/work/app && git status', false, 'yes'],
    ['cd /work/APP && git status', true, 'yes'],
    ['cd /work/APP && git status', false, 'ask'],
    ['cd /work/app/vendor && git status', true, 'ask'],
  ])('and links decide whether “%s” is in the folder of the session (%s)', async (line, ignoresCase, expected) => {
    expect(
      await answer(
        [allow('git status'), allow('cd *')],
        await judge({ kind: 'execute', rawInput: { command: line } }, ignoresCase),
      ),
    ).toBe(expected);
  });

  it('of a rule that allows is as it is written', async () => {
    expect(await answer([{ answer: 'allowOnce', kind: 'edit', paths: ['SRC/[a-z].ts'] }], await judge(upper))).toBe(
      'yes',
    );
  });
});

describe('reading the setting', () => {
  it.each([
    ...rows<[string, unknown, string]>('unusableRules'),
    [
      'alternatives in each other',
      { answer: 'allowOnce', paths: [`{{${'x,'.repeat(200)}a},{${'y,'.repeat(200)}b}}`] },
      tooMuch,
    ],
    ['too many globs', { answer: 'allowOnce', paths: Array.from({ length: 501 }, (_, i) => `x${i}`) }, tooMuch],
  ])('%s is left out with a reason', (_name, raw, problem) =>
    expect(decodeRules([raw, { answer: 'ask', command: 'x' }])).toMatchObject({
      problems: [problem],
      rules: [{ index: 1, name: 'x' }],
    }),
  );

  it('as much as can be read is allowed, and no more', async () => {
    const rule = {
      answer: 'allowOnce',
      kind: 'edit',
      paths: [`{a,b}/{${Array.from({ length: 100 }, (_, i) => `p${i}`).join(',')}}/*.ts`],
    };
    for (const [path, expected] of [
      ['/work/app/b/p99/x.ts', 'yes'],
      ['/work/app/c/p1/x.ts', 'ask'],
    ] as const)
      expect(await answer([rule], await judge({ kind: 'edit', locations: [{ path }] }))).toBe(expected);
  });

  it('a rule that restrains takes what is too much for everything', async () => {
    const rule = { answer: 'rejectOnce', paths: ['{a,b}'.repeat(9)] };
    expect(await answer([rule], await judge({ kind: 'edit', locations: [{ path: '/work/app/src/x.ts' }] }))).toBe('no');
  });

  it('takes no list for no rules', () => {
    expect(decodeRules(undefined)).toEqual({ rules: [], problems: [] });
    expect(decodeRules({})).toEqual({ rules: [], problems: ['The rules must be a list'] });
  });
});

describe('suggestions', () => {
  it.each(rows<[string, readonly object[]]>('suggestions'))('of %s', async (text, expected) =>
    expect(suggestRules(await command(text))).toEqual(expected),
  );

  it('of a command that no rule can allow only reject it', async () => {
    const judged = await judge({ kind: 'execute', rawInput: { command: 'npm test', shell: './x/bash' } });
    expect(suggestRules(judged)).toEqual([reject('npm test')]);
  });

  it('of an edit are the file, its folder and a refusal', async () => {
    expect(suggestRules(await judge({ kind: 'edit', locations: [{ path: '/work/app/src/a.ts' }] }))).toEqual([
      { answer: 'allowOnce', kind: 'edit', paths: ['src/a.ts'] },
      { answer: 'allowOnce', kind: 'edit', paths: ['src/**'] },
      { answer: 'rejectOnce', kind: 'edit', paths: ['src/a.ts'] },
    ]);
  });

  it('of a tool that says nothing of itself are none', async () => {
    expect(suggestRules(await judge({ kind: 'other', title: 'Deploy' }))).toEqual([]);
    expect(suggestRules(await judge({ kind: 'fetch', rawInput: { url: 'https://example.com' } }))).toContainEqual({
      answer: 'allowOnce',
      kind: 'fetch',
    });
  });

  it('answer the question that they were made of', async () => {
    const texts = fc.array(
      fc.constantFrom(
        'npm test',
        'git status',
        'cat a.txt',
        'cd src',
        "echo 'a b'",
        'rm x',
        'tsc -p .',
        'sort -u a',
        'rg x',
        './tool.sh --fast',
        'git diff --stat',
        'npm run lint -- --fix',
        'make -j4',
      ),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        const judged = await command(parts.join(' && '));
        for (const rule of suggestRules(judged))
          expect(await answer([rule], judged)).toBe(rule.answer === 'allowOnce' ? 'yes' : 'no');
      }),
    );
  });
});

describe('whatever rules there are', () => {
  const pattern = fc.constantFrom('*', 'npm *', 'npm test', 'rm *', 'git push *', 'cat *', 'echo *');
  const rule = fc.record(
    { answer: fc.constantFrom('allowOnce', 'rejectOnce', 'ask'), command: pattern },
    { requiredKeys: ['answer', 'command'] },
  );
  const line = fc
    .array(
      fc.constantFrom(
        'npm test',
        'rm -rf build',
        'git push',
        'cat .env',
        'cat /etc/passwd',
        'echo $X',
        'echo a',
        'sudo ls',
        'cd ..',
      ),
      { minLength: 1, maxLength: 4 },
    )
    .chain((parts) => fc.constantFrom(' && ', '; ', ' | ', ' || ', '\n').map((by) => parts.join(by)));

  it('what a rule chooses was offered and is once; what must be asked is never allowed; a rule that rejects wins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 6 }),
        line,
        fc.subarray([always, once, no]),
        async (raw, text, offered) => {
          const judged = await command(text);
          const rules = rulesOf(...raw);
          const decision = decide(rules, judged, 'Agent', offered, true);
          if (!decision) return;
          expect(offered).toContain(decision.choice);
          expect(decision.choice.kind).toMatch(/_once$/);
          if (decision.choice.kind !== 'allow_once') return;
          expect(judged.mustAsk).toBeUndefined();
          expect(
            decide(
              rules.filter(({ answer }) => answer !== 'allowOnce'),
              judged,
              'Agent',
              options,
              true,
            ),
          ).toBeUndefined();
          expect(decide(rules.toReversed(), judged, 'Agent', offered, true)?.choice).toBe(decision.choice);
        },
      ),
    );
  });

  it('a pattern is matched in bounded time', () => {
    const text = 'a'.repeat(20_000);
    const started = workTime();
    expect(matchesCommand(text, `${'*a'.repeat(400)}b`)).toBe(false);
    expect(workTime() - started).toBeLessThan(5_000);
  });
});
