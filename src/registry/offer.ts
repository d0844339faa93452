import type { ArchiveTarget, MachineTarget, PackageTarget, RegistryAgent } from './decodeIndex';

/** The source from which an agent of an index is installed. */
export type Offer = ({ readonly kind: 'archive' } & ArchiveTarget) | ({ readonly kind: 'npm' | 'uv' } & PackageTarget);

/** The machine that agents run on. */
export interface Machine {
  /** As Node names it. */
  readonly platform: string;
  /** As Node names it. */
  readonly arch: string;
  /** Node.js with npm is on the PATH, or Parley has its own for this machine. */
  readonly hasNode: boolean;
  /** uv is on the PATH, or Parley has its own for this machine. */
  readonly hasUv: boolean;
}

const platforms: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = { arm64: 'aarch64', x64: 'x86_64' };

/** The name of a machine in an index. @returns undefined if an index has none for it */
export function targetOf({ platform, arch }: Pick<Machine, 'platform' | 'arch'>): MachineTarget | undefined {
  const [system, processor] = [platforms[platform], architectures[arch]];
  return system === undefined || processor === undefined ? undefined : (`${system}-${processor}` as MachineTarget);
}

/**
 * Chooses what to install, the best first:
 *
 * 1. an archive with a checksum: it needs nothing else, and its bytes are known
 * 2. a package whose manager is installed: the user's own registry has a hash of it
 * 3. an archive without a checksum, which cannot be verified
 * 4. a package whose manager the user must install first
 *
 * @returns undefined if there is nothing for this machine
 */
export function chooseOffer(agent: RegistryAgent, machine: Machine): Offer | undefined {
  const target = targetOf(machine);
  const archive = target && agent.binary[target];
  const fromArchive: Offer | undefined = archive && { kind: 'archive', ...archive };
  const fromNpm: Offer | undefined = agent.npm && { kind: 'npm', ...agent.npm };
  const fromUv: Offer | undefined = agent.uv && { kind: 'uv', ...agent.uv };
  return (
    (archive?.sha256 === undefined ? undefined : fromArchive) ??
    (machine.hasNode ? fromNpm : undefined) ??
    (machine.hasUv ? fromUv : undefined) ??
    fromArchive ??
    fromNpm ??
    fromUv
  );
}

/** The program that a user must install first. @returns undefined if none is needed or it is installed */
export function missingManager(
  { kind }: Pick<Offer, 'kind'>,
  { hasNode, hasUv }: Pick<Machine, 'hasNode' | 'hasUv'>,
): 'node' | 'uv' | undefined {
  if (kind === 'npm' && !hasNode) return 'node';
  return kind === 'uv' && !hasUv ? 'uv' : undefined;
}
