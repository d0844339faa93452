import type { LiveSessionOrigin } from './liveSession';
import type { SessionIndex } from './sessionIndex';
import type { SessionStorage } from './sessionServices';
import type { Worktrees } from '../worktrees/worktrees';

/**
 * A session that works in a folder of its own. What the agent or a transcript says of that is not enough to take it
 * into reach.
 */
export function placedIn(
  cwd: string,
  origin: LiveSessionOrigin,
  index: Pick<SessionIndex, 'get'>,
  worktrees: Pick<Worktrees, 'reach'>,
): LiveSessionOrigin {
  const agreed = index.get(origin.id)?.agreedFolder;
  const roots = agreed === undefined || origin.roots.includes(agreed) ? origin.roots : [agreed, ...origin.roots];
  return { ...origin, cwd, roots: agreed === undefined ? roots : worktrees.reach(cwd, roots) };
}

/**
 * How a session that is not open was left; undefined where there is none.
 * @param originOf where a session of an agent begins @throws UnreadableTranscript
 */
export async function storedOrigin(
  id: string,
  { transcripts, index }: Pick<SessionStorage, 'transcripts' | 'index'>,
  worktrees: Pick<Worktrees, 'reach'>,
  originOf: (agent: string) => LiveSessionOrigin,
): Promise<LiveSessionOrigin | undefined> {
  const record = index.get(id);
  const stored = await transcripts.read(id, record?.updatedAt);
  if (!stored?.header) return undefined;
  const {
    header: { agent, cwd, createdAt },
    thread,
    terminals,
  } = stored;
  // A session may have moved since its transcript began.
  return {
    ...placedIn(record?.cwd ?? cwd, originOf(agent), index, worktrees),
    stored: { thread, createdAt, terminals },
  };
}
