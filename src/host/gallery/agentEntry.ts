import { packageNameOf } from '../../registry/packageNames';
import { changeListedEntry } from '../agents/agentEntries';
import type { AgentOffer } from './galleryAgents';

type Entry = Readonly<Record<string, unknown>>;

/** Fields of a `parley.agents` entry that an offer sets. All others are the user's. */
const decided = ['registry', 'npm', 'uv', 'archive', 'version', 'program', 'sha256', 'args', 'command'] as const;

/**
 * The entry of an agent that was installed from the index. It names the exact program, so a start needs no index. The
 * user's variables, including keys, stay only with the source that they were given to.
 */
export function entryOf(id: string, { offer, item, version }: AgentOffer, former: Entry = {}): Entry {
  const program = item.program === undefined ? {} : { program: item.program };
  const source =
    offer.kind === 'archive'
      ? {
          archive: item.archive!.address,
          version,
          ...program,
          ...(offer.sha256 === undefined ? {} : { sha256: offer.sha256 }),
        }
      : { [offer.kind]: offer.package, ...program };
  const kept = Object.fromEntries(
    Object.entries(former).filter(([key]) => !(decided as readonly string[]).includes(key)),
  );
  const env = {
    ...(isSameSource(former, { registry: id, ...source }) ? (kept['env'] as object | undefined) : {}),
    ...offer.env,
  };
  const { env: _env, ...rest } = kept;
  return { ...rest, registry: id, ...source, args: offer.args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/**
 * Writes the entry of an agent that was installed from the index.
 * @param name of a new entry
 */
export async function writeEntry(
  id: string,
  name: string,
  offered: AgentOffer,
): Promise<{ readonly name: string; readonly isSameSource: boolean }> {
  let isSame = false;
  const used = await changeListedEntry(id, name, (former) => {
    const next = entryOf(id, offered, former);
    isSame = isSameSource(former, next);
    return next;
  });
  return { name: used, isSameSource: isSame };
}

/** True if two entries are of one agent from one source: the same package, or archives of one server. */
function isSameSource(former: Entry, next: Entry): boolean {
  return (
    former['registry'] === next['registry'] && sourceOf(former) !== undefined && sourceOf(former) === sourceOf(next)
  );
}

function sourceOf({ npm, uv, archive }: Entry): string | undefined {
  if (typeof npm === 'string') return `npm ${packageNameOf('npm', npm)}`;
  if (typeof uv === 'string') return `uv ${packageNameOf('uv', uv)}`;
  return typeof archive === 'string' && URL.canParse(archive) ? new URL(archive).origin : undefined;
}
