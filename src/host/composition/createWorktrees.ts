import { Later } from '../../base/later';
import type { PanelPart } from '../panel/panelSource';
import type { WorktreeParts } from '../panel/viewParts';
import { ChosenAgents } from '../takeOver/chosenAgents';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { Sessions } from './sessions';

/** What users do with worktrees and comparisons. Loaded with the first of them. */
export function createWorktrees(
  { own, clock, storage: { state } }: Basis,
  { configured }: Agents,
  { service: review }: Changes,
  { service: sessions, opening: { worktrees }, storage: { index } }: Sessions,
): WorktreeParts {
  const chosen = own(new ChosenAgents());
  const commands = own(
    new Later(async () => {
      const { WorktreeCommands } = await import('../takeOver/worktreeCommands');
      return new WorktreeCommands({ worktrees, sessions, index, review });
    }),
  );
  const compare = own(
    new Later(async () => {
      const [{ CompareAgents }, { Comparisons }] = await Promise.all([
        import('../takeOver/compareAgents'),
        import('../takeOver/comparisons'),
      ]);
      return new CompareAgents({
        chosen,
        comparisons: new Comparisons(state),
        worktrees,
        commands: await commands.get(),
        sessions,
        agents: configured.all,
        clock,
      });
    }),
  );
  return { known: worktrees, chosen, commands, compare };
}

/** Where the first prompt of a session will be worked on. */
export function placePart({ known, chosen }: WorktreeParts): PanelPart {
  return {
    changes: [known.onDidChange, chosen.onDidChange],
    followsThread: true,
    piece: ({ id, placeChoice }) => {
      const compared = chosen.of(id).length;
      return { place: placeChoice && compared > 1 ? compared : placeChoice };
    },
  };
}
