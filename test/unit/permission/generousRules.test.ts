import { readFileSync } from 'node:fs';
import nodePath, { posix } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assess, type FolderContents } from '../../../src/permission/assess';
import { decodeRules } from '../../../src/permission/decodeRules';
import { decide } from '../../../src/permission/rules';
import type { ShellDialect } from '../../../src/permission/shellCommand';
import { subjectOf } from '../../../src/permission/subject';
import { guardMatcher } from '../../../src/changes/guardedFiles';

/** A folder with a link out of it and one to what is guarded. */
const files = ['.env', 'src/a.ts', 'src/deep/k.key', 'secrets/k', 'build/out.js', 'node_modules/x/package.json'];
const out = 'src/out';
const links: Readonly<Record<string, string>> = { link: '/etc', other: '/work/app/.env' };
const options = [
  { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
] as const;

async function answer(rules: readonly object[], question: object, dialect: ShellDialect = 'bash'): Promise<string> {
  const { rules: decoded, problems } = decodeRules(rules);
  expect(problems).toEqual([]);
  const named = (file: string) => file.replace(/^\/work\/app\/?/, '') || '.';
  const judged = await assess(subjectOf(question, undefined), {
    cwd: '/work/app',
    home: '/home/me',
    dialect,
    look: async (written) => {
      const path = posix.normalize(written).replace(/(?<=.)\/$/, '');
      const [first = '', ...rest] = named(path).split('/');
      const real = Object.hasOwn(links, first) ? [links[first], ...rest].join('/') : path;
      return {
        inside: real === '/work/app' || real.startsWith('/work/app/'),
        exists: files.some((file) => file === named(path) || file.startsWith(`${named(path)}/`)) || first in links,
        guarded: guardMatcher(['.env*'])(named(real)),
        relative: named(path),
        real: named(real),
      };
    },
    contents: async (path): Promise<FolderContents | undefined> => {
      const folder = named(posix.normalize(path));
      const within = ['.', '/work', '/'].includes(folder)
        ? files
        : files.filter((file) => file.startsWith(`${folder}/`));
      const guarded = within.find((file) => guardMatcher(['.env*'])(file));
      return within.length > 0
        ? {
            names: within,
            ...(guarded === undefined ? {} : { guarded }),
            ...(folder === '.' || folder === 'src' ? { leadsOut: out } : {}),
            complete: !within.includes('node_modules/x/package.json') || within.length > 1,
            guardsComplete: true,
          }
        : undefined;
    },
    hasRestraints: decoded.some((rule) => rule.answer !== 'allowOnce' && rule.paths),
  });
  return decide(decoded, judged, 'Agent', options, true)?.choice.optionId ?? 'ask';
}

const allowing = (...command: string[]) => ({ answer: 'allowOnce', command });
const run = (command: string) => ({ kind: 'execute', rawInput: { command } });

const readFixture = (name: string): unknown =>
  JSON.parse(readFileSync(nodePath.join(import.meta.dirname, `../../fixtures/permission/${name}.json`), 'utf8'));
const never = readFixture('neverAllowed') as Readonly<Record<string, readonly string[]>>;

describe.each(Object.entries(never))('what no generous rule allows: %s', (_about, commands) => {
  it.each(commands)('%j', async (text) => {
    const program = text.split(' ')[0]!.replaceAll('*', '');
    for (const rule of ['*', `${program} *`, `${program}*`])
      expect({ rule, answer: await answer([allowing(rule)], run(text)) }).toEqual({ rule, answer: 'ask' });
  });
});

describe('what no generous rule allows', () => {
  it.each(readFixture('neverInDialect') as readonly (readonly [ShellDialect, string])[])(
    'of %s: %s',
    async (dialect, text) => expect(await answer([allowing('*')], run(text), dialect)).toBe('ask'),
  );

  it('a program in the folder, which cmd.exe finds first', async () => {
    const before = files.splice(0, files.length, 'git.exe', 'src/ls.cmd', 'npm.js');
    onTestFinished(() => void files.splice(0, files.length, ...before));
    const answers = async (dialect: ShellDialect) =>
      Promise.all(
        ['git status', 'git.exe status', 'cd src && ls', 'npm test', 'ls src', 'cat x'].map((text) =>
          answer([allowing('*', text)], run(text), dialect),
        ),
      );
    expect(await answers('unknown')).toEqual(['ask', 'ask', 'ask', 'ask', 'yes', 'yes']);
    expect(await answers('bash')).toEqual(Array(6).fill('yes'));
  });

  it.each<[readonly string[], string]>([
    [['npx *'], 'npx tsc'],
    [['npx ts*'], 'npx tsc'],
    [['uv run *'], 'uv run pytest'],
    [['uv run python *'], "uv run python -c 'x'"],
    [['python -c *'], "python -c 'x'"],
    [['LD_PRELOAD=*'], 'LD_PRELOAD=./x ls'],
    [['cat *', 'psql *'], 'psql <<EOF\nselect 1\nEOF'],
  ])('%s does not name %s', async (patterns, text) =>
    expect(await answer([allowing(...patterns)], run(text))).toBe('ask'),
  );
});

const wildcards = readFixture('wildcards') as Readonly<
  Record<'allowed' | 'onlyWhole' | 'moreThanSimple', readonly (readonly string[])[]>
>;

describe('what stays allowed', () => {
  it.each(wildcards.allowed)('%j, %j', async (...row) =>
    expect(await answer([allowing(...row.slice(0, -1))], run(row.at(-1)!))).toBe('yes'),
  );
});

describe('what asks because it is more than a chain of simple commands', () => {
  it.each(wildcards.moreThanSimple)('%j', async (text) => {
    const inner = ['npm test', 'ls', 'cat *', 'psql', './tool.sh', String(text)];
    for (const rules of [[allowing('*')], [allowing(...inner)]])
      expect(await answer(rules, run(String(text)))).toBe('ask');
  });

  it.each(wildcards.onlyWhole)('%s does not allow %s, which its own words do', async (pattern, text) => {
    expect(await answer([allowing('*'), allowing(pattern!)], run(text!))).toBe('ask');
    expect(await answer([allowing(text!.replaceAll('"', "'"))], run(text!))).toBe('yes');
  });
});

describe('rules about files and the folders around them', () => {
  const secrets = (rule: string) => ({ answer: rule, paths: ['secrets/**'] });
  it.each(readFixture('folderRejected') as readonly (readonly [string, 'no' | 'yes' | 'ask'])[])(
    'a rule that rejects a folder, asked for %s: %s',
    async (text, expected) => expect(await answer([allowing('*'), secrets('rejectOnce')], run(text))).toBe(expected),
  );

  it('a rule that rejects sees what is run behind options that cling together', async () => {
    for (const text of ['sudo -nu root rm x', 'env -iu A rm x', "npx -c 'rm x'"])
      expect(await answer([allowing('*'), { answer: 'rejectOnce', command: 'rm *' }], run(text))).toBe('no');
  });

  it('a rule that asks does, and one for any folder sees what lies deeper', async () => {
    expect(await answer([allowing('*'), secrets('ask')], run('ls .'))).toBe('ask');
    expect(await answer([allowing('*'), { answer: 'rejectOnce', paths: ['*.key'] }], run('rm -rf src'))).toBe('no');
    expect(
      await answer([allowing('*'), { answer: 'rejectOnce', paths: ['/src/deep/k.key'] }], run('rm -rf src/deep')),
    ).toBe('no');
    expect(
      await answer([{ answer: 'allowOnce', kind: 'search' }, secrets('rejectOnce')], {
        kind: 'search',
        rawInput: { where: '.' },
      }),
    ).toBe('no');
  });

  it('what is deleted or moved with a guarded file in it is asked about', async () => {
    for (const text of [
      'rm -rf .',
      'mv . src',
      'chmod -R 777 .',
      'find . -delete',
      'git clean -fdx',
      'cp -r . build',
      'tar -czf a.tgz .',
      'zip -r a.zip .',
      'rsync -a . host.example:',
    ])
      expect(await answer([allowing('*')], run(text))).toBe('ask');
    expect(
      await answer([{ answer: 'allowOnce', kind: 'delete' }], { kind: 'delete', locations: [{ path: '/work/app' }] }),
    ).toBe('ask');
  });

  it('what follows the links of a folder is asked about where one leads out', async () => {
    for (const text of [
      'grep -R x src',
      'find -L src -name x',
      'rg -L x src',
      'cp -rL src build',
      'scp -r src host.example:',
    ])
      expect(await answer([allowing('*')], run(text))).toBe('ask');
    for (const text of ['grep -r x src', 'find src -name x', 'cp -r src build', 'grep -R x build'])
      expect(await answer([allowing('*')], run(text))).toBe('yes');
  });

  it.each<[string, object]>([
    ['a link out of the folder', { where: 'link' }],
    ['something behind it', { target_file: 'link/passwd' }],
    ['a guarded file', { target_file: '.env' }],
    ['a link to one', { names: ['src/a.ts', 'other'] }],
  ])('a tool is given %s under a name of its own', async (_what, rawInput) => {
    expect(
      await answer([{ answer: 'allowOnce', kind: 'read' }], {
        kind: 'read',
        locations: [{ path: '/work/app/src/a.ts' }],
        rawInput,
      }),
    ).toBe('ask');
  });

  it('a rule for a folder allows nothing that is named beside it', async () => {
    const rule = { answer: 'allowOnce', kind: 'read', paths: ['src/**'] };
    expect(
      await answer([rule], {
        kind: 'read',
        locations: [{ path: '/work/app/src/a.ts' }],
        rawInput: { also: 'secrets/k' },
      }),
    ).toBe('ask');
    expect(
      await answer([rule], {
        kind: 'read',
        locations: [{ path: '/work/app/src/a.ts' }],
        rawInput: { encoding: 'utf8', limit: '20' },
      }),
    ).toBe('yes');
  });
});
