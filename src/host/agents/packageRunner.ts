import path from 'node:path';
import { isProgramName, type ManagerName, packageNameOf } from '../../registry/packageNames';

/** An entry of `parley.agents` with a package runner that decides which program starts. */
export interface PackageRunner {
  /** As the user wrote it, without folder and ending: "npx". */
  readonly runner: string;
  /**
   * The package that Parley can install instead. Undefined for another kind of package, and for unknown options that
   * may change the program.
   */
  readonly package?: RunnerPackage;
}

/** The package in a runner's arguments. */
export interface RunnerPackage {
  readonly manager: ManagerName;
  /** With its range, if any. */
  readonly spec: string;
  /** The arguments after it, for the agent. */
  readonly args: readonly string[];
  /** Its program, if its name differs from the package's. */
  readonly program?: string;
}

/** Runners that download from npm, by the number of words that name them. */
const npmRunners: Readonly<Record<string, readonly (readonly string[])[]>> = {
  npx: [[]],
  bunx: [[]],
  pnpx: [[]],
  bun: [['x']],
  npm: [['exec'], ['x']],
  pnpm: [['dlx']],
  yarn: [['dlx']],
};
const uvRunners: typeof npmRunners = { uvx: [[]], uv: [['tool', 'run'], ['x']] };
const otherRunners: typeof npmRunners = { pipx: [['run']] };

const harmless = /^(-y|--yes|-q|--quiet|--silent|--bun|--)$/;
const harmlessForUv = /^(-q|--quiet|-v|--verbose|--no-progress|--isolated|--refresh)$/;

/**
 * Recognises runners that look into the current folder before they download, so that a repository decides which program
 * they start.
 * @returns undefined for any other command.
 */
export function packageRunner(command: string, args: readonly string[]): PackageRunner | undefined {
  const runner = path.win32
    .basename(command)
    .replace(/\.(cmd|exe|ps1|bat)$/i, '')
    .toLowerCase();
  const words = (table: typeof npmRunners) =>
    Object.hasOwn(table, runner)
      ? table[runner]!.find((start) => start.every((word, index) => args[index] === word))
      : undefined;
  if (words(otherRunners)) return { runner };
  const ofUv = words(uvRunners);
  const found = ofUv ? uvPackage(args.slice(ofUv.length)) : npmPackage(runner, args, words(npmRunners));
  return found === undefined ? undefined : { runner, ...(found === 'unknown' ? {} : { package: found }) };
}

function npmPackage(
  runner: string,
  args: readonly string[],
  start: readonly string[] | undefined,
): RunnerPackage | 'unknown' | undefined {
  if (!start) return undefined;
  const [spec, ...after] = withoutFirst(args.slice(start.length), harmless);
  // `npm exec` requires "--" before the package's arguments.
  const own = runner === 'npm' && after[0] === '--' ? after.slice(1) : after;
  return spec !== undefined && /^(@[\w.~-]+\/)?[\w.~-]+(@[\w.^~<>=*+-]+)?$/.test(spec) && !spec.startsWith('-')
    ? { manager: 'npm', spec, args: own }
    : 'unknown';
}

/** `uvx name`, `uvx name@1.2.3`, `uvx name==1.2.3` or `uvx --from name==1.2.3 program`. */
function uvPackage(words: readonly string[]): RunnerPackage | 'unknown' {
  let rest = withoutFirst(words, harmlessForUv);
  let from: string | undefined;
  if (rest[0] === '--from') [from, rest] = [rest[1] ?? '', rest.slice(2)];
  else if (rest[0]?.startsWith('--from=')) [from, rest] = [rest[0].slice('--from='.length), rest.slice(1)];
  rest = withoutFirst(rest, harmlessForUv);
  const spec = uvSpec(from ?? rest[0] ?? '');
  if (spec === undefined) return 'unknown';
  const [first, ...args] = rest;
  if (from === undefined) return { manager: 'uv', spec, args };
  if (first === undefined || !isProgramName(first)) return 'unknown';
  return { manager: 'uv', spec, args, ...(first === packageNameOf('uv', spec) ? {} : { program: first }) };
}

/** The name with extras and range in Python's own form, since uvx also accepts "name@1.2.3" and "name@latest". */
function uvSpec(text: string): string | undefined {
  const [name = ''] = /^[A-Za-z0-9][\w.-]*(?:\[[\w.,-]+\])?/.exec(text) ?? [];
  const rest = text.slice(name.length);
  const at = /^@([\w.+]+)$/.exec(rest)?.[1];
  const isRanges = rest === '' || rest.split(',').every((range) => /^[<>=!~]={0,2}[\w.*+]+$/.test(range));
  // Names of Pythons are not packages: `uvx python` runs Python itself.
  if (name === '' || (at === undefined && !isRanges) || /^(c?pythonw?|pypy|graalpy|pyodide)[\d.]*t?$/i.test(name))
    return undefined;
  if (at === undefined) return text;
  return at === 'latest' ? name : /^\d/.test(at) ? `${name}==${at}` : undefined;
}

function withoutFirst(words: readonly string[], passed: RegExp): readonly string[] {
  const start = words.findIndex((word) => !passed.test(word));
  return start < 0 ? [] : words.slice(start);
}
