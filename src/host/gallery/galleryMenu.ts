import type { GalleryAct } from '../../protocol/galleryView';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { GalleryAgent } from './galleryAgents';
import { menuActs, type RowFacts } from './projectAgent';

/** Lets the user choose what else to do with an agent. */
export async function pickAct(agent: GalleryAgent, facts: RowFacts): Promise<GalleryAct | undefined> {
  const items = menuActs(agent, facts).map((act) => ({ ...wordsOf(act, agent, facts), act }));
  const chosen = await markedWindow.showQuickPick(items, { title: `Parley: ${plainText(agent.name, 80)}`, placeHolder: 'Select an action' });
  return chosen?.act;
}

/** @returns whether the user wants it removed */
export async function askToRemove({ name, configuration }: GalleryAgent): Promise<boolean> {
  const action = 'Remove';
  const detail = configuration?.source ? 'Its files are deleted, and it stops if it runs. Your sessions stay in the list.' : 'Its entry in the setting parley.agents is deleted, and it stops if it runs. The program itself stays.';
  return (await markedWindow.showWarningMessage(`Remove ${plainText(name, 80)}?`, { modal: true, detail }, action)) === action;
}

function wordsOf(act: GalleryAct, { offered, kind, configuration }: GalleryAgent, { installed, previous }: RowFacts): { readonly label: string; readonly detail?: string } {
  const version = (text: string | undefined) => plainText(text ?? '', 40);
  switch (act) {
    case 'use':
      return { label: '$(comment-discussion) Use' };
    case 'update':
      return { label: `$(arrow-up) Update to ${version(offered?.version)}`, detail: `Installed is ${version(installed)}.` };
    case 'goBack':
      return { label: `$(history) Go Back to ${version(previous)}`, detail: 'The last version that worked before. Updates are no longer offered.' };
    case 'pin':
      return { label: `$(pinned) Stay on ${version(installed)}`, detail: 'Updates are no longer offered.' };
    case 'unpin':
      return { label: '$(pin) Offer Updates Again' };
    case 'edit':
      return kind === 'custom' && configuration?.source === undefined ? { label: '$(edit) Edit…' } : { label: '$(gear) Edit in Settings' };
    case 'duplicate':
      return { label: '$(copy) Duplicate…' };
    case 'remove':
      return { label: '$(trash) Remove…' };
    default:
      return { label: act };
  }
}
