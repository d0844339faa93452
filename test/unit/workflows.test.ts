import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { wantedVersion } from '../launch/project.mjs';
import { targets } from '../launch/vsixTargets.mjs';

const root = path.join(import.meta.dirname, '../..');
const folder = '.github/workflows';
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly defaults?: { readonly run: { readonly shell: string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
const workflow = (file: string) => parse(textOf(file)) as Workflow;
const jobsOf = (file: string) => Object.entries(workflow(file).jobs);
const stepsOf = (file: string) => jobsOf(file).flatMap(([, { steps }]) => steps);
const runsOf = (file: string) => new Set(stepsOf(file).flatMap(({ run }) => (run === undefined ? [] : [run])));

const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
/** The keys of a table in a launcher. */
const keysIn = (file: string) => [...textOf(file).matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name!);
const parts = keysIn('test/launch/testLong.mjs');

const launchers = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:launch|agents|vscode)\b.*\.(?:mjs|ts)$/.test(name))
  .map((name) => textOf(`test/${name}`))
  .join('\n');

describe.each(files)('%s', (file) => {
  it('may only read, but for the job that lists a release, and stops by itself', () => {
    const { permissions, concurrency, on } = workflow(file);
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency).toBeDefined();
    expect(Object.keys(on)).not.toContain('pull_request_target');
    for (const [name, job] of jobsOf(file)) {
      expect(job.permissions, name).toEqual(
        file.endsWith('release.yml') && name === 'list' ? { contents: 'write' } : undefined,
      );
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
  });

  it('uses actions of one commit, whose version it says', () => {
    const lines = textOf(file)
      .split('\n')
      .filter((line) => /^[\s-]*uses:/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('has steps that bash can read, into which GitHub writes nothing', () => {
    expect(workflow(file).defaults).toEqual({ run: { shell: 'bash' } });
    expect([...runsOf(file)].filter((run) => run.includes('${{'))).toEqual([]);
    const input = [...runsOf(file)].map((run) => `(\n${run}\n)\n`).join('');
    expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('names scripts, rings, parts, files and variables that exist', () => {
    for (const run of runsOf(file)) {
      for (const [, script] of run.matchAll(/npm run ([\w:]+)/g)) expect(scripts, run).toHaveProperty([script!]);
      for (const [, rings] of run.matchAll(/npm test -- ([\w ]+)/g))
        expect(keysIn('test/launch/test.mjs')).toEqual(expect.arrayContaining(rings!.trim().split(' ')));
      for (const [, part] of run.matchAll(/test:long -- (\w+)/g)) expect(parts).toContain(part);
      for (const [name] of run.matchAll(/(?<![\w/])(?:\.ci|src|test|docs|media)\/[\w./-]+/g))
        expect(existsSync(path.join(root, name)), name).toBe(true);
    }
    const variables = jobsOf(file).flatMap(([, { env, steps }]) => [env, ...steps.map((step) => step.env)]);
    const names = variables.flatMap((env) => Object.keys(env ?? {})).filter((name) => name.startsWith('PARLEY_'));
    expect(names.filter((name) => !launchers.includes(`process.env['${name}']`))).toEqual([]);
  });
});

it('the oldest VS Code that the suite can be told to run in is the one of the manifest', () => {
  const { engines } = JSON.parse(textOf('package.json')) as { readonly engines: { readonly vscode: string } };
  expect(`^${wantedVersion('oldest')}`).toBe(engines.vscode);
  expect([wantedVersion('1.108.2'), wantedVersion('insiders'), wantedVersion('')]).toEqual([
    '1.108.2',
    'insiders',
    undefined,
  ]);
});

it('each night has all long parts', () => {
  expect(workflow(`${folder}/nightly.yml`).jobs['long']?.strategy?.matrix['part']).toEqual(parts);
});

describe('a release', () => {
  const { jobs } = workflow(`${folder}/release.yml`);

  it('is tried on every platform with native parts before it is published', () => {
    const systems = { ubuntu: 'linux', macos: 'darwin', windows: 'win32' };
    const tried = jobs['try']!.strategy!.matrix['runner']!.map((runner) => {
      const [system, ...rest] = runner.split('-') as [keyof typeof systems, ...string[]];
      const isArm = rest.includes('arm') || (system === 'macos' && !rest.includes('intel'));
      return `${systems[system]}-${isArm ? 'arm64' : 'x64'}`;
    });
    expect(tried.toSorted()).toEqual(targets.filter((target) => !/alpine|universal/.test(target)).toSorted());
    expect(jobs['publish']).toMatchObject({ needs: ['make', 'again', 'try'], if: "github.ref_type == 'tag'" });
  });

  it('shows its keys to one step, which builds nothing', () => {
    const withKeys = files.flatMap((file) => stepsOf(file).filter((step) => JSON.stringify(step).includes('secrets.')));
    expect(withKeys.map(({ run }) => run)).toEqual(['npm run release -- --made --publish']);
    expect(files.filter((file) => textOf(file).includes('secrets.'))).toEqual([`${folder}/release.yml`]);
    expect(jobs['publish']?.environment).toBe('release');
  });
});

describe('the issue forms', () => {
  const forms = readdirSync(path.join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
  const titles = JSON.parse(textOf('package.nls.json')) as Readonly<Record<string, string>>;

  it.each(forms)('%s has all that GitHub asks for, and names only commands that exist', (name) => {
    const text = textOf(`.github/ISSUE_TEMPLATE/${name}`);
    const form = parse(text) as { readonly body: readonly { readonly type: string; readonly id?: string }[] };
    expect(form).toMatchObject({ name: expect.any(String) as string, description: expect.any(String) as string });
    const asked = form.body.filter(({ type }) => type !== 'markdown');
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    for (const field of asked) {
      expect(['textarea', 'input', 'dropdown', 'checkboxes']).toContain(field.type);
      expect(field).toMatchObject({
        id: expect.stringMatching(/^[a-z]+$/) as string,
        attributes: { label: expect.any(String) as string },
      });
    }
    const commands = [...text.matchAll(/“Parley: ([^”]+)”/g)].map(([, title]) => title);
    expect(Object.values(titles)).toEqual(expect.arrayContaining(commands));
  });
});
