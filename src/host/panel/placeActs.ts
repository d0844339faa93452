import { pickPlace } from '../worktrees/pickPlace';
import type { LiveSession } from '../sessions/liveSession';
import type { WorktreeParts } from './viewParts';

/** Acts on where a session works: before its first prompt a choice, later a menu. */
export async function actOnPlace(
  type: 'place/choose' | 'worktree/show',
  live: LiveSession,
  { known, chosen, commands, compare }: WorktreeParts,
): Promise<void> {
  if (type === 'worktree/show') {
    const comparison = (await compare.get()).of(live.id);
    return (await commands.get()).show(
      live,
      comparison && { title: comparison.title, show: async () => (await compare.get()).show(comparison) },
    );
  }
  const place = await pickPlace(known, live);
  if (place === undefined) return;
  if (place !== 'compare') chosen.choose(live.id, []);
  else await (await compare.get()).choose(live);
}
