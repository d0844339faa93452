import type { WorktreeParts } from '../panel/viewParts';
import type { ChatPanels } from '../panel/chatPanels';
import { CompareAgents } from '../takeOver/compareAgents';
import { Comparisons } from '../takeOver/comparisons';
import { TestRuns } from '../takeOver/testRuns';
import { WorktreeCommands } from '../takeOver/worktreeCommands';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { Sessions } from './sessions';

/** Builds what users do with worktrees and comparisons, with the first of them. */
export function openWorktrees(
  { own, clock, storage: { state } }: Basis,
  { configured }: Agents,
  { service: review, guards, contents }: Changes,
  { service: sessions, opening: { worktrees, options }, storage: { index } }: Sessions,
  { chosen, panels }: Pick<WorktreeParts, 'chosen'> & { readonly panels: ChatPanels },
) {
  const commands = new WorktreeCommands({
    worktrees,
    sessions,
    index,
    review,
    contents: contents.contents,
    prompts: {
      isGuarded: guards.isGuarded,
      open: async (prompt) => {
        const { openPrompt } = await import('../ask/openPrompt');
        await openPrompt({ sessions, panels }, { ...prompt, place: () => prompt.place });
      },
    },
  });
  const tests = own(new TestRuns(state, clock));
  const compare = new CompareAgents({
    sides: { sessions, worktrees, tests, clock },
    chosen,
    comparisons: new Comparisons(state),
    commands,
    agents: configured.all,
    options,
  });
  return { commands, compare };
}
