import * as l10n from '@vscode/l10n';
import { commandRisks, type Risk, riskKinds } from './commandRisks';
import { parseArguments, parseCommand } from './parseCommand';
import { pathEffects } from './pathEffects';
import { hasDots, isAbsolute, joinFolder, normalized, resolveWord, writtenPath } from './paths';
import { readsInEditor } from './readsInEditor';
import { containsSecret } from './secretText';
import { guardMatcher } from '../changes/guardedFiles';
import type { CommandLineReading, ShellCommand, ShellDialect } from './shellCommand';
import type { PermissionSubject } from './subject';
import { fieldText } from './commandLine';
import { looksLikePath, touchedWords } from './touchedPaths';

/** Facts about a path from the disk. */
export interface PathFacts {
  /** In one of the session's folders, links resolved. */
  readonly inside: boolean;
  readonly exists: boolean;
  readonly guarded: boolean;
  /** Relative to its session folder, with `/`; absolute if it is in none. */
  readonly relative: string;
  /** The same for the file that it points to, links resolved. */
  readonly real: string;
}

/** The files and folders inside a folder, at any depth. */
export interface FolderContents {
  /** In the form of `PathFacts`. */
  readonly names: readonly string[];
  /** A protected file among them that is not part of an installed package. */
  readonly guarded?: string;
  /** A link among them that leads out of the session's folders. */
  readonly leadsOut?: string;
  /** False if there were too many to look at. */
  readonly complete: boolean;
  /** The same, without installed packages. */
  readonly guardsComplete: boolean;
}

export interface AssessmentPlace {
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** The session's folder with links resolved. */
  readonly realCwd?: string;
  readonly home: string;
  readonly dialect: ShellDialect;
  /** The system ignores case: `SRC` and `src` are the same folder. */
  readonly ignoresCase?: boolean;
  /** Looks up an absolute path. If it has `..`, they are followed on the disk. */
  readonly look: (path: string) => Promise<PathFacts>;
  /** Lists a folder, or the session's folders inside it; undefined if it is not a folder. */
  readonly contents?: (path: string) => Promise<FolderContents | undefined>;
  /** A rule restricts certain files, so the contents of every folder matter. */
  readonly hasRestraints?: boolean;
}

/** The result of an assessment, for the card. */
export interface Assessment {
  readonly steps?: readonly string[];
  /** Absolute folder of the command, if it is known and not the session's. */
  readonly cwd?: string;
  readonly risks?: readonly Risk[];
  readonly url?: string;
}

/** The facts that rules decide by. */
export interface Judged {
  readonly assessment: Assessment;
  readonly subject: PermissionSubject;
  /** Every command that would run; undefined if the line cannot be read. */
  readonly commands?: readonly ShellCommand[];
  /** True if a command's folder is the session's own, for which rules are written. */
  readonly isOwnFolder: (folder: string) => boolean;
  /** Named files, relative to their folder, and the files that they point to. */
  readonly files: readonly string[];
  /** The same, with all words of commands that may be file names. */
  readonly touched: readonly string[];
  readonly ignoresCase: boolean;
  /** Absent if the contents of all touched folders are known. */
  readonly touchesMore?: true;
  /** Why only the user may allow it, in English for tests; undefined if a rule may. Never shown to the user. */
  readonly mustAsk?: string;
}

/** The most words of one command line that are looked up on the disk. */
const maxLooks = 200;

interface Candidate {
  readonly word: string;
  readonly path: string | undefined;
  readonly certain: boolean;
  readonly overwritten: boolean;
  readonly named: boolean;
  /** It may be the name of a file, or any other text. */
  readonly maybe?: boolean;
  readonly isPattern?: boolean;
  /** Its contents are affected, too. */
  readonly destroyed?: boolean;
  /** Links in it are followed. */
  readonly followed?: boolean;
  readonly isGuess?: boolean;
  /** A program in the folder that cmd.exe would run in place of the named one. */
  readonly isShadow?: boolean;
}

