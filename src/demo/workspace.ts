import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Turn } from './turn';

const skippedFolders = new Set(['node_modules', 'dist', 'out', 'build', 'target', 'vendor', '__pycache__']);
const textExtensions = new Set(
  [
    '.ts .tsx .js .jsx .mjs .cjs .py .rb .go .rs .java .kt .c .h .cc .cpp .cs .swift .sh',
    '.css .scss .html .md .yaml .yml .toml',
  ].flatMap((line) => line.split(' ')),
);
const largestFile = 200_000;

/** Files of the session's folder that are good to show, best first: what the user attached, then code near the top. */
export async function findFiles(turn: Turn, limit: number): Promise<string[]> {
  const named = namedFile(turn);
  const attached = turn.prompt.flatMap(attachedFile);
  const found = await walk(turn.session.cwd, 3);
  const ranked = found
    .map((path) => ({ path, rank: rank(relative(turn.session.cwd, path)) }))
    .sort((a, b) => a.rank - b.rank);
  const all = new Set([...(named ? [named] : []), ...attached, ...ranked.map((file) => file.path)]);
  return [...all].slice(0, limit);
}

/** The path as a user would write it. */
export function label(turn: Turn, path: string): string {
  const short = relative(turn.session.cwd, path);
  return short.startsWith('..') ? path : short.split(sep).join('/');
}

/** The text on disk, which may be older than the text in the editor. */
export async function readFromDisk(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** A file given after the command: "/read src/main.ts". Only a real word is taken for a path. */
function namedFile(turn: Turn): string | undefined {
  const word = /^[\w@./\\-]+\.\w+$/.exec(turn.args)?.[0];
  return word && join(turn.session.cwd, word);
}

function attachedFile(block: ContentBlock): string[] {
  const uri = block.type === 'resource' ? block.resource.uri : block.type === 'resource_link' ? block.uri : '';
  if (!uri.startsWith('file:')) return [];
  try {
    return [fileURLToPath(uri.replace(/[#?].*$/, ''))];
  } catch {
    return [];
  }
}

/** Code before prose, shallow before deep, and the sample workspace's tokenizer before everything. */
function rank(path: string): number {
  const name = basename(path).toLowerCase();
  const depth = path.split(sep).length;
  if (name === 'tokenizer.ts') return 0;
  return (
    10 +
    depth +
    (/\.(md|html|ya?ml|toml|css|scss)$/.test(name) ? 20 : 0) +
    (/test|spec|config|\.d\.ts$/.test(path) ? 10 : 0)
  );
}

async function walk(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name)).slice(0, 200)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory() && depth > 1 && !skippedFolders.has(entry.name))
      files.push(...(await walk(path, depth - 1)));
    if (entry.isFile() && textExtensions.has(extname(entry.name)) && (await stat(path)).size <= largestFile)
      files.push(path);
  }
  return files;
}
