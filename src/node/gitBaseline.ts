import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import { findProgram } from './findProgram';

/** Longer answers of git are given up: a repository that large is followed without it. Bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** What each answer of `git cat-file` takes besides the content, at most. Bytes. */
const ANSWER_BYTES = 100;
/** git may be slow on a cold disk, but nothing may wait for it for ever. */
const TIMEOUT_MS = 10_000;

/** A pointer of Git LFS stands in the place of a content that is not in the repository. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** What git could tell of a file as it was when the state was taken. */
export type GitContent = { readonly kind: 'blob'; readonly bytes: Buffer; readonly isExecutable?: boolean } | { readonly kind: 'absent' } | { readonly kind: 'unknown' };

/**
 * A folder's files as git knew them at one moment: which were clean, and what these held. Only reads: no index is
 * refreshed, no hook, file system monitor or lazy fetch is run.
 */
export class GitBaseline {
  private constructor(
    private readonly git: string,
    private readonly root: string,
    /** Of `root` in the repository, "" or with a final slash. */
    private readonly prefix: string,
    /** Commit that clean files are equal to; undefined before the first one. */
    private readonly head: string | undefined,
    private readonly notClean: ReadonlySet<string>,
    /** Files that git was told not to look at: they may hold anything. */
    private readonly unwatched: ReadonlySet<string>,
    /** False where git does not compare whether a file is a program. */
    private readonly knowsModes: boolean,
  ) {}

  /**
   * Takes the state of the repository around `root` now.
   * @param root absolute folder.
   * @returns undefined where there is no git or no repository.
   */
  static async take(root: string, env: NodeJS.ProcessEnv): Promise<GitBaseline | undefined> {
    if (!isInRepository(root)) return undefined;
    const git = await findProgram('git', root, env);
    if (git === undefined) return undefined;
    try {
      const modes = run(git, root, ['config', '--type=bool', '--get', 'core.fileMode']).then((word) => word.toString('utf8').trim() !== 'false', () => true);
      const tags = run(git, root, ['ls-files', '-v', '-z', '--full-name']);
      const [place, status, listed, knowsModes] = await Promise.all([run(git, root, ['rev-parse', '--show-prefix']), statusOf(git, root), tags, modes]);
      const { head, paths } = parseStatus(status);
      return new GitBaseline(git, root, place.toString('utf8').replace(/\n$/, ''), head, paths, parseTags(listed), knowsModes);
    } catch {
      return undefined;
    }
  }

  /**
   * Files in the folder that were not clean: changed, staged or untracked; then those that git was told not to look at, which
   * may be. Absolute; ignored ones are not among them.
   */
  get changedFiles(): string[] {
    return [...this.files(this.notClean), ...this.files(this.unwatched)];
  }

