import { lstat, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { inGroups } from '../../../base/inGroups';
import { Disposable } from '../../../base/lifecycle';
import { absent, withProgram } from '../../../changes/content';
import { GitBaselines } from '../../../node/gitBaselines';
import { repositoryAt } from '../../../node/gitFolders';
import { readRepositoryText } from '../../../node/readRepositoryFile';
import type { ImageHead, Writer } from '../stored/beforeImages';
import type { DiskOptions } from './diskWatch';
import { changedAt, contentOf, isMissing, lookNow, sizeOf } from '../../files/readContent';
import { MAX_STORED_BYTES } from '../../storage/contentStore';
import type { LargeFiles } from './largeFiles';
import { filesIn } from './filesIn';
import { GuardedBaseline } from './guardedBaseline';
import { IgnoreRules } from '../../files/ignoreRules';
import { ignoresCase, pathKey } from '../../files/pathPolicy';
import { inSpelling, isWithin } from '../../../node/isWithin';
import { keepingFoldersOpen } from '../../../node/openWithoutLinks';
import { TICK_MS } from '../../../node/settledFiles';
import type { ContentInHand } from '../../storage/contentInHand';

/** The memory limit for contents of one folder from before the turn. Bytes. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** Texts up to this length are stored beyond that limit. Characters. */
const MAX_SMALL = 10_000;
/** A folder without git is read before a turn if it has at most this many files; larger files are skipped. */
const MAX_LISTED = 2_000;
const MAX_READ_BEFORE = 256 * 1024;
const LOOK_AT_ONCE = 64;

/**
 * One folder in which an agent works: reports which paths may have changed, and what files contained before. It lives
 * from the first turn in the folder to the last one; between turns nothing is watched or stored.
 */
export class TurnRoot extends Disposable {
  readonly #known = new Map<string, ContentInHand>();
  /** Where case does not count: the spelling of each known path. */
  readonly #spellings = new Map<string, string>();
  /** Files whose content was not stored, with their last time of change. */
  readonly #unread = new Map<string, number>();
  /**
   * Files that did not exist when the agent named them. This is the weakest evidence, because a file may have been
   * deleted just then.
   */
  readonly #missing = new Set<string>();
  readonly #asked = new Set<string>();
  #memory = 0;
  #git: GitBaselines | undefined;
  /** When git answered, epoch ms; 0 if that was before the prompt was sent. */
  #gitAt = 0;
  #guarded: GuardedBaseline | undefined;
  /** Keys of all files outside repositories before the prompt was sent, unless there are too many. */
  #listed: ReadonlySet<string> | undefined;
  /** The same, even if they were listed after the prompt was sent. */
  #listedFirst: readonly string[] | undefined;
  /** No prompt was sent yet: contents that are read now are from before. */
  #isQuiet = true;
  #real: string;
  readonly rules: IgnoreRules;

  /** @param since epoch ms */
  constructor(
    readonly path: string,
    private readonly since: number,
    happened: (path: string) => void,
    private readonly large: LargeFiles,
    private readonly options: Pick<DiskOptions, 'clock' | 'folders' | 'log' | 'stored'>,
  ) {
    super();
    this.#real = path;
    const exclude = vscode.workspace
      .getConfiguration('files', vscode.Uri.file(path))
      .get<Record<string, unknown>>('watcherExclude', {});
    this.rules = new IgnoreRules({
      root: path,
      isGuarded: options.folders.isGuarded,
      excluded: Object.entries(exclude).flatMap(([glob, on]) => (on === true ? [glob] : [])),
      read: (file) => readRepositoryText(path, file, options.log),
      repositoryAt: (folder) => repositoryAt(folder, options.log),
    });
    const watcher = this.register(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(path), '**/*')),
    );
    // The burst of events from an installation is filtered here, before anything is stored.
    const look = (file: string) => void (this.rules.isIgnored(file) || this.store.isDisposed || happened(file));
    const tell = ({ fsPath }: vscode.Uri) => {
      if (!isWithin(fsPath, path)) return;
      const learning = this.rules.learn(fsPath);
      if (learning) void learning.then(() => look(fsPath));
      else look(fsPath);
    };
    this.register(watcher.onDidCreate(tell));
    this.register(watcher.onDidChange(tell));
    this.register(watcher.onDidDelete(tell));
  }

  /**
   * Reads contents that may be needed later: open documents, changed files in git, or all of a small folder. Resolves
   * when they are on disk. @param notWithin see `PinnedGitOptions`.
   */
  async prepare(env: NodeJS.ProcessEnv, notWithin: readonly string[]): Promise<void> {
    await this.#read(env, notWithin);
    await this.options.stored.images.knows({
      path: this.path,
      since: this.since,
      ...(this.#listed && this.#listedFirst ? { listed: [...this.#listedFirst] } : {}),
      unread: [...this.#unread],
      ...(this.#git?.state === undefined ? {} : { git: this.#git.state }),
    });
  }

  /** Continues from the state of another window, in whose folder an agent was working. */
  async resume(
    { listed, unread, git }: Extract<ImageHead, { type: 'root' }>,
    env: NodeJS.ProcessEnv,
    notWithin: readonly string[],
  ): Promise<void> {
    this.begin();
    this.#real = await realpath(this.path).catch(() => this.path);
    if (listed) this.#listed = new Set((this.#listedFirst = listed).map((path) => pathKey(path)));
    for (const [path, changedAt] of unread) this.#unread.set(path, changedAt);
    if (git !== undefined)
      this.#git = await GitBaselines.resume(this.path, env, { notWithin, log: this.options.log }, git);
  }

  async #read(env: NodeJS.ProcessEnv, notWithin: readonly string[]): Promise<void> {
    this.#real = await realpath(this.path).catch(() => this.path);
    const open = vscode.workspace.textDocuments
      .filter((document) => document.uri.scheme === 'file' && isWithin(document.uri.fsPath, this.path))
      .map((document) => document.uri.fsPath);
    const isLeftOut = async (folder: string) => {
      await this.rules.learn(folder);
      return this.rules.isIgnored(folder) || nodePath.basename(folder) === 'node_modules';
    };
    const [git] = await Promise.all([
      GitBaselines.take(this.path, env, { notWithin, log: this.options.log }, isLeftOut),
      this.remember(open),
    ]);
    this.#git = git;
    if (!this.#isQuiet) this.#gitAt = this.options.clock.now();
    await Promise.all([
      this.remember(git.changedFiles.slice(0, MAX_LISTED)),
      this.#rememberGuarded(git),
      git.isInRepository ? undefined : this.#list(git),
    ]);
  }

  /** Reads files that are in no repository. */
  async #list(git: GitBaselines): Promise<void> {
    const listed = await filesIn(this.path, this.rules, MAX_LISTED, git.tops);
    const isQuiet = this.#isQuiet;
    if (listed.isComplete) this.#listedFirst = listed.files;
    await this.remember(listed.files, MAX_READ_BEFORE);
    // A list made after the prompt was sent does not prove which files were absent before.
    if (listed.isComplete && isQuiet) this.#listed = new Set(listed.files.map((path) => pathKey(path)));
  }

  /** Reads protected files that git does not track. */
  async #rememberGuarded(git: GitBaselines): Promise<void> {
    const guarded = await GuardedBaseline.take(this.path, this.rules, git);
    // A list made after the prompt was sent does not prove which files were absent before.
    if (this.#isQuiet) this.#guarded = guarded;
    await this.remember([...guarded.files], MAX_READ_BEFORE);
  }

  /** The agent may write from now on. */
  begin(): void {
    this.#isQuiet = false;
  }

  /** The spelling of a path in this folder, with the folder's links resolved; undefined if it is outside. */
  own(path: string): string | undefined {
    return inSpelling(path, [this.path, this.#real]);
  }

  /** Reads files for later, if they are unchanged since before the turn. */
  async remember(paths: readonly string[], maxBytes = Number.POSITIVE_INFINITY): Promise<void> {
    const fresh = paths.filter((path) => !this.get(path) && !this.#asked.has(path));
    if (fresh.length === 0) return;
    for (const path of fresh) this.#asked.add(path);
    const there = this.#isQuiet ? fresh : await this.#thatExist(fresh);
    if (there.length === 0) return;
    const large = new Map<string, Binary>();
    const noted: Promise<void>[] = [];
    await keepingFoldersOpen(() =>
      inGroups(there, async (path) => {
        const { value: seen, stamp } = await lookNow(path);
        if (seen.kind !== 'file' || stamp === undefined || this.get(path)) return;
        const isOld =
          seen.changedAt !== undefined &&
          seen.changedAt < this.since - TICK_MS &&
          (await changedAt(path)) === seen.changedAt;
        if (!this.#isQuiet && seen.changedAt === undefined) this.#missing.add(path);
        if (!this.#isQuiet && !isOld) return;
        const content = withoutLarge(seen.content, maxBytes);
        if (isLarge(content)) large.set(path, content);
        if (sizeOf(content) < maxBytes) noted.push(this.set(path, content));
        else if (seen.changedAt !== undefined) {
          this.#unread.set(path, seen.changedAt);
          // A later tool call may name the file; then it is read after all.
          this.#asked.delete(path);
        }
      }),
    );
    // Large files come last, because small ones are needed more often.
    for (const [path, content] of large) {
      const stored = await this.large.take(path, content);
      if (stored && this.get(path) === content) noted.push(this.set(path, { ...content, stored }));
    }
    await Promise.all(noted);
  }

  /**
   * Filters out files that do not exist yet. Agents name many files before they create them, and asking for many at
   * once is faster.
   */
  async #thatExist(paths: readonly string[]): Promise<readonly string[]> {
    const there: string[] = [];
    await inGroups(
      paths,
      async (path) => void ((await isMissing(path)) ? this.#missing.add(path) : there.push(path)),
      LOOK_AT_ONCE,
    );
    return there;
  }

  /** The content before the agent, if it is certain. */
  get(path: string): ContentInHand | undefined {
    return this.#known.get(this.#spelled(path));
  }

  /** True if a file is unchanged since it was seen before the turn, although its content is not stored. */
  isUntouched(path: string, changedAt: number | undefined): boolean {
    return changedAt !== undefined && this.#unread.get(path) === changedAt;
  }

  /** Sets the present content of a file. @param by its author. @returns as `BeforeImages.holds` */
  set(path: string, content: ContentInHand, by?: Writer): Promise<void> {
    return this.hold(path, content) ? this.options.stored.images.holds(path, content, by) : Promise.resolve();
  }

  /** The same for a content that is on disk, or in git, already. @returns false if the memory limit is reached */
  hold(named: string, content: ContentInHand): boolean {
    const path = this.#spelled(named);
    const before = this.#known.get(path);
    this.#memory -= before ? sizeOf(before) : 0;
    this.#known.delete(path);
    // Small texts are stored beyond the limit.
    const isSmall = content.kind === 'absent' || (content.kind === 'text' && content.text.length < MAX_SMALL);
    if (!isSmall && this.#memory + sizeOf(content) > MAX_MEMORY) return false;
    this.#memory += sizeOf(content);
    this.#known.set(path, content);
    if (ignoresCase()) this.#spellings.set(pathKey(path), path);
    return true;
  }

  /** A file that was renamed in the case of letters only is the same file. */
  #spelled(path: string): string {
    return this.#spellings.get(pathKey(path)) ?? path;
  }

  /**
   * Finds unknown baselines: from git, or because the file did not exist.
   * @param at when a file changed, epoch ms. A later answer of git may include that change, so it is not used.
   */
  async find(paths: readonly string[], at: (path: string) => number = () => Infinity): Promise<void> {
    const asked = paths.filter((path) => !this.get(path));
    if (asked.length > 0) await this.#ask(asked, at);
    for (const path of asked) if (!this.get(path) && this.#missing.has(path)) this.hold(path, absent);
  }

  /** Files that were in deleted folders. */
  async filesUnder(folders: readonly string[]): Promise<string[]> {
    const known = [...this.#known].flatMap(([path, { kind }]) =>
      kind !== 'absent' && folders.some((folder) => path !== folder && isWithin(path, folder)) ? [path] : [],
    );
    return [...new Set([...known, ...((await this.#git?.filesUnder(folders)) ?? [])])];
  }

  /** Files that have changed since the start but had no event: found by git, or by listing a small folder. */
  async changedNow(): Promise<string[]> {
    const candidates = [
      ...((await this.#git?.changedNow()) ?? []),
      ...((await this.#guarded?.again()) ?? []),
      ...(await this.#listAgain()),
    ];
    const found: string[] = [];
    await inGroups(candidates, async (path) => {
      if (await this.mayHaveChanged(path)) found.push(path);
    });
    return found;
  }

  /** True if a file was changed since the start, or is gone. */
  async mayHaveChanged(path: string): Promise<boolean> {
    const at = await changedAt(path);
    return at === undefined || at >= this.since - TICK_MS;
  }

  async #listAgain(): Promise<readonly string[]> {
    if (!this.#listedFirst) return [];
    const now = new Set((await filesIn(this.path, this.rules, MAX_LISTED * 2, this.#git?.tops)).files);
    return [...now, ...this.#listedFirst.filter((path) => !now.has(path))];
  }

  async #ask(asked: readonly string[], at: (path: string) => number): Promise<void> {
    for (const path of asked) await this.rules.learn(path);
    const git = this.#git;
    for (const path of asked)
      if (
        this.#listed?.has(pathKey(path)) === false &&
        !git?.covers(path) &&
        !this.rules.isIgnored(path) &&
        !path.split(nodePath.sep).includes('.git')
      )
        this.hold(path, absent);
    if (!git) return;
    for (const path of asked) if (await this.#guarded?.wasAbsent(path)) this.hold(path, absent);
    for (const [path, found] of await git.contents(asked.filter((path) => at(path) >= this.#gitAt))) {
      if (this.get(path) || found.kind === 'unknown') continue;
      // Git has no content of ignored files.
      if (found.kind === 'blob')
        this.hold(path, await contentOf(path, found.bytes, await gitMode(path, found.isExecutable), MAX_STORED_BYTES));
      else if (found.kind === 'absent' && !this.rules.isIgnored(path) && !this.rules.isOnlyGuarded(path))
        this.hold(path, absent);
    }
  }
}

type Binary = Extract<ContentInHand, { kind: 'binary' }>;

/** A binary file that is copied to the store and not to memory. */
function isLarge(content: ContentInHand): content is Binary {
  return content.kind === 'binary' && !content.bytes;
}

function withoutLarge(content: ContentInHand, maxBytes: number): ContentInHand {
  return content.kind === 'binary' && sizeOf(content) >= maxBytes
    ? { kind: 'binary', digest: content.digest, mode: content.mode }
    : content;
}

/** Git knows only the execute bit; the other permissions are those of the present file. */
async function gitMode(path: string, isExecutable: boolean | undefined): Promise<number | undefined> {
  if (isExecutable === undefined) return undefined;
  const now = await lstat(path).catch(() => undefined);
  return withProgram((now?.isFile() ? now.mode : 0o644) & 0o666, isExecutable);
}
