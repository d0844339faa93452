import { expect, test } from 'vitest';
import { packageRunner } from '../../../../src/host/agents/packageRunner';

test.each<[string, readonly string[], ReturnType<typeof packageRunner>]>([
  [
    'npx',
    ['-y', '@google/gemini-cli', '--acp'],
    { runner: 'npx', package: { manager: 'npm', spec: '@google/gemini-cli', args: ['--acp'] } },
  ],
  [
    '/usr/bin/npx',
    ['opencode-ai@^1.18', 'acp'],
    { runner: 'npx', package: { manager: 'npm', spec: 'opencode-ai@^1.18', args: ['acp'] } },
  ],
  [
    'C:\\Program Files\\nodejs\\npx.cmd',
    ['--yes', 'a@latest'],
    { runner: 'npx', package: { manager: 'npm', spec: 'a@latest', args: [] } },
  ],
  ['bunx', ['--bun', 'a'], { runner: 'bunx', package: { manager: 'npm', spec: 'a', args: [] } }],
  [
    'npm',
    ['exec', '-y', 'a', '--', '--acp'],
    { runner: 'npm', package: { manager: 'npm', spec: 'a', args: ['--acp'] } },
  ],
  ['pnpm', ['dlx', 'a'], { runner: 'pnpm', package: { manager: 'npm', spec: 'a', args: [] } }],
  // What Parley cannot install is still warned of.
  ['npx', ['-p', 'a', 'b'], { runner: 'npx' }],
  ['npx', ['./local'], { runner: 'npx' }],
  ['npx', ['github:someone/thing'], { runner: 'npx' }],
  ['npx', [], { runner: 'npx' }],
  [
    'bunx',
    ['@s/a@1.2.3', '--acp'],
    { runner: 'bunx', package: { manager: 'npm', spec: '@s/a@1.2.3', args: ['--acp'] } },
  ],
  ['bun', ['x', 'a'], { runner: 'bun', package: { manager: 'npm', spec: 'a', args: [] } }],
  ['uvx', ['a'], { runner: 'uvx', package: { manager: 'uv', spec: 'a', args: [] } }],
  [
    '/home/me/.local/bin/uvx',
    ['a==1.2.3', '--acp'],
    { runner: 'uvx', package: { manager: 'uv', spec: 'a==1.2.3', args: ['--acp'] } },
  ],
  [
    'C:\\bin\\uvx.exe',
    ['a@1.2.3rc1', '-q'],
    { runner: 'uvx', package: { manager: 'uv', spec: 'a==1.2.3rc1', args: ['-q'] } },
  ],
  ['uvx', ['-q', '--isolated', 'a@latest'], { runner: 'uvx', package: { manager: 'uv', spec: 'a', args: [] } }],
  [
    'uvx',
    ['--from', 'a==1.2.3', 'b', '--from', 'x'],
    { runner: 'uvx', package: { manager: 'uv', spec: 'a==1.2.3', args: ['--from', 'x'], program: 'b' } },
  ],
  [
    'uvx',
    ['--from=a[acp,x]>=1.2,<2', '-q', 'a-b'],
    { runner: 'uvx', package: { manager: 'uv', spec: 'a[acp,x]>=1.2,<2', args: [], program: 'a-b' } },
  ],
  ['uvx', ['--from', 'a', 'a'], { runner: 'uvx', package: { manager: 'uv', spec: 'a', args: [] } }],
  ['uv', ['tool', 'run', 'a', 'acp'], { runner: 'uv', package: { manager: 'uv', spec: 'a', args: ['acp'] } }],
  ['uvx', ['--python', '3.12', 'a'], { runner: 'uvx' }],
  ['uvx', ['--with', 'b', 'a'], { runner: 'uvx' }],
  ['uvx', ['--from', 'git+https://git.invalid/a', 'a'], { runner: 'uvx' }],
  ['uvx', ['--from', './a', 'a'], { runner: 'uvx' }],
  ['uvx', ['--from', 'a'], { runner: 'uvx' }],
  ['uvx', ['--from', 'a', '../b'], { runner: 'uvx' }],
  ['uvx', ['a@>=1'], { runner: 'uvx' }],
  // Python itself is no package.
  ['uvx', ['python', '-m', 'a'], { runner: 'uvx' }],
  ['uvx', ['python3.12', 'a.py'], { runner: 'uvx' }],
  ['uvx', ['--from', 'python@3.12', 'a'], { runner: 'uvx' }],
  ['uvx', [], { runner: 'uvx' }],
  ['pipx', ['run', 'a'], { runner: 'pipx' }],
  ['uv', ['run', 'a.py'], undefined],
  ['npm', ['start'], undefined],
  ['node', ['npx'], undefined],
  ['constructor', [], undefined],
])('%s %j', (command, args, expected) => {
  expect(packageRunner(command, args)).toEqual(expected);
});
