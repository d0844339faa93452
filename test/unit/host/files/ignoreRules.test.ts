import { expect, it, onTestFinished } from 'vitest';
import { IgnoreRules } from '../../../../src/host/files/ignoreRules';
import { DEFAULT_GUARDS, guardMatcher } from '../../../../src/changes/guardedFiles';
import { workTime } from '../../../fakes/workTime';

const watcherExclude = [
  '**/.git/objects/**',
  '**/.git/subtree-cache/**',
  '**/.hg/store/**',
  '**/{cache,tmp}/**',
  '/w/generated/**',
  'secret',
];

function rules(files: Record<string, string> = {}) {
  const reads: string[] = [];
  const read = (path: string) => {
    reads.push(path);
    return Promise.resolve(files[path]);
  };
  return { rules: new IgnoreRules({ root: '/w', excluded: watcherExclude, read }), reads };
}

it.each<[path: string, ignored: boolean, files?: Record<string, string>]>([
  ['/w/a.ts', false],
  ['/w/.git/index', true],
  // Windows and macOS take it for the same folder.
  ['/w/.GIT/index', true],
  ['/w/.git', true],
  ['/w/sub/.git/HEAD', true],
  ['/w/.github/ci.yml', false],
  ['/w/.gitignore', false],
  ['/w/x/cache/a', true],
  ['/w/tmp/a', true],
  ['/w/generated/a/b', true],
  ['/w/x/generated/a', false],
  ['/w/secret', true],
  ['/w/x/secret', false],
  ['/elsewhere/a', true],
  ['/w/node_modules/a/b.js', true, { '/w/.gitignore': 'node_modules/\n' }],
  ['/w/node_modules', false, { '/w/.gitignore': 'node_modules/\n' }],
  ['/w/deep/node_modules/a', true, { '/w/.gitignore': 'node_modules/\n' }],
  ['/w/a.log', true, { '/w/.gitignore': '*.log\n!keep.log\n' }],
  ['/w/keep.log', false, { '/w/.gitignore': '*.log\n!keep.log\n' }],
  ['/w/x/a.log', false, { '/w/.gitignore': '*.log\n', '/w/x/.gitignore': '!a.log\n' }],
  ['/w/x/b', true, { '/w/x/.gitignore': '/b\n' }],
  ['/w/b', false, { '/w/x/.gitignore': '/b\n' }],
  ['/w/x/y/b', false, { '/w/x/.gitignore': '/b\n' }],
  ['/w/private/a', true, { '/w/.git/info/exclude': 'private\n' }],
  ['/w/first/a', true, { '/w/.gitignore': '\uFEFFfirst\r\nsecond\r\n' }],
  ['/w/second/a', true, { '/w/.gitignore': '\uFEFFfirst\r\nsecond\r\n' }],
  ['/w/name with #%.txt', false, { '/w/.gitignore': '# a comment\n' }],
])('%s ignored: %s', async (path, ignored, files) => {
  const { rules: own } = rules(files);
  await own.learn(path);
  expect(own.isIgnored(path)).toBe(ignored);
});

it.each<[platform: NodeJS.Platform, ignored: boolean]>([
  ['linux', false],
  ['darwin', true],
])('names that differ by case are one where the system takes them for one: %s', async (platform, ignored) => {
  const usual = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: usual }));
  const { rules: own } = rules({ '/w/.gitignore': 'build/\n*.log\n' });
  for (const path of ['/w/Build/a.ts', '/w/a.LOG', '/w/SECRET']) {
    await own.learn(path);
    expect(own.isIgnored(path), path).toBe(ignored);
  }
  await own.learn('/w/build/a.ts');
  expect(own.isIgnored('/w/build/a.ts')).toBe(true);
});

it('a burst of 10,000 files below an ignored folder reads three files of rules at most, whatever lies in it', async () => {
  const { rules: own, reads } = rules({ '/w/.gitignore': 'node_modules\n' });
  await own.learn('/w/node_modules/p/a.js');
  for (let i = 0; i < 10_000; i++) {
    expect(own.learn(`/w/node_modules/p${i % 500}/lib/f${i}.js`)).toBeUndefined();
    expect(own.isIgnored(`/w/node_modules/p${i % 500}/lib/f${i}.js`)).toBe(true);
  }
  expect(reads).toEqual(['/w/.git/info/exclude', '/w/.gitignore']);
});

