import type { AgentOffer } from './galleryAgents';

type Entry = Readonly<Record<string, unknown>>;

/** What an offer decides in an entry of `parley.agents`. Everything else in it is the user's. */
const decided = ['registry', 'npm', 'uv', 'archive', 'version', 'program', 'sha256', 'args', 'command'] as const;

/** The entry of an agent that was installed from the index. It says in full what will run, so a start needs no index. */
export function entryOf(id: string, { offer, item, version }: AgentOffer, former: Entry = {}): Entry {
  const kept = Object.fromEntries(Object.entries(former).filter(([key]) => !(decided as readonly string[]).includes(key)));
  const env = { ...(kept['env'] as object | undefined), ...offer.env };
  const program = item.program === undefined ? {} : { program: item.program };
  const source =
    offer.kind === 'archive'
      ? { archive: item.archive!.address, version, ...program, ...(offer.sha256 === undefined ? {} : { sha256: offer.sha256 }) }
      : { [offer.kind]: offer.package, ...program };
  return { ...kept, registry: id, ...source, args: offer.args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}
