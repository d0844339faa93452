import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PermissionSubject } from '../../permission/subject';
import type { Said } from '../../protocol/fromWebview';
import type { Thread } from '../../thread/thread';
import { wholeList } from '../../view/longLists';
import { planText } from '../../view/planText';
import type { BaselineDocuments } from '../changes/baselineDocuments';

const titles = () => ({ plan: l10n.t('Plan'), content: l10n.t('Tool output'), locations: l10n.t('Locations') });

/** Opens all of a list of which the panel shows the beginning, as a read-only document. */
export async function openList(
  thread: Thread,
  { list, entryId }: Said<'list/open'>,
  documents: BaselineDocuments,
): Promise<void> {
  await open(`${titles()[list]}.txt`, wholeList(thread, list, entryId), documents);
}

/**
 * Opens the plan that a request asks to approve, as a read-only document.
 * @param subject absent where it is not asked any more
 */
export async function openPlan(subject: PermissionSubject | undefined, documents: BaselineDocuments): Promise<void> {
  await open(`${l10n.t('Plan')}.md`, subject && planText(subject), documents);
}

async function open(name: string, text: string | undefined, documents: BaselineDocuments): Promise<void> {
  if (text !== undefined) await vscode.window.showTextDocument(documents.add(`/${name}`, text), { preview: true });
}
