import * as l10n from '@vscode/l10n';
import { webAddress } from '../../node/webRequest';
import type { RegistryAgent } from '../../registry/decodeIndex';
import { chooseOffer, type Machine, type Offer } from '../../registry/offer';
import { distinctName, nameKey } from '../../registry/lookAlikes';
import {
  type AgentPackage,
  archivePackage,
  exactPackage,
  inVersion,
  packageNameOf,
  specOf,
} from '../../registry/packageNames';
import { isNewer } from '../../registry/versions';
import type { AgentConfiguration } from '../agents/agentSettings';
import { aboutBuiltIn, type BuiltInAgent } from '../agents/catalogue';

/** The version that can be installed for an agent. */
export interface AgentOffer {
  readonly offer: Offer;
  readonly version: string;
  /** The input of the installer. */
  readonly item: AgentPackage;
  /** An address, or a package with its version. */
  readonly from: string;
  readonly host?: string;
}

/** One agent of the gallery. */
export interface GalleryAgent {
  /** Stays the same when the agent is installed. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly kind: 'builtIn' | 'listed' | 'custom' | 'demo';
  /** Its id in the index, if it is there. */
  readonly id?: string;
  /** Its entry of `parley.agents`, or the built-in configuration. */
  readonly configuration?: AgentConfiguration;
  readonly offered?: AgentOffer;
}

export interface GallerySources {
  /** The built-in agents, those of the settings, and the demo. */
  readonly agents: readonly AgentConfiguration[];
  readonly catalogue: readonly BuiltInAgent[];
  readonly listed: readonly RegistryAgent[];
  /** The address of the index. */
  readonly index: URL | undefined;
  readonly machine: Machine;
}

/** All agents in the order of the gallery: those of the user and of Parley, the rest of the index by name, the demo. */
export function galleryAgents(sources: GallerySources): GalleryAgent[] {
  const { agents, listed, catalogue } = sources;
  const taken = new Set<string>();
  const own = agents.map((configuration): GalleryAgent => {
    const { name } = configuration;
    if (configuration.isDemo)
      return {
        key: 'demo',
        name,
        about: l10n.t('Shows what Parley can do. No account or network needed.'),
        kind: 'demo',
        configuration,
      };
    const builtIn = configuration.source?.pinned === false ? catalogue.find((item) => item.name === name) : undefined;
    const entry = listed.find((item) => (builtIn ? isSame(builtIn, item) : item.id === configuration.registry));
    if (entry) taken.add(entry.id);
    const offered = builtIn ? builtInOffer(configuration, entry) : entry && agentOffer(entry, sources);
    return {
      key: builtIn
        ? `builtIn:${builtIn.id}`
        : configuration.registry === undefined
          ? `agent:${name}`
          : `listed:${configuration.registry}`,
      name,
      about: builtIn ? aboutBuiltIn(builtIn) : (entry?.description ?? fromExtension(configuration)),
      kind: builtIn ? 'builtIn' : configuration.registry === undefined ? 'custom' : 'listed',
      ...(entry ? { id: entry.id } : {}),
      configuration,
      ...(offered ? { offered } : {}),
    };
  });
  const names = new Set([...agents, ...catalogue].map(({ name }) => nameKey(name)));
  const keys = listed.map(({ name }) => nameKey(name));
  // The order of the list must not decide which of two gets their common name.
  const shared = new Set(keys.filter((key, at) => keys.indexOf(key) !== at));
  const others = listed
    .filter(({ id }) => !taken.has(id))
    .map((entry): GalleryAgent => {
      const offered = agentOffer(entry, sources);
      const name = distinctName(entry.name, entry.id, (key) => names.has(key) || shared.has(key));
      names.add(nameKey(name));
      return {
        key: `listed:${entry.id}`,
        name,
        about: entry.description,
        kind: 'listed',
        id: entry.id,
        ...(offered ? { offered } : {}),
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const isDemo = ({ kind }: GalleryAgent) => kind === 'demo';
  return [...own.filter((item) => !isDemo(item)), ...others, ...own.filter(isDemo)];
}

function fromExtension({ extension }: AgentConfiguration): string {
  return extension === undefined ? '' : l10n.t('Added by the extension “{0}” for this window.', extension);
}

/** True if an agent of the index is a built-in one: by its id, or by its package. */
function isSame(builtIn: BuiltInAgent, { id, npm }: RegistryAgent): boolean {
  return builtIn.registry.includes(id) || (npm !== undefined && packageNameOf('npm', npm.package) === builtIn.package);
}

/** The built-in version, or that of the index if it is newer. The package is Parley's either way. */
function builtInOffer(
  { source, args, env }: AgentConfiguration,
  entry: RegistryAgent | undefined,
): AgentOffer | undefined {
  if (!source || source.manager !== 'npm') return undefined;
  const listed = entry?.npm && exactPackage('npm', entry.npm.package);
  const isListed = listed !== undefined && listed.name === source.name && isNewer(listed.version, source.version);
  const item = isListed ? inVersion(source, listed.version) : source;
  return { offer: { kind: 'npm', package: specOf(item), args, env }, version: item.version, item, from: specOf(item) };
}

function agentOffer(entry: RegistryAgent, { machine, index }: GallerySources): AgentOffer | undefined {
  const offer = chooseOffer(entry, machine);
  if (!offer) return undefined;
  if (offer.kind === 'archive') {
    const address = webAddress(offer.archive, index);
    if (!address) return undefined;
    const item = archivePackage(entry.id, entry.name, entry.version, offer.program, {
      address: address.href,
      ...(offer.sha256 === undefined ? {} : { sha256: offer.sha256 }),
    });
    return { offer, version: entry.version, item, from: address.href, host: address.host };
  }
  const item = exactPackage(offer.kind, offer.package, offer.program);
  return item && { offer, version: item.version, item, from: specOf(item) };
}

type Icons = Readonly<Record<string, string>>;

/** The icons of the agents in the gallery: SVG, base64. */
export class GalleryIcons {
  byKey: Icons = {};
  byName: Icons = {};
  #reading: Promise<Icons> | undefined;

  /** @param readBuiltIn reads those of built-in agents, by name of the agent */
  constructor(private readonly readBuiltIn: () => Promise<Icons>) {}

  builtIn(): Promise<Icons> {
    return (this.#reading ??= this.readBuiltIn());
  }

  /** @param listed by id in the index @param builtIn for built-in agents without an icon in the index */
  draw(list: readonly GalleryAgent[], listed: Icons, builtIn: Icons): void {
    const drawn = list.flatMap(({ key, name, id, kind }) => {
      const icon = (id === undefined ? undefined : listed[id]) ?? (kind === 'builtIn' ? builtIn[name] : undefined);
      return icon === undefined ? [] : [{ key, name, icon }];
    });
    this.byName = Object.fromEntries(drawn.map(({ name, icon }) => [name, icon]));
    this.byKey = Object.fromEntries(drawn.map(({ key, icon }) => [key, icon]));
  }
}