/** Describes an agent's request in plain words, and collects the facts that rules need. */
export async function assess(subject: PermissionSubject, place: AssessmentPlace): Promise<Judged> {
  const { command, commandHint, paths, kind } = subject;
  const destroyed = subject.deletes || kind === 'move';
  const cwd =
    subject.cwd === undefined
      ? place.cwd
      : normalized(isAbsolute(subject.cwd) ? subject.cwd : joinFolder(place.cwd, subject.cwd));
  const parsed = command
    ? command.argv && !command.isScript
      ? parseArguments(command.argv, command.text)
      : parseCommand(command.text, place.dialect)
    : undefined;
  const shown = parsed ?? (commandHint === undefined ? undefined : parseCommand(commandHint, place.dialect));
  const candidates: readonly Candidate[] = [
    ...(cwd === normalized(place.cwd)
      ? []
      : [{ word: subject.cwd!, path: cwd, certain: true, overwritten: false, named: true }]),
    ...[...paths, ...subject.mentioned].flatMap((word) =>
      pathsOf(word, '', cwd, place.home).map((path) => ({
        word,
        path,
        certain: true,
        overwritten: false,
        named: true,
        destroyed,
      })),
    ),
    ...subject.names.map((word) => ({
      word,
      path: resolveWord(word, '', cwd, place.home),
      certain: false,
      overwritten: false,
      named: false,
      maybe: true,
    })),
    ...(shown?.commands ?? []).flatMap((item) => candidatesOf(item, cwd, place.home)),
    ...(place.dialect === 'bash' ? [] : (parsed?.commands ?? []).flatMap((item) => shadowsOf(item, cwd, place.home))),
  ];
  const known = candidates.slice(0, maxLooks);
  const facts = await Promise.all(known.map(async ({ path }) => (path === undefined ? undefined : place.look(path))));
  const risks = distinct([
    ...(shown?.commands ?? []).flatMap(commandRisks),
    ...(subject.deletes ? [{ kind: 'deletes', text: l10n.t('Deletes files') } as const] : []),
    ...known.flatMap((candidate, index) => pathRisks(candidate, facts[index])),
    ...([command?.text, commandHint, ...subject.writes, ...subject.further.map(fieldText)].some(
      (text) => text !== undefined && containsSecret(text),
    )
      ? [{ kind: 'secret', text: l10n.t('Looks like it contains a secret') } as const]
      : []),
    ...(subject.url === undefined
      ? []
      : [{ kind: 'network', text: l10n.t('Uses the network ({0})', hostOf(subject.url)) } as const]),
  ]);
  const contents = await Promise.all(known.map((candidate) => contentsOf(candidate, place)));
  const mustAsk = reasonToAsk(subject, parsed, candidates, facts) ?? reasonWithin(known, contents);
  const steps = (shown?.commands ?? [])
    .filter(({ words, isPart }) => words.length > 0 && !isPart)
    .map(({ text }) => text.trim());
  return {
    subject,
    assessment: {
      ...(steps.length > 1 && (shown!.complete || place.dialect === 'bash') ? { steps } : {}),
      ...(cwd === normalized(place.cwd) ? {} : { cwd }),
      ...(risks.length > 0 ? { risks } : {}),
      ...(subject.url === undefined ? {} : { url: subject.url }),
    },
    ...(parsed ? { commands: parsed.commands } : {}),
    isOwnFolder: (folder) => {
      const known = (path: string) => (place.ignoresCase ? normalized(path).toLowerCase() : normalized(path));
      const named = hasDots(folder) ? undefined : resolveWord(folder, '', cwd, place.home);
      return named !== undefined && [place.cwd, place.realCwd ?? place.cwd].some((own) => known(own) === known(named));
    },
    files: namesOf(
      facts.filter(
        (fact, index) =>
          known[index]!.named || (known[index]!.maybe && (fact?.exists || /[\\/]/.test(known[index]!.word))),
      ),
    ),
    touched: [
      ...new Set([
        ...namesOf(facts.filter((_fact, index) => !known[index]!.isGuess)),
        ...contents.flatMap((content) => content?.names ?? []),
      ]),
    ],
    ignoresCase: place.ignoresCase === true,
    ...(contents.some((content) => content?.complete === false) ? { touchesMore: true } : {}),
    ...(mustAsk === undefined ? {} : { mustAsk }),
  };
}

