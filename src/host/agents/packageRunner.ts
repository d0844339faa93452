import path from 'node:path';

/** An entry of `parley.agents` that lets a package runner choose what starts. */
export interface PackageRunner {
  /** As the user wrote it, without folder and ending: "npx". */
  readonly runner: string;
  /** The package with its range, and what follows it. Undefined where Parley cannot install it: another registry of packages, or options that it does not know. */
  readonly npm?: { readonly spec: string; readonly args: readonly string[] };
}

/** Runners that download from npm, by how many words of the command name them. */
const npmRunners: Readonly<Record<string, readonly (readonly string[])[]>> = {
  npx: [[]],
  bunx: [[]],
  pnpx: [[]],
  bun: [['x']],
  npm: [['exec'], ['x']],
  pnpm: [['dlx']],
  yarn: [['dlx']],
};
const otherRunners: Readonly<Record<string, readonly (readonly string[])[]>> = { uvx: [[]], uv: [['tool', 'run'], ['x']], pipx: [['run']] };

const harmless = /^(-y|--yes|-q|--quiet|--silent|--bun|--)$/;

/**
 * Recognises runners that look into the current folder before they download: a repository decides what they start.
 * @returns undefined for any other command.
 */
export function packageRunner(command: string, args: readonly string[]): PackageRunner | undefined {
  const runner = path.win32.basename(command).replace(/\.(cmd|exe|ps1|bat)$/i, '').toLowerCase();
  const words = (table: typeof npmRunners) => (Object.hasOwn(table, runner) ? table[runner]!.find((start) => start.every((word, index) => args[index] === word)) : undefined);
  if (words(otherRunners)) return { runner };
  const start = words(npmRunners);
  if (!start) return undefined;
  let rest = args.slice(start.length);
  while (rest[0] !== undefined && harmless.test(rest[0])) rest = rest.slice(1);
  const [spec, ...after] = rest;
  // `npm exec` wants "--" before what is for the package.
  const own = runner === 'npm' && after[0] === '--' ? after.slice(1) : after;
  return spec !== undefined && /^(@[\w.~-]+\/)?[\w.~-]+(@[\w.^~<>=*+-]+)?$/.test(spec) && !spec.startsWith('-') ? { runner, npm: { spec, args: own } } : { runner };
}

/** The package of a spec without its range. */
export function packageNameOf(spec: string): string {
  const at = spec.indexOf('@', 1);
  return at < 0 ? spec : spec.slice(0, at);
}
