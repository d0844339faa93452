import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assess } from '../../../src/permission/assess';
import { decodeRules } from '../../../src/permission/decodeRules';
import { parseCommand } from '../../../src/permission/parseCommand';
import { decide } from '../../../src/permission/rules';
import { subjectOf } from '../../../src/permission/subject';
import { tries } from '../../fakes/tries';

/*
 * Whatever is read as simple commands, real shells run just these words, and nothing else. Every program here is a
 * function that only writes down its words.
 */

const programs = ['echo', 'ls', 'grep', 'cat', 'tail'] as const;
const shells = ['bash', 'dash', 'sh', 'zsh', 'ksh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', 'true']).status === 0,
);
const posixPrelude = `
PATH=/nowhere
record() { printf '%s\\037' "$@" "$MARK" >&3; return "$STATUS"; }
${programs.map((name) => `${name}() { record ${name} "$@"; }`).join('\n')}
for line do (eval "$line"; wait); record "$NEXT"; done`;
const fishPrelude = `
set -x PATH /nowhere
function record; printf '%s\\037' $argv $MARK >&3; return $STATUS; end
${programs.map((name) => `function ${name}; record ${name} $argv; end`).join('\n')}
for line in $argv; eval $line; record $NEXT; end`;
/** Words of a shell that run a script with arguments. */
const scriptOf = (shell: string) =>
  shell === 'fish' ? ['--no-config', '-c', fishPrelude] : ['-c', posixPrelude, shell];

/** What a shell runs of each line, where all programs succeed or all fail; and that it writes no file. */
function ran(shell: string, lines: readonly string[], status: '0' | '1'): string[][][] {
  const cwd = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  // Globs have something to stand for.
  writeFileSync(path.join(cwd, 'ab'), '');
  const { output } = spawnSync(shell, [...scriptOf(shell), ...lines], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', MARK: '\u001e', NEXT: '\u001d', STATUS: status },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  expect(readdirSync(cwd)).toEqual(['ab']);
  const records = (output[3] ?? '').split('\u001f\u001e\u001f').map((record) => record.split('\u001f'));
  const byLine: string[][][] = [[]];
  for (const record of records.slice(0, -1)) {
    if (record[0] === '\u001d') byLine.push([]);
    else byLine.at(-1)!.push(record);
  }
  return byLine.slice(0, -1);
}

/** Two commands of a pipe write down their words at once, and whole only where they have one line to write. */
function isTorn(text: string, commands: readonly (readonly string[])[]): boolean {
  return text.includes('|') && commands.some((words) => words.some((item) => item.includes('\n')));
}

const word = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom('a', '-u', 'b.ts', "'a b'", '"a; b"') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'a',
      '-u',
      '--x=y',
      'a/b.ts',
      'HEAD~1',
      'a^',
      'x:~',
      '~',
      '~x',
      '=ls',
      "'a b'",
      '"a b"',
      '"a\\b"',
      '"a\\\\b"',
      "'a\\b'",
      '"a\\"b"',
      '"\\$x"',
      '"\\`echo b\\`"',
      '"a\\',
      "'a\nb'",
      '"a\nb"',
      "'a\\\nb'",
      'a\\;b',
      '\\ b',
      '\\*',
      '\\a',
      '"$x"',
      "'$x'",
      '$x',
      '`echo b`',
      '"`echo b`"',
      '$(echo b)',
      '{a,b}',
      '{a}',
      '*',
      'a*',
      '[a]b',
      'a?',
      '!',
      '!x',
      '#a',
      'a#b',
      'A=1',
      'A+=1',
      'a[0]=1',
      '%1',
      "$'a'",
      '$"a"',
      "''",
      '""',
      'a\'b\'"c"',
      'é',
      '-',
      '\u00a0',
      "'\u0001'",
      '@(a)',
      'a(b',
      '"!x"',
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...'ab1-=:~^%+@,./_\\\'"$`*?[]{}()<>|&;#! \t\n'.split('')), { maxLength: 6 })
      .map((chars) => chars.join('')),
  },
);
const end = fc.constantFrom(
  ...Array<string>(20).fill(''),
  ' 2>&1',
  ' >/dev/null',
  ' > /dev/null 2>&1',
  ' </dev/null',
  ' >>/dev/null',
  ' >f',
  ' 2>&-',
  ' >&f',
  ' &>/dev/null',
  ' >/dev/nullx',
  '2>&1',
  ' 3>&1',
  ' <f',
  ' <<EOF\nx\nEOF',
  ' <<< x',
  ' 1>(echo b)',
  ' >& -a',
  ' # a',
  ' &',
  ' >|f',
);
const command = fc
  .tuple(
    fc.constantFrom<string>(
      ...programs,
      ...programs,
      ...programs,
      'if',
      'time',
      '!',
      '(echo',
      '{',
      'A=1 echo',
      '\\echo',
      "'echo'",
      'eval',
      'while',
    ),
    fc.array(word, { maxLength: 4 }),
    end,
  )
  .map(([program, words, last]) => [program, ...words].join(' ') + last);
