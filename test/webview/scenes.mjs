/** States in which the looks, the layout and the accessibility of the panel are checked. */
import { connectionScenes } from './connectionScenes.mjs';
import { dockScenes } from './dockScenes.mjs';
import { draftScenes } from './draftScenes.mjs';
import { elicitationScenes } from './elicitationScenes.mjs';
import { galleryScenes } from './galleryScenes.mjs';
import { longScenes } from './longScenes.mjs';
import { permissionScenes } from './permissionScenes.mjs';
import { planScenes } from './planScenes.mjs';
import { setupScenes } from './setupScenes.mjs';
import { signInScenes } from './signInScenes.mjs';
import { subagentScenes } from './subagentScenes.mjs';
import { toolScenes } from './toolScenes.mjs';
import { updateScenes } from './updateScenes.mjs';
import { agentMessage, manyOptions, now, threadView, turn, userMessage } from './views.mjs';
import { workScenes } from './workScenes.mjs';

/**
 * @typedef {{ view: import('../../src/protocol/viewModel').ThreadView, ui?:
 * Partial<import('../../src/protocol/viewModel').PanelUiState> }} Scene
 */
/** @satisfies {Record<string, Scene>} */
export const scenes = {
  ...workScenes,
  ...toolScenes,
  ...updateScenes,
  ...dockScenes,
  ...draftScenes,
  ...planScenes,
  ...subagentScenes,
  ...elicitationScenes,
  ...longScenes,
  ...permissionScenes,
  ...setupScenes,
  ...galleryScenes,
  ...signInScenes,
  options: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Hi.')], {
      agent: 'Claude Code',
      turn,
      usage: { context: { used: 64_000, size: 200_000 } },
      options: manyOptions(),
      optionProblem: 'Reasoning effort was not changed to Medium: Invalid params: effort not found: medium',
    }),
  }),
  queue: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Working.')], {
      turn: { ...turn, activity: 'npm run test -- --watch=false --reporter=verbose', canSteer: true },
      follows: true,
      queue: [
        { id: 'q1', text: 'also update the README\nand the rest' },
        { id: 'q2', text: 'then commit '.repeat(20) },
      ],
    }),
  }),
  queuePaused: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Working.')], {
      queue: [
        { id: 'q1', text: 'also update the README\nand the rest' },
        { id: 'q2', text: 'then commit '.repeat(20) },
      ],
      queuePaused: true,
    }),
  }),
  sessions: /** @type {Scene} */ ({
    view: threadView([], {
      sessions: {
        archived: 1,
        loading: true,
        hasMore: true,
        problem: 'Codex could not list its sessions: no',
        items: ['running', 'waiting', 'failed', 'unread', 'open', 'stored', 'atAgent', 'stored'].map((state, i) => ({
          key: `${state} ${i}`,
          title: `${i} `.concat('Make the tokenizer iterative '.repeat(i + 1)),
          agent: ['Claude Code', 'Codex', 'Gemini CLI'][i % 3] ?? '',
          folder: 'tokenizer',
          updatedAt: now - i * i * 7_400_000,
          state: /** @type {any} */ (state),
          isCurrent: i === 0,
          isPinned: i === 2,
          isArchived: i === 7,
          acts: ['rename', 'pin', 'archive', 'delete'],
          ...(i % 2 === 0 ? { usage: { tokens: 12_400 * (i + 1), cost: { amount: 0.25, currency: 'USD' } } } : {}),
        })),
        today: [{ cost: { amount: 1.2, currency: 'USD' } }, { tokens: 341_000 }],
        deleted: { count: 1, title: 'Fix the parser' },
      },
    }),
  }),
  ...connectionScenes,
};
