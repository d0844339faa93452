import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkPath, protectedPlaces } from '../../../../src/host/files/pathPolicy';
import { ProtectedPlaces } from '../../../../src/host/files/protectedPlaces';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-places-')));
afterAll(() => {
  protectedPlaces.protect({ storage: [], extensions: [], program: '', home: '/nowhere', open: [] });
  rmSync(base, { recursive: true, force: true });
});

let home = '';
beforeEach(() => (home = mkdtempSync(join(base, 'home-'))));

/** Makes a file with its folders. */
function make(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), '{}');
  }
}

/** VS Code with its data in a folder of the home folder. */
async function editorAt(data: string, extensions = '.vscode/extensions'): Promise<void> {
  const storage = join(home, data, 'User/globalStorage/parley.parley');
  mkdirSync(join(storage, 'scratch'), { recursive: true });
  make(`${extensions}/extensions.json`, `${extensions}/parley.parley-1.0.0/package.json`, `${data}/User/settings.json`);
  protectedPlaces.protect({
    storage: [
      storage,
      join(home, data, 'User/workspaceStorage/1234/parley.parley'),
      join(home, data, 'logs/20260101/window1/exthost/parley.parley'),
    ],
    extensions: [join(home, extensions, 'parley.parley-1.0.0')],
    program: join(home, 'program'),
    home,
    open: [join(storage, 'scratch')],
  });
  await protectedPlaces.read();
}

/** Whether a session in the home folder has a path. */
async function has(path: string): Promise<boolean> {
  const { inside, isProtected } = await checkPath(join(home, path), [home]);
  expect(isProtected).toBe(!inside);
  return inside;
}

const everywhere = (data: string) =>
  [
    'settings.json',
    'keybindings.json',
    'tasks.json',
    'mcp.json',
    'snippets/c.json',
    'profiles/ab12/settings.json',
    'globalStorage/state.vscdb',
    'globalStorage/parley.parley/x',
    'workspaceStorage/77/state.vscdb',
    'new/file',
  ].map((file) => `${data}/User/${file}`);

