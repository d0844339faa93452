import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';

const { base, found } = vi.hoisted(() => ({ base: { path: '' }, found: { names: [] as string[] } }));
vi.mock('vscode', () => ({
  env: {
    get appRoot() {
      return join(base.path, 'app');
    },
  },
  workspace: {
    getConfiguration: () => ({ get: (_: string, fallback: unknown) => fallback }),
    findFiles: () =>
      Promise.resolve(
        found.names.map((name) => ({ fsPath: join(base.path, 'work', name), path: join(base.path, 'work', name) })),
      ),
  },
  RelativePattern: function () {},
}));

base.path = realpathSync(mkdtempSync(join(tmpdir(), 'parley-listing-')));
afterAll(() => rmSync(base.path, { recursive: true, force: true }));

it.runIf(process.platform === 'linux')(
  'a repository cannot make the listing grow or hang, and is listed all the same',
  async () => {
    const work = join(base.path, 'work');
    const program = join(base.path, 'app/node_modules/@vscode/ripgrep/bin/rg');
    for (const folder of [join(program, '..'), join(work, 'pipe'), join(work, 'loop'), join(work, 'fine')])
      mkdirSync(folder, { recursive: true });
    // What ripgrep does with a line that never ends.
    writeFileSync(
      program,
      `#!/bin/sh\necho run >> ${base.path}/runs\ntail -n 1 /dev/zero 2>/dev/null\nkill -ABRT $$\n`,
    );
    chmodSync(program, 0o755);
    symlinkSync('/dev/zero', join(work, '.gitignore'));
    execFileSync('mkfifo', [join(work, 'pipe/.gitignore')]);
    symlinkSync('.gitignore', join(work, 'loop/.gitignore'));
    writeFileSync(join(work, 'fine/.gitignore'), '*.log\n');
    found.names = ['a.ts', 'pipe/a.log', 'loop/a.log', 'fine/a.log', 'fine/a.ts'];
    const { listFiles } = await import('../../../../src/host/files/fileListing');
    const warnings: string[] = [];
    const folder = { uri: { scheme: 'file', fsPath: work, path: work }, name: 'work', index: 0 } as never;
    for (let i = 0; i < 2; i++)
      expect(await listFiles(folder, { ...silentLogger, warn: (text) => void warnings.push(text) })).toEqual([
        'a.ts',
        'pipe/a.log',
        'loop/a.log',
        'fine/a.ts',
      ]);
    expect(existsSync(join(base.path, 'runs')) && readFileSync(join(base.path, 'runs'), 'utf8')).toBe('run\n');
    expect(warnings.map((text) => text.replace(work, '…').slice(0, 60))).toEqual([
      expect.stringMatching(/^VS Code's search lists work from now on/) as string,
      expect.stringMatching(/^…\/\.gitignore was skipped: it is a link that leaves/) as string,
      expect.stringMatching(/^…\/pipe\/\.gitignore was skipped/) as string,
      expect.stringMatching(/^…\/loop\/\.gitignore was skipped/) as string,
    ]);
  },
);

it.runIf(process.platform === 'linux').each<[platform: NodeJS.Platform, listed: string]>([
  ['darwin', 'U\u0308bersicht.md'.normalize('NFC')],
  ['linux', 'U\u0308bersicht.md'],
])('a file whose accent is stored apart is listed as VS Code names it: %s', async (platform, listed) => {
  const work = join(base.path, platform);
  const program = join(base.path, 'app/node_modules/@vscode/ripgrep/bin/rg');
  for (const folder of [join(program, '..'), work]) mkdirSync(folder, { recursive: true });
  writeFileSync(program, '#!/bin/sh\necho "U\u0308bersicht.md"\n');
  chmodSync(program, 0o755);
  const { listFiles } = await import('../../../../src/host/files/fileListing');
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: 'linux' }));
  const folder = { uri: { scheme: 'file', fsPath: work, path: work }, name: platform, index: 0 } as never;
  expect(await listFiles(folder, silentLogger)).toEqual([listed]);
});
