import { Later } from '../../base/later';
import type { ChatPanels } from '../panel/chatPanels';
import type { PanelPart } from '../panel/panelSource';
import type { WorktreeParts } from '../panel/viewParts';
import { ChosenAgents } from '../takeOver/chosenAgents';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { Sessions } from './sessions';

/** What users do with worktrees and comparisons. Loaded with the first of them. */
export function createWorktrees(
  basis: Basis,
  agents: Agents,
  changes: Changes,
  parts: Sessions,
  panels: ChatPanels,
): WorktreeParts {
  const { own } = basis;
  const chosen = own(new ChosenAgents());
  const opened = own(
    new Later(async () =>
      (await import('./openWorktrees')).openWorktrees(basis, agents, changes, parts, { chosen, panels }),
    ),
  );
  const commands = own(new Later(async () => (await opened.get()).commands));
  const compare = own(new Later(async () => (await opened.get()).compare));
  return { known: parts.opening.worktrees, chosen, commands, compare };
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