describe('the places that decide', () => {
  it.each<[layout: string, data: string, extensions: string, others: readonly string[]]>([
    ['desktop on Linux', '.config/Code', '.vscode/extensions', ['.vscode/argv.json', '.config/Code/logs/1/main.log']],
    ['desktop on macOS', 'Library/Application Support/Code', '.vscode/extensions', ['.vscode/argv.json']],
    ['desktop on Windows', 'AppData/Roaming/Code', '.vscode/extensions', ['.vscode/argv.json']],
    ['a server', '.vscode-server/data', '.vscode-server/extensions', ['.vscode-server/data/Machine/settings.json']],
    [
      'code-server',
      '.local/share/code-server',
      '.local/share/code-server/extensions',
      ['.local/share/code-server/Machine/settings.json'],
    ],
    ['portable', 'tools/code/data/user-data', 'tools/code/data/extensions', ['tools/code/data/argv.json']],
    ['a folder of the user’s own', 'work/state', 'work/ext', []],
  ])('of %s are in no session’s folders', async (_layout, data, extensions, others) => {
    await editorAt(data, extensions);
    for (const path of [
      ...everywhere(data),
      `${extensions}/extensions.json`,
      `${extensions}/other.one-1.0.0/main.js`,
      'program/out/main.js',
      ...others,
    ])
      expect(await has(path), path).toBe(false);
    for (const path of [
      'src/a.ts',
      `${data}-not/User/settings.json`,
      'work/a',
      'tools/code/README.md',
      '.config/other/config',
      '.config',
    ])
      expect(await has(path), path).toBe(true);
  });

  it('do not have the folder in their midst that agents may work in', async () => {
    await editorAt('.config/Code');
    expect(await has('.config/Code/User/globalStorage/parley.parley/scratch/a.ts')).toBe(true);
    expect(await has('.config/Code/User/globalStorage/parley.parley/scratch/../windows/a')).toBe(false);
  });

  it('are also those of another editor of this kind, by what is in its folder', async () => {
    make(
      '.config/Other/User/globalStorage/x',
      '.other-server/data/Machine/settings.json',
      '.other-server/extensions/extensions.json',
      '.plain/data/a',
    );
    await editorAt('.config/Code');
    for (const path of [
      '.config/Other/User/settings.json',
      '.other-server/data/Machine/settings.json',
      '.other-server/extensions/a/main.js',
    ])
      expect(await has(path), path).toBe(false);
    expect(await has('.plain/data/a')).toBe(true);
  });

  it.each<[what: string, link: () => void, path: string]>([
    [
      'a file',
      () => symlinkSync(join(home, 'dotfiles/s.json'), join(home, '.config/Code/User/keybindings.json')),
      'dotfiles/s.json',
    ],
    [
      'a file that is not there yet',
      () => symlinkSync(join(home, 'dotfiles/later.json'), join(home, '.config/Code/User/tasks.json')),
      'dotfiles/later.json',
    ],
    [
      'a file of a profile',
      () => (
        mkdirSync(join(home, '.config/Code/User/profiles/ab12'), { recursive: true }),
        symlinkSync(join(home, 'dotfiles/s.json'), join(home, '.config/Code/User/profiles/ab12/settings.json'))
      ),
      'dotfiles/s.json',
    ],
    [
      'a folder',
      () => symlinkSync(join(home, 'dotfiles'), join(home, '.config/Code/User/snippets')),
      'dotfiles/s.json',
    ],
    [
      'a link to a link',
      () => (
        symlinkSync('s.json', join(home, 'dotfiles/t.json')),
        symlinkSync(join(home, 'dotfiles/t.json'), join(home, '.config/Code/User/mcp.json'))
      ),
      'dotfiles/t.json',
    ],
    [
      'a second name',
      () => linkSync(join(home, 'dotfiles/s.json'), join(home, '.config/Code/User/mcp.json')),
      'dotfiles/s.json',
    ],
    [
      'a link in the workspace',
      () => symlinkSync(join(home, '.config/Code/User'), join(home, 'dotfiles/user')),
      'dotfiles/user/settings.json',
    ],
  ])('are also where %s leads that the user has made since', async (_what, link, path) => {
    make('dotfiles/s.json', 'dotfiles/README.md');
    await editorAt('.config/Code');
    link();
    await protectedPlaces.read();
    expect(await has(path)).toBe(false);
    if (_what !== 'a folder') expect(await has('dotfiles/README.md')).toBe(true);
  });

  it('are also known where all of the data is behind a link', async () => {
    make('dotfiles/code/User/settings.json');
    mkdirSync(join(home, '.config'));
    symlinkSync(join(home, 'dotfiles/code'), join(home, '.config/Code'));
    await editorAt('.config/Code');
    expect(await has('dotfiles/code/User/settings.json')).toBe(false);
    expect(await has('.config/Code/User/settings.json')).toBe(false);
    expect(await has('dotfiles/code/User/globalStorage/parley.parley/scratch/a')).toBe(true);
  });

  it('are in folders and patterns around them', async () => {
    await editorAt('.config/Code');
    for (const path of [
      '.config',
      '.',
      '.con*',
      '.config/*/User/settings.json',
      '*/Code',
      '.config/Code/../..',
      '.config/{Code,x}/User',
    ])
      expect(protectedPlaces.isAbove(join(home, path)), path).toBe(true);
    for (const path of ['.config/other', 'src', 'src/*', '.config/other/*', '.config/Codes'])
      expect(protectedPlaces.isAbove(join(home, path)), path).toBe(false);
  });

  it('are the same in any spelling, where the system says so', () => {
    const places = new ProtectedPlaces(
      (path) => path.toLowerCase(),
      async (path) => path,
    );
    places.protect({
      storage: ['/Home/.config/Code/User/globalStorage/p'],
      extensions: [],
      program: '',
      home: '/Home',
      open: [],
    });
    expect(places.has('/home/.CONFIG/code/user/SETTINGS.json')).toBe(true);
    expect(places.has('/home/.config/codex')).toBe(false);
  });

  it('never are the whole home folder', async () => {
    await editorAt('');
    expect(await has('src/a.ts')).toBe(true);
    expect(await has('User/settings.json')).toBe(false);
    expect(await has('User/globalStorage/parley.parley/x')).toBe(false);
  });
});

it.each<[platform: NodeJS.Platform, isFound: boolean]>([
  ['linux', false],
  ['darwin', true],
])('other letters for settings are settings where case does not count: %s', async (platform, isFound) => {
  const system = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: system }));
  await editorAt('Library/Application Support/Code');
  const user = join(home, 'library/application support/code/u\u017Fer');
  expect(
    [join(user, 'settings.json'), `/System/Volumes/Data${user}/x`].map((path) => protectedPlaces.has(path)),
  ).toEqual([isFound, isFound]);
  expect(protectedPlaces.has(join(home, 'library/other'))).toBe(false);
});
