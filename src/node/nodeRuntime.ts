import { findProgram, type LookupEnvironment } from './findProgram';
import { runProgram } from './runProgram';
import { isWithin } from './isWithin';
import { realPathOf } from './trustedFolders';

/** A Node.js that is started directly, without a shim that could choose another one by the current folder. */
export interface NodeRuntime {
  /** Absolute. */
  readonly file: string;
  /** Such as "22.11.0". */
  readonly version: string;
  /** The script of the npm that belongs to it, absolute. Set for Parley's own. */
  readonly npm?: string;
}

const answerMs = 15_000;

/**
 * Finds the Node.js on PATH and asks it for its own file and version. Version managers put a shim on PATH that reads
 * the current folder, so the question is asked in `folder`, which must be ours.
 * @param env its PATH should be clean already (`trustedEnvironment`)
 * @param avoid real paths of folders whose programs are not used
 * @returns undefined if there is none, or none that answers.
 */
export async function findNode(
  env: LookupEnvironment,
  folder: string,
  avoid: readonly string[],
): Promise<NodeRuntime | undefined> {
  const found = await findProgram('node', folder, env, { avoid });
  if (found === undefined) return undefined;
  const answer = await askNode(found, folder, env);
  if (answer === undefined || avoid.some((item) => isWithin(answer.real, item))) return undefined;
  return { file: answer.file, version: answer.version };
}

/**
 * Asks a Node.js for its own file and version.
 * @returns undefined if it does not run.
 */
export async function askNode(
  file: string,
  cwd: string,
  env: LookupEnvironment,
): Promise<(NodeRuntime & { readonly real: string }) | undefined> {
  const question = ['-p', 'JSON.stringify([process.execPath, process.versions.node])'];
  const said = await runProgram(file, question, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    timeoutMs: answerMs,
    maxBytes: 100_000,
  }).then(String, () => '');
  try {
    const [own, version] = JSON.parse(said.trim().split('\n').at(-1) ?? '') as [string, string];
    return { file: own, version, real: await realPathOf(own) };
  } catch {
    return undefined;
  }
}

/**
 * True if a version of Node.js satisfies a package (`engines.node` of its package.json). Only ranges of the form ">=22"
 * or ">=20.12.0" are read; npm itself only warns of any.
 * @returns the lowest sufficient version, if this one is too old.
 */
export function missingNode(version: string, range: unknown): string | undefined {
  const lowest = typeof range === 'string' ? /^\s*>=\s*v?(\d+(?:\.\d+){0,2})\s*$/.exec(range)?.[1] : undefined;
  if (lowest === undefined) return undefined;
  const wanted = lowest.split('.').map(Number);
  const present = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, part] of wanted.entries()) {
    if ((present[index] ?? 0) !== part) return (present[index] ?? 0) < part ? lowest : undefined;
  }
  return undefined;
}
