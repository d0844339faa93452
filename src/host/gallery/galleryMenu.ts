import * as l10n from '@vscode/l10n';
import type { GalleryAct } from '../../protocol/galleryView';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { GalleryAgent } from './galleryAgents';
import { menuActs, type RowFacts } from './projectAgent';

/** Acts of a row's buttons. All others are in VS Code's own menu, so that the panel alone cannot run them. */
export const rowActs: ReadonlySet<GalleryAct> = new Set([
  'use',
  'signIn',
  'install',
  'update',
  'retry',
  'cancel',
  'menu',
]);

/** Lets the user choose a further act for an agent. */
export async function pickAct(agent: GalleryAgent, facts: RowFacts): Promise<GalleryAct | undefined> {
  const items = menuActs(agent, facts).map((act) => ({ ...wordsOf(act, agent, facts), act }));
  const chosen = await markedWindow.showQuickPick(items, {
    title: l10n.t('Parley: {0}', plainText(agent.name, 80)),
    placeHolder: l10n.t('Select an action'),
  });
  return chosen?.act;
}

/** @returns whether the user confirms the removal */
export async function askToRemove({ name, configuration }: GalleryAgent): Promise<boolean> {
  const action = l10n.t('Remove');
  const detail = configuration?.source
    ? l10n.t('Parley stops the agent and deletes its files. Your sessions stay in the list.')
    : l10n.t('Parley stops the agent and deletes its entry in the parley.agents setting. The program itself stays.');
  return (
    (await markedWindow.showWarningMessage(
      l10n.t('Remove {0}?', plainText(name, 80)),
      { modal: true, detail },
      action,
    )) === action
  );
}

function wordsOf(
  act: GalleryAct,
  { offered, kind, configuration }: GalleryAgent,
  { installed, previous }: RowFacts,
): { readonly label: string; readonly detail?: string } {
  const version = (text: string | undefined) => plainText(text ?? '', 40);
  switch (act) {
    case 'use':
      return { label: `$(comment-discussion) ${l10n.t({ message: 'Use', comment: ['Verb: work with this agent.'] })}` };
    case 'update':
      return {
        label: `$(arrow-up) ${l10n.t('Update to {0}', version(offered?.version))}`,
        detail: l10n.t('Version {0} is installed.', version(installed)),
      };
    case 'goBack':
      return {
        label: `$(history) ${l10n.t('Go Back to {0}', version(previous))}`,
        detail: l10n.t('The last version that worked. Parley stops offering updates for this agent.'),
      };
    case 'pin':
      return {
        label: `$(pinned) ${l10n.t('Stay on {0}', version(installed))}`,
        detail: l10n.t('Parley stops offering updates.'),
      };
    case 'unpin':
      return { label: `$(pin) ${l10n.t('Offer Updates Again')}` };
    case 'edit':
      return kind === 'custom' && configuration?.source === undefined
        ? { label: `$(edit) ${l10n.t('Edit…')}` }
        : { label: `$(gear) ${l10n.t('Edit in Settings')}` };
    case 'duplicate':
      return { label: `$(copy) ${l10n.t('Duplicate…')}` };
    case 'remove':
      return { label: `$(trash) ${l10n.t('Remove…')}` };
    default:
      return { label: act };
  }
}