  /** What git ignores, absolute; a folder of which all is ignored is one. */
  async ignored(): Promise<{ readonly path: string; readonly isFolder: boolean }[]> {
    const listed = await run(this.git, this.root, ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', '--', '.']);
    return listed.toString('utf8').split('\0').flatMap((path) => (path === '' ? [] : { path: nodePath.join(this.root, path), isFolder: path.endsWith('/') }));
  }

  /** The files that are not clean now; a second look at the end of a turn finds what no event told. */
  async changedNow(): Promise<string[]> {
    return this.files(parseStatus(await statusOf(this.git, this.root)).paths);
  }

  /**
   * What files held at that moment, as far as git can tell: those that were clean, and those that were not there.
   * @param maxBytes of all together; what is beyond is unknown, the largest first.
   */
  async contents(files: readonly string[], maxBytes = MAX_OUTPUT): Promise<Map<string, GitContent>> {
    const result = new Map<string, GitContent>();
    const asked: string[] = [];
    for (const file of files) {
      if (this.head !== undefined && this.isInRepository(file) && !this.wasNotClean(this.relative(file))) asked.push(file);
      else result.set(file, { kind: 'unknown' });
    }
    if (asked.length === 0) return result;
    const paths = asked.map((file) => this.relative(file));
    const [found, converted, executable] = await Promise.all([
      this.blobs(paths, maxBytes).catch(() => undefined),
      this.converted(paths).catch(() => undefined),
      this.knowsModes ? this.executables(paths).catch(() => undefined) : undefined,
    ]);
    for (const [i, file] of asked.entries()) {
      const path = paths[i]!;
      const told = found?.get(path) ?? { kind: 'unknown' as const };
      // What was not there was not there whatever its attributes; of the others the commit may hold other bytes than the disk.
      const content = told.kind === 'blob' && converted?.has(path) !== false ? { kind: 'unknown' as const } : told;
      result.set(file, content.kind === 'blob' && executable ? { ...content, isExecutable: executable.has(path) } : content);
    }
    return result;
  }

  /** Those of some files that git holds in another form than the disk, such as encrypted ones. The programs that convert are not run. */
  private async converted(paths: readonly string[]): Promise<ReadonlySet<string>> {
    // This command takes paths as seen from the folder it runs in.
    const told = await run(this.git, this.root, ['check-attr', '-z', '--stdin', ...convertingAttributes], { input: paths.map((path) => `${path.slice(this.prefix.length)}\0`).join('') });
    const fields = told.toString('utf8').split('\0');
    if (fields.length !== paths.length * convertingAttributes.length * 3 + 1) throw new Error('git check-attr did not tell of all files');
    return new Set(paths.filter((_, i) => convertingAttributes.some((__, j) => !['unspecified', 'unset'].includes(fields[(i * convertingAttributes.length + j) * 3 + 2]!))));
  }

  /** Those of some files that were programs in the commit. */
  private async executables(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const listed = await run(this.git, this.root, ['ls-tree', '-z', '--full-tree', this.head!, '--', ...paths]);
    return new Set(listed.toString('utf8').split('\0').flatMap((line) => (line.startsWith('100755 ') ? [line.slice(line.indexOf('\t') + 1)] : [])));
  }

  /** The files that folders held in the commit, for folders that are gone. Absolute. */
  async filesUnder(folders: readonly string[]): Promise<string[]> {
    if (this.head === undefined || folders.length === 0) return [];
    const listed = await run(this.git, this.root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', this.head, '--', ...folders.map((folder) => `${this.relative(folder)}/`)]).catch(() => undefined);
    return (listed?.toString('utf8').split('\0') ?? []).filter((path) => path !== '').map((path) => this.absolute(path));
  }

  private wasNotClean(path: string): boolean {
    if (this.notClean.has(path) || this.unwatched.has(path)) return true;
    // A repository in this one is told of as a folder.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (this.notClean.has(path.slice(0, end + 1))) return true;
    return false;
  }

  /** A path that git could not take literally in its batch of questions, or that lies in a repository of its own, is not asked for. */
  private isInRepository(file: string): boolean {
    const path = nodePath.relative(this.root, file);
    if (path === '' || path.startsWith('..') || nodePath.isAbsolute(path) || /[\n\r]/.test(path)) return false;
    for (let folder = nodePath.dirname(file); folder.length > this.root.length; folder = nodePath.dirname(folder)) if (existsSync(nodePath.join(folder, '.git'))) return false;
    return true;
  }

  private files(paths: ReadonlySet<string>): string[] {
    return [...paths].flatMap((path) => (path.startsWith(this.prefix) && !path.endsWith('/') ? [this.absolute(path)] : []));
  }

  private relative(file: string): string {
    return this.prefix + nodePath.relative(this.root, file).split(nodePath.sep).join('/');
  }

  private absolute(path: string): string {
    return nodePath.join(this.root, ...path.slice(this.prefix.length).split('/'));
  }

  /** What the commit holds, by path. Where that is too much, a few large files do not make the small ones unknown. */
  private async blobs(paths: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, GitContent>> {
    const answers = await this.batch(paths, maxBytes).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw error;
      return this.batch((paths = await this.smallest(paths, maxBytes)), maxBytes);
    });
    return new Map(answers.map((answer, i) => [paths[i]!, answer]));
  }

  /** The smallest of some files, as many as the answer has room for. */
  private async smallest(paths: readonly string[], maxBytes: number): Promise<string[]> {
    const sizes = parseSizes(await this.catFile('--batch-check', paths, MAX_OUTPUT));
    const sized = paths.map((path, i) => ({ path, size: (sizes[i] ?? 0) + ANSWER_BYTES + Buffer.byteLength(path) }));
    let total = 0;
    return sized.sort((a, b) => a.size - b.size).flatMap(({ path, size }) => ((total += size) <= maxBytes ? [path] : []));
  }

  /** One process for all of them; the answers come in the order of the questions. */
  private async batch(paths: readonly string[], maxBytes: number): Promise<GitContent[]> {
    return paths.length === 0 ? [] : parseBatch(await this.catFile('--batch', paths, maxBytes), paths.length);
  }

  private catFile(how: '--batch' | '--batch-check', paths: readonly string[], maxBytes: number): Promise<Buffer> {
    return run(this.git, this.root, ['cat-file', how], { input: paths.map((path) => `${this.head}:${path}\n`).join(''), maxBytes });
  }
}

function isInRepository(folder: string): boolean {
  const parent = nodePath.dirname(folder);
  return existsSync(nodePath.join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}

/** `core.fsmonitor` names a program that git would run. */
const safely = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];

function quietly(): NodeJS.ProcessEnv {
  return { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '1', LC_ALL: 'C' };
}

function statusOf(git: string, root: string): Promise<Buffer> {
  return run(git, root, ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all', '--', '.']);
}

/** Attributes of files that git converts on the way to the disk (gitattributes). */
const convertingAttributes = ['filter', 'working-tree-encoding', 'ident'];

function run(git: string, cwd: string, args: readonly string[], { input, maxBytes = MAX_OUTPUT }: { readonly input?: string; readonly maxBytes?: number } = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(git, [...safely, ...args], { cwd, env: quietly(), encoding: 'buffer', maxBuffer: maxBytes, timeout: TIMEOUT_MS, windowsHide: true }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    // A process that ends before it has read all tells of that by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/**
 * Reads `git status --porcelain=v2 --branch -z --no-renames`: the commit, and the paths of all that is not clean, relative
 * to the repository. A path with a final slash is a folder, of which nothing more is known.
 */
export function parseStatus(output: Buffer): { readonly head: string | undefined; readonly paths: ReadonlySet<string> } {
  let head: string | undefined;
  const paths = new Set<string>();
  for (const line of output.toString('utf8').split('\0')) {
    const oid = /^# branch\.oid ([0-9a-f]{40,})$/.exec(line);
    if (oid) head = oid[1];
    // Changed entries have eight fields before the path, unmerged ones ten, untracked ones one.
    const path = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )([^]+)$/.exec(line);
    if (path) paths.add(path[1]!);
  }
  return { head, paths };
}

/** Reads `git ls-files -v -z`: the files that git was told not to look at (skip-worktree is `S`, assume-unchanged a lower-case letter). */
export function parseTags(output: Buffer): ReadonlySet<string> {
  return new Set(output.toString('utf8').split('\0').flatMap((line) => (/^[Sa-z] /.test(line) ? [line.slice(2)] : [])));
}

/** Reads `git cat-file --batch-check`: how many bytes each object has, undefined for what is not there. */
function parseSizes(output: Buffer): (number | undefined)[] {
  return output.toString('utf8').split('\n').map((line) => {
    const [, length] = /^[0-9a-f]{40,} \w+ (\d+)$/.exec(line) ?? [];
    return length === undefined ? undefined : Number(length);
  });
}

/** Reads the output of `git cat-file --batch` for `count` questions. */
export function parseBatch(output: Buffer, count: number): GitContent[] {
  const result: GitContent[] = [];
  let at = 0;
  while (result.length < count) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const line = output.toString('utf8', at, end);
    at = end + 1;
    const [, type, length] = /^[0-9a-f]{40,} (\w+) (\d+)$/.exec(line) ?? [];
    if (length === undefined) {
      result.push(line.endsWith(' missing') ? { kind: 'absent' } : { kind: 'unknown' });
      continue;
    }
    const bytes = Buffer.from(output.subarray(at, at + Number(length)));
    at += Number(length) + 1;
    result.push(type === 'blob' && !bytes.toString('latin1', 0, LFS_POINTER.length).startsWith(LFS_POINTER) ? { kind: 'blob', bytes } : { kind: 'unknown' });
  }
  return result;
}
