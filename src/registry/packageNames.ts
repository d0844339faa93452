/** The package manager: npm for Node, uv for Python. */
export type ManagerName = 'npm' | 'uv';

/** The download of an archive. */
export interface ArchiveSource {
  /** Absolute, https. */
  readonly address: string;
  /** Lower case hex. */
  readonly sha256?: string;
  /** SHA-512 as npm writes it, or SHA-256 in lower case hex. It alone decides then, whatever the address. */
  readonly integrity?: string;
}

/** An agent's package in one exact version. */
export interface AgentPackage {
  /** The package manager; an archive is only unpacked. */
  readonly manager: ManagerName | 'archive';
  /** The name of its folder in the store; safe as a file name. */
  readonly key: string;
  /** The package name, with extras: "@google/gemini-cli", "agent[acp]". */
  readonly name: string;
  /** Exact. */
  readonly version: string;
  /** Absolute path of the lockfile that Parley ships for this version; else npm creates one. */
  readonly lock?: string;
  /** The program to start: a path in an archive; a program of a package, if its name differs from the package's. */
  readonly program?: string;
  /** Set for an archive. */
  readonly archive?: ArchiveSource;
}

const npmName = '(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*';
const npmVersion = String.raw`\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?`;
const uvName = String.raw`[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9][\w.-]*(?:,[A-Za-z0-9][\w.-]*)*\])?`;
const uvVersion = String.raw`\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)?`;
const exact: Readonly<Record<ManagerName, RegExp>> = {
  npm: new RegExp(`^(${npmName})@(${npmVersion})$`),
  uv: new RegExp(`^(${uvName})==(${uvVersion})$`),
};

/** Example packages with exact versions, for messages. */
export const specExamples: Readonly<Record<ManagerName, string>> = {
  npm: '@example/my-agent@1.2.3',
  uv: 'my-agent==1.2.3',
};

function packageOf(manager: ManagerName, name: string, version: string, program?: string): AgentPackage {
  // All spellings of one Python package share a folder.
  const key = manager === 'npm' ? name.replace('/', '+') : name.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return { manager, key: `${manager}+${key}`, name, version, ...(program === undefined ? {} : { program }) };
}

/** Reads a package with its exact version. Both parts become names of folders, so anything else is rejected. */
export function exactPackage(manager: ManagerName, spec: string, program?: string): AgentPackage | undefined {
  const [, name, version] = exact[manager].exec(spec) ?? [];
  return name && version ? packageOf(manager, name, version, program) : undefined;
}

/** Makes a package of an archive. Its key is safe as a file name, whatever the name is. */
export function archivePackage(
  id: string,
  name: string,
  version: string,
  program: string,
  archive: ArchiveSource,
): AgentPackage {
  return { manager: 'archive', key: `archive+${id}`, name, version, program, archive };
}

/** The same package in another version. Parley's lockfile belongs to one version only, so it is left out. */
export function inVersion({ manager, key, name, program }: AgentPackage, version: string): AgentPackage {
  return { manager, key, name, version, ...(program === undefined ? {} : { program }) };
}

/** A package with its version, in its manager's spelling. */
export function specOf({ manager, name, version }: Pick<AgentPackage, 'manager' | 'name' | 'version'>): string {
  return `${name}${manager === 'npm' ? '@' : manager === 'uv' ? '==' : ' '}${version}`;
}

/** The spec that asks a manager for the newest version of a package. */
export function latestOf({ manager, name }: Pick<AgentPackage, 'manager' | 'name'>): string {
  return manager === 'npm' ? `${name}@latest` : name;
}

/** The package name of a spec, without its version range. */
export function packageNameOf(manager: ManagerName, spec: string): string {
  const range = manager === 'npm' ? spec.indexOf('@', 1) : spec.search(/[<>=!~]/);
  return range < 0 ? spec : spec.slice(0, range);
}

/** True if a text may name a program of a package. It becomes the name of a file. */
export function isProgramName(text: string): boolean {
  return /^[A-Za-z0-9_][\w.+-]*$/.test(text);
}

/** A program's path inside an archive, such as "./bin/agent". @returns undefined if it leads outside */
export function programPath(text: string): string | undefined {
  const parts = text
    .replaceAll('\\', '/')
    .split('/')
    .filter((part, at) => part !== '' || at === 0)
    .filter((part) => part !== '.');
  const isInside =
    parts.length > 0 && parts.every((part) => part !== '' && part !== '..' && !/[\0-\x1f:*?"<>|]|[. ]$/.test(part));
  return isInside ? parts.join('/') : undefined;
}
