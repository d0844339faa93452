import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layers } from './layerTable';

const root = path.join(import.meta.dirname, '../..');
const map = 'src/ARCHITECTURE.md';
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);

const features = ['src', 'webview'].flatMap((folder) => filesIn(folder, /(^|[\\/])README\.md$/));
const pages = [map, ...features];

/** Where a name of the code can come from: the code, its build, its manifest, and the tests without this one. */
const code = [
  ...['src', 'webview', 'test'].flatMap((folder) => filesIn(folder, /\.(?:ts|mjs|cjs)$/)),
  'esbuild.mjs',
  'package.json',
]
  .filter((file) => file !== 'test/unit/docs.test.ts')
  .map(textOf)
  .join('\n');
const words = new Set(code.match(/[\w$-]+/g));

/** What a page quotes from the code, between backticks. */
const quotations = (page: string) => [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, quoted]) => quoted!);

/** A path begins in `src` or in the project's root. A feature's page names the files beside it without a folder. */
function isThere(name: string, page: string): boolean {
  const bases = page === map || name.includes('/') ? [path.dirname(page), 'src', ''] : [path.dirname(page), ''];
  return bases.some((base) => existsSync(path.join(root, base, name)));
}

/** Whether the code has a quoted path or name. Anything else, such as a shell command or a number, needs no check. */
function isKnown(quoted: string, page: string): boolean {
  if (/\s/.test(quoted)) return quoted.split(/\s+/).every((word) => !/\.(?:ts|mjs)$/.test(word) || isThere(word, page));
  if (isThere(quoted, page)) return true;
  if (/^[\w@./-]+\.(?:ts|css|md)$/.test(quoted) || quoted.endsWith('/')) return false;
  // Methods of the protocol and messages of the panel look like paths too.
  if (quoted.includes('/')) return /[^\w@./-]/.test(quoted) || code.includes(quoted);
  const names = /^[A-Za-z_$][\w$-]*(?:\.[\w$-]+)*$/.test(quoted) ? quoted.split('.') : [];
  return names.every((name) => words.has(name));
}

