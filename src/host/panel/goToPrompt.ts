import * as l10n from '@vscode/l10n';
import type { ThreadPanel } from './threadPanel';
import type { EntryId, Thread } from '../../thread/thread';
import { promptsFrom } from '../../thread/threadTurns';
import { markedWindow } from '../platform/markedWindow';
import { labelOf, timeOf } from '../review/checkpointCommands';

/** Lists the prompts of a conversation, the newest first. @returns the one that the user chooses */
export async function pickPrompt(thread: Thread): Promise<EntryId | undefined> {
  const prompts = [...promptsFrom(thread)].map((prompt) => ({
    label: labelOf(prompt),
    description: timeOf(prompt.at),
    id: prompt.id,
  }));
  if (prompts.length === 0)
    return void markedWindow.showInformationMessage(l10n.t('There is no prompt in this conversation yet.'));
  return (
    await markedWindow.showQuickPick(prompts, {
      title: l10n.t('Parley: Go to Prompt'),
      placeHolder: l10n.t('Select a prompt to go to'),
    })
  )?.id;
}

/** Lets the user choose a prompt and shows it in the panel. */
export async function goToPrompt(
  thread: Thread,
  panel: Pick<ThreadPanel, 'reveal' | 'revealEntry'>,
  uncover: () => void,
): Promise<void> {
  const id = await pickPrompt(thread);
  if (id === undefined) return;
  uncover();
  await panel.reveal();
  panel.revealEntry(id);
}