/** Lists the contents of touched folders, if they matter. */
async function contentsOf(
  { path, isPattern, destroyed, followed, isGuess }: Candidate,
  { contents, look, hasRestraints }: AssessmentPlace,
): Promise<FolderContents | undefined> {
  if (!contents || path === undefined || isGuess || !(hasRestraints || destroyed || followed)) return undefined;
  if (!isPattern) return contents(path);
  // List the folder before the first pattern, and keep the entries that match the pattern.
  const names = path.split(/[\\/]/);
  const first = names.findIndex((name) => /[*?[{(]/.test(name));
  const folder = names.slice(0, first).join('/') || '/';
  const [inside, { relative }] = await Promise.all([contents(folder), look(folder)]);
  const pattern = [...(relative === '.' ? [] : [relative]), ...names.slice(first)].join('/');
  const fits = /[@!+?*]\(/.test(pattern)
    ? () => true
    : guardMatcher([pattern.startsWith('/') ? pattern : `/${pattern}`]);
  return inside && { ...inside, names: inside.names.filter(fits) };
}

function reasonWithin(
  candidates: readonly Candidate[],
  contents: readonly (FolderContents | undefined)[],
): string | undefined {
  const out = contents.find((content, at) => candidates[at]!.followed && content?.leadsOut !== undefined)?.leadsOut;
  if (out !== undefined) return `outside the workspace: ${out}`;
  const index = contents.findIndex(
    (content, at) => candidates[at]!.destroyed && (content?.guarded !== undefined || content?.guardsComplete === false),
  );
  return index < 0
    ? undefined
    : contents[index]!.guarded === undefined
      ? `too much lies in ${candidates[index]!.word}`
      : `a protected file: ${contents[index]!.guarded}`;
}

function namesOf(facts: readonly (PathFacts | undefined)[]): string[] {
  return [...new Set(facts.flatMap((fact) => (fact ? [fact.relative, fact.real] : [])))];
}

/** The paths that a word may mean: as text and, if it has `..`, as the disk resolves it. */
function pathsOf(word: string, folder: string, cwd: string, home: string): (string | undefined)[] {
  const written = writtenPath(word, folder, cwd, home);
  return [resolveWord(word, folder, cwd, home), ...(written === undefined ? [] : [written])];
}

function candidatesOf(command: ShellCommand, cwd: string, home: string): Candidate[] {
  const { taken: destroyed, followed } = pathEffects(command);
  return touchedWords(command).flatMap(
    ({ word, folders, certain, overwritten = false, isPattern = false, isGuess = false }) =>
      folders.flatMap((folder) =>
        pathsOf(word, folder, cwd, home).map((path) => ({
          word,
          path,
          certain,
          overwritten,
          named: false,
          isPattern,
          isGuess,
          destroyed: destroyed && !isGuess,
          followed,
        })),
      ),
  );
}

/** The endings that Windows has in PATHEXT, and that of PowerShell. */
const programEndings = '.com .exe .bat .cmd .vbs .vbe .js .jse .wsf .wsh .msc .ps1'.split(' ');

/** cmd.exe looks for a program in the folder first. */
function shadowsOf({ words: [program], folders }: ShellCommand, cwd: string, home: string): Candidate[] {
  if (!program?.known || isAbsolute(program.text)) return [];
  const names = ['', ...programEndings].map((end) => program.text + end).filter((name) => /\.\w+$/.test(name));
  return names.flatMap((word) =>
    folders.map((folder) => ({
      word,
      path: resolveWord(word, folder, cwd, home),
      certain: false,
      overwritten: false,
      named: false,
      isGuess: true,
      isShadow: true,
    })),
  );
}

function pathRisks({ word, certain, overwritten, named }: Candidate, facts: PathFacts | undefined): Risk[] {
  if (!certain) return [];
  if (!facts) return [{ kind: 'outside', text: l10n.t('Outside the workspace: {0}', word) }];
  const risks: Risk[] = [];
  // A bare word is a file only if a file of that name exists.
  if (!facts.inside && (named || looksLikePath(word) || facts.exists))
    risks.push({ kind: 'outside', text: l10n.t('Outside the workspace: {0}', facts.relative) });
  if (facts.guarded) risks.push({ kind: 'guarded', text: l10n.t('Touches a protected file: {0}', facts.relative) });
  if (overwritten && facts.exists)
    risks.push({ kind: 'deletes', text: l10n.t('Overwrites a file: {0}', facts.relative) });
  return risks;
}

/** Only the user may allow protected files, files outside, and more than simple commands. */
function reasonToAsk(
  subject: PermissionSubject,
  parsed: CommandLineReading | undefined,
  candidates: readonly Candidate[],
  facts: readonly (PathFacts | undefined)[],
): string | undefined {
  if (subject.contradictions.length > 0) return 'the tool call said something else before';
  if (subject.doubt !== undefined) return subject.doubt;
  if (subject.further.length > 0)
    return `its input has ${subject.further
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ')}`;
  if (subject.cwd !== undefined && hasDots(subject.cwd)) return 'the folder is told by way of another';
  if (subject.commandHint !== undefined) return 'the command is only told in a title';
  if (subject.command && !parsed) return 'the command cannot be taken apart';
  if (parsed && !parsed.isSimple) return 'the command is more than a chain of simple commands';
  if (candidates.length > maxLooks) return 'it names too many files';
  const outside = facts.findIndex((fact) => !fact?.inside);
  if (outside >= 0) return `outside the workspace: ${candidates[outside]!.word}`;
  const guarded = facts.findIndex((fact) => fact?.guarded);
  if (guarded >= 0) return `a protected file: ${candidates[guarded]!.word}`;
  if (facts.some((fact, index) => candidates[index]!.isShadow && fact?.exists))
    return 'the folder has a program of that name';
  const namesFiles =
    subject.kind === 'edit' || subject.kind === 'delete' || subject.kind === 'move' || subject.kind === 'read';
  return namesFiles && subject.paths.length === 0 && !subject.command && !readsInEditor(subject)
    ? 'the agent does not say which files'
    : undefined;
}

function distinct(risks: readonly Risk[]): Risk[] {
  const first = risks.filter((risk, index) => risks.findIndex((other) => other.text === risk.text) === index);
  return first.toSorted((a, b) => riskKinds.indexOf(a.kind) - riskKinds.indexOf(b.kind)).slice(0, 12);
}

/** The host of an address, without a user name before it. */
function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url)?.[1] ?? url.slice(0, 60);
}