it.each<[path: string, state: 'seen' | 'guarded' | 'ignored']>([
  ['/w/.env', 'guarded'],
  ['/w/sub/.env.local', 'guarded'],
  ['/w/.vscode/tasks.json', 'guarded'],
  ['/w/tools/.env/lib/python/x.py', 'ignored'],
  ['/w/.npmrc', 'seen'],
  ['/w/debug.log', 'ignored'],
  ['/w/node_modules/a/.env', 'ignored'],
  ['/w/node_modules/.package-lock.json', 'ignored'],
  ['/w/node_modules/a/.git/hooks/post-checkout', 'ignored'],
  ['/w/.git/hooks/pre-commit', 'guarded'],
  ['/w/.git/hooks/deep/er', 'guarded'],
  ['/w/.git/hooks/pre-commit.sample', 'ignored'],
  ['/w/.git/config', 'guarded'],
  ['/w/sub/.git/config', 'guarded'],
  ['/w/.git/index', 'ignored'],
  ['/w/.git/config.lock', 'ignored'],
  ['/w/.git/logs/HEAD', 'ignored'],
  ['/w/.git/refs/heads/hooks/x', 'ignored'],
  ['/w/.git/objects/00/11', 'ignored'],
  ['/w/.git', 'ignored'],
])('guarded among what git ignores: %s is %s', async (path, state) => {
  const read = (file: string) =>
    Promise.resolve(
      (
        { '/w/.gitignore': '.env*\nnode_modules/\n*.log\n.vscode\n', '/w/tools/.env/pyvenv.cfg': '' } as Record<
          string,
          string
        >
      )[file],
    );
  const own = new IgnoreRules({ root: '/w', excluded: watcherExclude, read, isGuarded: guardMatcher(DEFAULT_GUARDS) });
  await own.learn(path);
  expect(own.isIgnored(path) ? 'ignored' : own.isOnlyGuarded(path) ? 'guarded' : 'seen').toBe(state);
});

it('a pattern that would hold up the host is no rule', async () => {
  const name = 'a'.repeat(250);
  const { rules: own } = rules({ '/w/.gitignore': `${'*a'.repeat(20)}b\n${'**/a*/'.repeat(10)}b\n*.log\n` });
  await own.learn('/w/a.log');
  const started = workTime();
  expect([own.isIgnored(`/w/${name}`), own.isIgnored('/w/a.log')]).toEqual([false, true]);
  expect(workTime() - started).toBeLessThan(8_000);
});

it('a glob of the settings that would hold up the host leaves nothing out', () => {
  const started = workTime();
  const excluded = ['{a,b}'.repeat(40), '{'.repeat(500_000), `**/${'*a'.repeat(30)}b`, '**/{out,dist}/**'];
  const own = new IgnoreRules({ root: '/w', excluded, read: () => Promise.resolve(undefined) });
  expect(['a'.repeat(40), 'a'.repeat(200), 'x/dist/a', 'out/a'].map((path) => own.isIgnored(`/w/${path}`))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(workTime() - started).toBeLessThan(10_000);
});

it('asks the repository that a file is in, and none around that', async () => {
  const files: Record<string, string> = {
    '/w/.gitignore': '*.log\nbuild/\n',
    '/w/sub/.gitignore': '*.tmp\n',
    '/w/sub/deep/.gitignore': '!a.tmp\n',
  };
  const excludes: Record<string, string> = { '/w': 'own\n', '/w/sub': '*.mine\n', '/w/build/inner': '' };
  const repositoryAt = async (folder: string) =>
    excludes[folder] === undefined ? undefined : { exclude: excludes[folder] };
  const own = new IgnoreRules({ root: '/w', excluded: [], read: async (path) => files[path], repositoryAt });
  const ignored: Record<string, boolean> = {
    '/w/a.log': true,
    '/w/sub/a.log': false,
    '/w/sub/deep/a.log': false,
    '/w/sub/a.tmp': true,
    '/w/sub/deep/a.tmp': false,
    '/w/sub/a.mine': true,
    '/w/a.mine': false,
    '/w/own': true,
    '/w/sub/own': false,
    '/w/build/inner/a': true,
    '/w/sub/build/a': false,
  };
  for (const path of Object.keys(ignored)) await own.learn(path);
  expect(Object.fromEntries(Object.keys(ignored).map((path) => [path, own.isIgnored(path)]))).toEqual(ignored);
});
