import { foldedName } from '../base/fileNames';
import { matchesItems } from './wildcards';

/**
 * Files that configure what runs, what is trusted or what is installed, as globs of `guardMatcher`. The default of the
 * setting `parley.review.guard`; a test compares the two.
 */
export const DEFAULT_GUARDS: readonly string[] = [
  '.env*',
  '.npmrc',
  '.yarnrc*',
  '{package-lock,npm-shrinkwrap,packages.lock}.json',
  '{yarn,bun,deno,Cargo,poetry,uv,pdm,composer,flake,mix,pubspec,Podfile}.lock',
  '{pnpm-lock,pnpm-workspace}.yaml',
  'bun.lockb',
  '{Gemfile,Pipfile}.lock',
  'go.sum',
  'gradle.lockfile',
  'Package.resolved',
  '.github/{workflows,actions}/**',
  '{.gitlab-ci,.travis,appveyor,.appveyor,azure-pipelines*,bitbucket-pipelines,.drone,.pre-commit-config}.{yml,yaml}',
  '{.circleci,.buildkite,.woodpecker,.teamcity,.husky}/**',
  'Jenkinsfile*',
  '.devcontainer/**',
  '.vscode/**',
  '.mcp.json',
  '*.code-workspace',
  '.git/**',
];

/**
 * Files that often contain secrets, as globs of `guardMatcher`. Parley leaves them out of what it gathers by itself, in
 * addition to protected files.
 */
export const SECRET_FILES: readonly string[] = [
  '.env*',
  '*.env',
  '*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '.{netrc,pgpass,htpasswd,git-credentials,pypirc}',
  'credentials*',
  'secrets.*',
  '*.tfstate*',
  '{.aws,.ssh,.gnupg,.kube}/**',
];

/**
 * Limits for globs that a repository may add. Beyond them, a glob or the rest of a list counts as `**`, so that no
 * protected file is missed.
 */
export const MAX_ALTERNATIVES = 256;
export const MAX_GLOBS = 500;
const MAX_GLOB_CHARS = 1_000;

type Tokens = readonly (string | Klass | '*' | '?')[];
interface Klass {
  readonly not: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}
/** One name between slashes; undefined means `**`. */
type Segment = Tokens | undefined;

/**
 * True if a list of globs names the path.
 * @param relativePath relative to the folder of the session or the workspace, with `/` or `\`; an absolute path works
 * too.
 */
export type GuardMatcher = (relativePath: string) => boolean;

/**
 * Makes a predicate: is a file protected, so that the user decides on its changes separately?
 *
 * Globs are VS Code's: `*` and `?` within a name, `**` across folders, `[a-z]`, `[!a]` and `{a,b}`. Three rules are
 * wider here, because a protected file that is missed is worse than one request too many. A glob applies in every
 * folder (`.vscode/**` in `packages/a/.vscode` too), unless it begins with `/`. A glob that names a folder protects
 * everything in it. Case is ignored, and every other difference that macOS ignores. Globs cannot remove protection:
 * `!` at the start is part of the name.
 *
 * The time is bounded by the lengths of path and globs, because a repository may add globs.
 */
export function guardMatcher(globs: readonly string[]): GuardMatcher {
  return matcherOf(
    [...globs.slice(0, MAX_GLOBS), ...(globs.length > MAX_GLOBS ? ['**'] : [])].flatMap(
      (glob) => patternsOf(foldedName(glob)) ?? [[undefined]],
    ),
    foldedName,
  );
}

/**
 * Matcher for rules that allow, so a match too many is worse than one too few: globs begin at the session's folder.
 * @param ignoresCase true if the file system ignores case.
 * @returns undefined if there are too many globs, or if one is too long or has too many alternatives.
 */
export function strictMatcher(globs: readonly string[], ignoresCase: boolean): GuardMatcher | undefined {
  if (globs.length > MAX_GLOBS) return undefined;
  const anchored = globs.map((glob) => (glob.startsWith('/') ? glob : `/${glob}`));
  const keyOf = (name: string) => (ignoresCase ? name.toLowerCase() : name);
  const patterns = anchored.map((glob) => patternsOf(keyOf(glob)));
  return patterns.every((pattern) => pattern !== undefined) ? matcherOf(patterns.flat(), keyOf) : undefined;
}

/** @param keyOf equal for all spellings of a name; already applied to the patterns */
function matcherOf(patterns: readonly Segment[][], keyOf: (name: string) => string): GuardMatcher {
  return (relativePath) => {
    const names = namesIn(keyOf(relativePath)).map((name) => [...name]);
    return (
      names.length > 0 &&
      patterns.some((pattern) => matchesItems(pattern, names, (segment) => segment === undefined, matchesName))
    );
  };
}

/** @returns undefined if the glob exceeds the limits. */
function patternsOf(glob: string): Segment[][] | undefined {
  const written = glob.trim();
  if (written === '' || written === '/') return [];
  if (written.length > MAX_GLOB_CHARS) return undefined;
  return expanded(written)?.map((alternative) => {
    const segments = namesIn(alternative).map((name): Segment => (name === '**' ? undefined : tokensOf(name)));
    return [...(alternative.startsWith('/') ? [] : [undefined]), ...segments, undefined];
  });
}

/** The names in a path, with `.` and `..` resolved. */
function namesIn(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split(/[/\\]/)) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

/** Expands `{a,b}`, also nested. An unclosed brace is text. @returns undefined if there are too many alternatives. */
function expanded(glob: string): string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
    const braces = firstBraces(next);
    if (!braces) done.push(next);
    else for (const choice of braces.choices) open.push(next.slice(0, braces.start) + choice + next.slice(braces.end));
  }
  return done;
}

function firstBraces(glob: string): { start: number; end: number; choices: string[] } | undefined {
  const start = glob.indexOf('{');
  if (start < 0) return undefined;
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at++) {
    if (glob[at] === '{') depth++;
    if (glob[at] === '}') depth--;
    if (depth === 0 || (depth === 1 && glob[at] === ',')) {
      choices.push(glob.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { start, end: at + 1, choices };
  }
  return undefined;
}

function tokensOf(name: string): Tokens {
  const tokens: (string | Klass)[] = [];
  let at = 0;
  while (at < name.length) {
    const klass = name[at] === '[' ? klassAt(name, at) : undefined;
    if (klass) tokens.push(klass.klass);
    // Two stars within a name are one star.
    else if (name[at] !== '*' || tokens.at(-1) !== '*') tokens.push(name[at]!);
    at = klass ? klass.end : at + 1;
  }
  return tokens;
}

function klassAt(name: string, start: number): { klass: Klass; end: number } | undefined {
  const close = name.indexOf(']', start + 2);
  if (close < 0) return undefined;
  const not = name[start + 1] === '!' || name[start + 1] === '^';
  const inner = [...name.slice(start + (not ? 2 : 1), close)];
  const ranges: [string, string][] = [];
  for (let at = 0; at < inner.length; at++) {
    const isRange = inner[at + 1] === '-' && inner[at + 2] !== undefined;
    ranges.push([inner[at]!, isRange ? inner[at + 2]! : inner[at]!]);
    if (isRange) at += 2;
  }
  return ranges.length > 0 ? { klass: { not, ranges }, end: close + 1 } : undefined;
}

function matchesName(segment: Segment, name: readonly string[]): boolean {
  return segment !== undefined && matchesItems(segment, name, (token) => token === '*', matchesChar);
}

function matchesChar(token: Tokens[number], char: string): boolean {
  if (typeof token === 'string') return token === '?' || token === char;
  return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.not;
}
