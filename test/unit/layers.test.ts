import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layers } from './layerTable';

const root = path.join(import.meta.dirname, '../..');

describe('layers', () => {
  it('every folder imports only folders that come before it', () => {
    const before = new Set<string>();
    for (const [folder, { folders }] of Object.entries(layers)) {
      expect(folders.filter((name) => !before.has(name))).toEqual([]);
      before.add(folder);
    }
  });

  it('every folder of the host has its row', () => {
    const rooms = readdirSync(path.join(root, 'src/host'), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)).replaceAll(path.sep, '/'));
    expect(rooms.filter((name) => !(name in layers))).toEqual([]);
  });

  it.each(Object.keys(layers))('%s imports nothing from above', (folder) => {
    const { folders, packages } = layers[folder]!;
    const breaches: string[] = [];
    // A room within a room has a row of its own.
    const inner = Object.keys(layers).filter((name) => name.startsWith(`${folder}/`));
    const isInner = (target: string) => inner.some((name) => target.startsWith(`${name}/`));
    for (const file of sources(path.join(root, folder))) {
      if (isInner(path.relative(root, file).replaceAll(path.sep, '/'))) continue;
      for (const specifier of imports(file)) {
        if (specifier.name.startsWith('.')) {
          const target = path
            .relative(root, path.resolve(path.dirname(file), specifier.name))
            .replaceAll(path.sep, '/');
          if (![folder, ...folders].some((allowed) => target.startsWith(`${allowed}/`)))
            breaches.push(`${path.relative(root, file)} → ${target}`);
        } else {
          const spelled = specifier.isType ? `type ${specifier.name}` : specifier.name;
          if (!packages.some((allowed) => allowed.test(spelled) || (specifier.isType && allowed.test(specifier.name))))
            breaches.push(`${path.relative(root, file)} → ${spelled}`);
        }
      }
    }
    expect(breaches).toEqual([]);
  });

  it('only the one sanitiser makes HTML out of text', () => {
    const sinks = sources(path.join(root, 'webview'))
      .filter((file) =>
        /\.(inner|outer)HTML\s*=|insertAdjacentHTML|unsafeHTML|document\.write|createContextualFragment/.test(
          readFileSync(file, 'utf8'),
        ),
      )
      .map((file) => path.relative(root, file));
    expect(sinks.filter((file) => !file.endsWith('sanitize.ts'))).toEqual([]);
  });

  it('only the quirks name an agent', () => {
    const named = ['src/acp', 'src/registry', 'src/permission', 'src/thread', 'src/changes', 'src/view', 'src/protocol']
      .flatMap((folder) => sources(path.join(root, folder)))
      .filter((file) => !file.endsWith('quirks.ts'))
      .filter((file) =>
        /['"`][^'"`\n]*\b(claude|codex|gemini|opencode|qwen|copilot)\b/i.test(
          withoutComments(readFileSync(file, 'utf8')),
        ),
      )
      .map((file) => path.relative(root, file));
    expect(named).toEqual([]);
  });

  it('nothing is exported by default and no file is a barrel', () => {
    const files = ['src', 'webview'].flatMap((folder) => sources(path.join(root, folder)));
    const found = files
      .filter((file) => /^export default|^export \* from/m.test(readFileSync(file, 'utf8')))
      .map((file) => path.relative(root, file));
    expect(found).toEqual([]);
  });

  it('what only its class uses is #private, so that the build can shorten its name', () => {
    const files = ['src', 'webview'].flatMap((folder) => sources(path.join(root, folder)));
    const found = files
      .filter((file) => /^ {2}private (?!constructor\b)/m.test(readFileSync(file, 'utf8')))
      .map((file) => path.relative(root, file));
    expect(found).toEqual([]);
  });
});

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name));
}

function imports(file: string): { readonly name: string; readonly isType: boolean }[] {
  const text = withoutComments(readFileSync(file, 'utf8'));
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
    ),
  ].map((match) => ({
    name: (match[2] ?? match[3])!,
    isType: match[1] !== undefined,
  }));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
