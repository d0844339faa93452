import { asObject, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';
import { isDeceptive, nameKey } from './lookAlikes';
import { exactPackage, isProgramName, programPath } from './packageNames';
import { isVersion } from './versions';

/** The six kinds of machine for which an index may have an archive. */
export type MachineTarget =
  | 'darwin-aarch64'
  | 'darwin-x86_64'
  | 'linux-aarch64'
  | 'linux-x86_64'
  | 'windows-aarch64'
  | 'windows-x86_64';

/** The arguments and variables with which an agent's program starts. */
interface LaunchWords {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file to download for one kind of machine: an archive, or the program itself. */
export interface ArchiveTarget extends LaunchWords {
  /** The index's own spelling; may be relative to the index. */
  readonly archive: string;
  /** The program in the archive, a relative path without "..". */
  readonly program: string;
  /** Lower case hex. */
  readonly sha256?: string;
}

/** A package of npm or uv with its exact version. */
export interface PackageTarget extends LaunchWords {
  readonly package: string;
  /** The program of the package, if its name differs from the package's. */
  readonly program?: string;
}

/** One agent of an index, checked. All texts are hostile. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly license?: string;
  /** An address or a path relative to the index. */
  readonly icon?: string;
  readonly binary: Readonly<Partial<Record<MachineTarget, ArchiveTarget>>>;
  readonly npm?: PackageTarget;
  readonly uv?: PackageTarget;
}

/** The content of an index. Unusable entries are left out, and `skipped` has one line for each. */
export interface RegistryIndex {
  readonly agents: readonly RegistryAgent[];
  readonly skipped: readonly string[];
}

/** The most entries that are read. */
const maxAgents = 500;
/** The most arguments or variables of one agent. */
const maxWords = 64;
/** The most characters of one argument, variable or address. */
const maxWord = 2_000;

const targets: readonly MachineTarget[] = [
  'darwin-aarch64',
  'darwin-x86_64',
  'linux-aarch64',
  'linux-x86_64',
  'windows-aarch64',
  'windows-x86_64',
];

/** Reads an index. An invalid entry does not affect the others. @returns undefined if it is not an index */
export function decodeIndex(raw: unknown): RegistryIndex | undefined {
  const list = asObject(raw)['agents'];
  if (!Array.isArray(list)) return undefined;
  const agents = new Map<string, RegistryAgent>();
  const skipped: string[] = [];
  for (const [at, item] of list.slice(0, maxAgents).entries()) {
    const agent = decodeAgentEntry(item);
    const label =
      typeof agent === 'string' ? (stringOf(asObject(item)['id'])?.slice(0, 64) ?? `Entry ${at + 1}`) : agent.id;
    if (typeof agent === 'string') skipped.push(`${label}: ${agent}`);
    else if (agents.has(agent.id)) skipped.push(`${label}: the id is there twice`);
    else agents.set(agent.id, agent);
  }
  if (list.length > maxAgents) skipped.push(`${list.length - maxAgents} entries after the first ${maxAgents}`);
  return { agents: [...agents.values()], skipped };
}

/** @returns the agent, or why the entry is unusable, in words */
function decodeAgentEntry(raw: unknown): RegistryAgent | string {
  if (!isObject(raw)) return 'it is no object';
  const id = textOf(raw['id'], 64);
  if (id === undefined || !/^[a-z][a-z0-9-]*$/.test(id)) return 'it has no valid id';
  const name = textOf(raw['name'], 80);
  if (name === undefined) return 'it has no valid name';
  if (isDeceptive(name) || nameKey(name) === '') return 'its name can be taken for another one';
  const version = textOf(raw['version'], 64);
  if (version === undefined || !isVersion(version)) return 'it has no valid version';
  const distribution = asObject(raw['distribution']);
  const binary = decodeBinary(distribution['binary']);
  const npm = decodePackage('npm', distribution['npx']);
  const uv = decodePackage('uv', distribution['uvx']);
  if (Object.keys(binary).length === 0 && !npm && !uv) return 'it has no distribution that Parley knows';
  const [license, icon] = [textOf(raw['license'], 80), textOf(raw['icon'], maxWord)];
  return {
    id,
    name,
    description: textOf(raw['description'], 1_000) ?? '',
    version,
    ...(license === undefined ? {} : { license }),
    ...(icon === undefined ? {} : { icon }),
    binary,
    ...(npm ? { npm } : {}),
    ...(uv ? { uv } : {}),
  };
}

function decodeBinary(raw: unknown): RegistryAgent['binary'] {
  const found = targets.map((target) => [target, decodeArchive(asObject(raw)[target])] as const);
  return Object.fromEntries(found.filter(([, archive]) => archive !== undefined));
}

function decodeArchive(raw: unknown): ArchiveTarget | undefined {
  if (!isObject(raw)) return undefined;
  const archive = textOf(raw['archive'], maxWord);
  const program = textOf(raw['cmd'], 400);
  const words = decodeWords(raw);
  const sha256 = raw['sha256'] ?? undefined;
  // A malformed checksum must not count as absent.
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256))) return undefined;
  const path = program === undefined ? undefined : programPath(program);
  if (archive === undefined || path === undefined || !words) return undefined;
  return { archive, program: path, ...words, ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }) };
}

function decodePackage(manager: 'npm' | 'uv', raw: unknown): PackageTarget | undefined {
  if (!isObject(raw)) return undefined;
  const text = textOf(raw['package'], 400);
  // Python's own form of an exact version; `uvx` also reads "name@1.2.3".
  const spec = manager === 'uv' ? text?.replace(/^([^@=]+)@(?=\d)/, '$1==') : text;
  const words = decodeWords(raw);
  const program = textOf(raw['cmd'], 100);
  if (
    spec === undefined ||
    !words ||
    !exactPackage(manager, spec) ||
    (raw['cmd'] != null && (program === undefined || !isProgramName(program)))
  )
    return undefined;
  return { package: spec, ...words, ...(program === undefined ? {} : { program }) };
}

/**
 * Reads arguments and variables. They reach a process, so a malformed one invalidates the distribution: without it
 * another program would run.
 */
function decodeWords(raw: JsonObject): LaunchWords | undefined {
  const args = raw['args'] ?? [];
  const env = raw['env'] ?? {};
  if (!Array.isArray(args) || args.length > maxWords || !args.every(isWord)) return undefined;
  if (!isObject(env) || Object.keys(env).length > maxWords) return undefined;
  if (!Object.entries(env).every(([name, value]) => /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) && isWord(value)))
    return undefined;
  return { args, env: env as Record<string, string> };
}

/** Variables of the settings (`${env:NAME}`, `${secret}`) are for users; an index must not use them. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxWord && !value.includes('\0') && !value.includes('${');
}

/** A text on one line. */
function textOf(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    .slice(0, limit * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' || text.length > limit || text.includes('\0') ? undefined : text;
}