/** The rows of the table below a heading, by cell, without markup. */
function rowsBelow(heading: string): string[][] {
  const section = textOf(map).split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replace(/^\[?`([^`]+)`.*$/, '$1')),
  );
}

describe('the map and the pages', () => {
  it('the map has at most 150 lines', () => {
    expect(textOf(map).trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it.each(pages)('%s has lines of at most 100 characters', (page) => {
    expect(
      textOf(page)
        .split('\n')
        .filter((line) => line.length > 100),
    ).toEqual([]);
  });

  it.each(pages)('%s names only paths and names that exist', (page) => {
    expect(quotations(page).filter((quoted) => !isKnown(quoted, page))).toEqual([]);
  });

  it.each(pages)('%s links only to files that exist', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(page), link)))).toEqual([]);
  });

  it('the map links to every page', () => {
    const missing = features.filter((page) => !textOf(map).includes(`](${path.posix.relative('src', page)})`));
    expect(missing).toEqual([]);
  });

  it('the tables have the layers and rooms of the layers test, in its order', () => {
    const short = (folder: string) => folder.replace(/^src\//, '');
    const isRoom = (folder: string) => folder.startsWith('src/host/');
    expect(
      rowsBelow('Layers')
        .filter(([folder]) => folder !== 'host')
        .map(([folder, , , imports]) => [folder, imports]),
    ).toEqual(
      Object.entries(layers)
        .filter(([folder]) => !isRoom(folder))
        .map(([folder, { folders }]) => [short(folder), folders.map(short).join(', ') || '–']),
    );
    expect(
      rowsBelow('Rooms of the host')
        .map(([room]) => room!)
        .filter((room) => !room.startsWith('↳')),
    ).toEqual(
      Object.keys(layers)
        .filter(isRoom)
        .map((folder) => folder.slice('src/host/'.length))
        .filter((room) => !room.includes('/')),
    );
  });
});

describe('the page of the tests', () => {
  const page = textOf('test/README.md');

  it('names each fake, and only files that are there', () => {
    const fakes = readdirSync(path.join(root, 'test/fakes'));
    expect(fakes.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const named = [
      ...page.matchAll(/`([\w./]+\.(?:ts|mjs|json)|(?:fixtures|unit|fakes|vscode|conformance)\/[\w/]+)`/g),
    ].map(([, name]) => name!);
    expect(
      named.filter(
        (name) => !['', 'fakes/', 'attacks/'].some((folder) => existsSync(path.join(root, 'test', folder, name))),
      ),
    ).toEqual([]);
  });
});

describe('the pages for users', () => {
  const userPages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
  const texts = JSON.parse(textOf('package.nls.json')) as Readonly<Record<string, string>>;
  const manifest = textOf('package.json').replace(/"%([\w.-]+)%"/g, (_, key: string) => JSON.stringify(texts[key]));
  const { contributes } = JSON.parse(manifest) as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string; readonly title: string }[];
      readonly keybindings: readonly { readonly key: string }[];
      readonly menus: Readonly<
        Record<
          'commandPalette' | 'view/title',
          readonly { readonly command: string; readonly when: string; readonly group: string }[]
        >
      >;
      readonly configuration: {
        readonly properties: Readonly<
          Record<
            string,
            { readonly order?: number; readonly enum?: readonly string[]; readonly enumItemLabels?: readonly string[] }
          >
        >;
      };
    };
  };

  it.each(userPages)('%s links only to files that exist', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^https?:/.test(link));
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(page), link)))).toEqual([]);
  });

  it('the README links to each page', () => {
    expect(userPages.filter((page) => page !== 'README.md' && !textOf('README.md').includes(`](${page})`))).toEqual([]);
  });

  it('each setting has its row', () => {
    const page = textOf('docs/settings.md');
    expect(
      Object.keys(contributes.configuration.properties).filter((name) => !page.includes(`| \`${name}\` |`)),
    ).toEqual([]);
  });

  it('there are at most 18 settings, in an order, and their values have labels', () => {
    const settings = Object.entries(contributes.configuration.properties);
    expect(settings.length).toBeLessThanOrEqual(18);
    expect(settings.map(([, { order }]) => order).sort((a, b) => a! - b!)).toEqual(settings.map((_, i) => i + 1));
    expect(
      settings.filter(([, setting]) => setting.enum?.length !== setting.enumItemLabels?.length).map(([name]) => name),
    ).toEqual([]);
  });

  it('the palette has at most 52 commands, and the chat’s … menu ten entries at a time', () => {
    const hidden = new Set(
      contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    expect(contributes.commands.length - hidden.size).toBeLessThanOrEqual(52);
    const menu = contributes.menus['view/title'].filter(
      ({ when, group }) => when.startsWith('view == parley.chat') && !group.startsWith('navigation'),
    );
    // Of two that exclude each other, one is shown.
    expect(
      menu.filter(({ command }) => !['parley.stopFollowing', 'parley.signOut'].includes(command)).length,
    ).toBeLessThanOrEqual(10);
  });

  it('each shortcut is listed', () => {
    const page = textOf('docs/keyboard.md');
    const shown = (key: string) => key.replaceAll(/[a-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1));
    expect(contributes.keybindings.map(({ key }) => shown(key)).filter((key) => !page.includes(`\`${key}\``))).toEqual(
      [],
    );
  });

  it('the page of the platforms names a test for all that is tried or simulated, and none for what is unknown', () => {
    const rows = textOf('docs/platforms.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Subject|---)/.test(line))
      .map((line) => line.slice(2, -2).split(' | '));
    expect(rows.length).toBeGreaterThan(30);
    for (const [subject, linux, macos, windows, test] of rows) {
      const said = [linux, macos, windows].join(' ');
      expect(/tried|simulated/.test(said), subject).toBe(test !== 'none');
      // Nobody has tried it there.
      expect(/^tried$/.test(macos!) || /^tried$/.test(windows!), subject).toBe(false);
    }
  });

  it('the page for other extensions names only commands and context keys that exist', () => {
    const ids = new Set(contributes.commands.map(({ command }) => command));
    const named = [...textOf('docs/api.md').matchAll(/^\| `(parley\.\w+)` \|/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !ids.has(name) && !code.includes(`'${name}'`))).toEqual([]);
  });

  it('the page for other extensions has the types of the API as they are', () => {
    expect(textOf('docs/api.md')).toContain(`\`\`\`ts\n${textOf('src/host/ask/parleyApi.ts')}\`\`\`\n`);
  });

  it.each(userPages)('%s names only commands that exist', (page) => {
    const titles = new Set([...contributes.commands.map(({ title }) => title), 'Focus on Agent Changes View']);
    const named = [...textOf(page).matchAll(/\*\*Parley: ([^*]+)\*\*/g)].map(([, title]) => title!);
    expect(named.filter((title) => !titles.has(title))).toEqual([]);
  });
});