const glue = fc.constantFrom(
  ' && ',
  ' || ',
  '; ',
  '\n',
  ' | ',
  ' |& ',
  ' & ',
  ';',
  '&&\n',
  ' | \n',
  ' \\\n',
  '\\\n',
  ' ;; ',
  '\n\n',
  '\r\n',
  ' ',
);
const line = fc
  .array(fc.tuple(command, glue), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, by], index) => text + (index < parts.length - 1 ? by : '')).join(''));

describe.skipIf(shells.length === 0)('simple commands', () => {
  const simple = fc.sample(line, tries(24_000)).flatMap((text) => {
    const parsed = parseCommand(text, 'bash');
    const commands = (parsed?.commands ?? []).map(({ words }) => words.map((item) => item.text));
    // Only the programs here write down their words.
    const isKnown = commands.every(([program]) => programs.some((name) => name === program)) && !isTorn(text, commands);
    return parsed?.isSimple && isKnown ? [{ text, commands: commands.map((words) => JSON.stringify(words)) }] : [];
  });
  const texts = simple.map(({ text }) => text);

  it('are found often enough to be compared', () => expect(simple.length).toBeGreaterThan(tries(1_200)));

  it.each(shells)('are what %s runs', (shell) => {
    const [good, bad] = [ran(shell, texts, '0'), ran(shell, texts, '1')];
    for (const [index, { text, commands }] of simple.entries()) {
      const found = new Set([...good[index]!, ...bad[index]!].map((record) => JSON.stringify(record)));
      expect({ text, found: [...found].toSorted() }).toEqual({ text, found: [...new Set(commands)].toSorted() });
    }
  });

  it.each(shells)('run nothing in %s that an allow rule does not name', async (shell) => {
    const rules = fc.subarray(
      ['echo *', 'ls *', 'grep *', 'cat *', 'tail *', 'echo a', 'echo -u a', '* a', 'echo a*'],
      { minLength: 2 },
    );
    const allowed: { readonly text: string; readonly patterns: readonly string[] }[] = [];
    for (const [text, patterns] of fc.sample(fc.tuple(line, rules), tries(10_000))) {
      if (
        isTorn(
          text,
          (parseCommand(text, 'bash')?.commands ?? []).map(({ words }) => words.map((item) => item.text)),
        )
      )
        continue;
      const judged = await assess(subjectOf({ kind: 'execute', rawInput: { command: text } }), {
        cwd: '/work',
        home: '/home/me',
        dialect: 'bash',
        look: async () => ({ inside: true, exists: false, guarded: false, relative: 'x', real: 'x' }),
      });
      if (
        decide(
          decodeRules([{ answer: 'allowOnce', command: patterns }]).rules,
          judged,
          'Agent',
          [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          true,
        )
      )
        allowed.push({ text, patterns });
    }
    expect(allowed.length).toBeGreaterThan(tries(200));
    const lines = allowed.map(({ text }) => text);
    const runs = [ran(shell, lines, '0'), ran(shell, lines, '1')];
    for (const [index, { text, patterns }] of allowed.entries()) {
      for (const words of runs.flatMap((run) => run[index]!))
        expect({ text, words, isNamed: patterns.some((pattern) => names(pattern, words)) }).toMatchObject({
          isNamed: true,
        });
    }
  });
});

/** Whether a pattern names a command, in the way of the README: an independent reading of the few patterns above. */
function names(pattern: string, words: readonly string[]): boolean {
  const text = words.join(' ');
  if (!pattern.includes('*')) return text === pattern;
  if (pattern === '* a') return text.endsWith('a');
  return pattern === 'echo a*'
    ? /^echo '?a/.test(text) || text.startsWith('echo a')
    : words[0] === pattern.slice(0, -2);
}
