import { expect, test } from 'vitest';
import { packageNameOf, packageRunner } from '../../../../src/host/agents/packageRunner';

test.each<[string, readonly string[], ReturnType<typeof packageRunner>]>([
  ['npx', ['-y', '@google/gemini-cli', '--acp'], { runner: 'npx', npm: { spec: '@google/gemini-cli', args: ['--acp'] } }],
  ['/usr/bin/npx', ['opencode-ai@^1.18', 'acp'], { runner: 'npx', npm: { spec: 'opencode-ai@^1.18', args: ['acp'] } }],
  ['C:\\Program Files\\nodejs\\npx.cmd', ['--yes', 'a@latest'], { runner: 'npx', npm: { spec: 'a@latest', args: [] } }],
  ['bunx', ['--bun', 'a'], { runner: 'bunx', npm: { spec: 'a', args: [] } }],
  ['npm', ['exec', '-y', 'a', '--', '--acp'], { runner: 'npm', npm: { spec: 'a', args: ['--acp'] } }],
  ['pnpm', ['dlx', 'a'], { runner: 'pnpm', npm: { spec: 'a', args: [] } }],
  // What Parley cannot install is still warned of.
  ['npx', ['-p', 'a', 'b'], { runner: 'npx' }],
  ['npx', ['./local'], { runner: 'npx' }],
  ['npx', ['github:someone/thing'], { runner: 'npx' }],
  ['npx', [], { runner: 'npx' }],
  ['uvx', ['a'], { runner: 'uvx' }],
  ['uv', ['tool', 'run', 'a'], { runner: 'uv' }],
  ['npm', ['start'], undefined],
  ['node', ['npx'], undefined],
  ['constructor', [], undefined],
])('%s %j', (command, args, expected) => {
  expect(packageRunner(command, args)).toEqual(expected);
});

test('a spec has its package’s name', () => {
  expect(['a', 'a@1', '@s/a', '@s/a@^1.0'].map(packageNameOf)).toEqual(['a', 'a', '@s/a', '@s/a']);
});
