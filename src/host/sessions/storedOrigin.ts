import type { LiveSessionOrigin } from './liveSession';
import type { SessionIndex } from './sessionIndex';
import type { SessionStorage } from './sessionServices';

/**
 * A session that works in a folder of its own. What the agent or a transcript says of that is not enough to take it
 * into reach.
 */
export function placedIn(cwd: string, origin: LiveSessionOrigin, index: Pick<SessionIndex, 'get'>): LiveSessionOrigin {
  const agreed = index.get(origin.id)?.agreedFolder;
  return {
    ...origin,
    cwd,
    roots: agreed === undefined || origin.roots.includes(agreed) ? origin.roots : [agreed, ...origin.roots],
  };
}

/**
 * How a session that is not open was left; undefined where there is none.
 * @param originOf where a session of an agent begins @throws UnreadableTranscript
 */
export async function storedOrigin(
  id: string,
  { transcripts, index }: Pick<SessionStorage, 'transcripts' | 'index'>,
  originOf: (agent: string) => LiveSessionOrigin,
): Promise<LiveSessionOrigin | undefined> {
  const stored = await transcripts.read(id, index.get(id)?.updatedAt);
  if (!stored?.header) return undefined;
  const {
    header: { agent, cwd, createdAt },
    thread,
    terminals,
  } = stored;
  return { ...placedIn(cwd, originOf(agent), index), stored: { thread, createdAt, terminals } };
}
