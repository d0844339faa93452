import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import type { PermissionSubject } from '../../permission/subject';
import type { Said } from '../../protocol/fromWebview';
import type { Thread } from '../../thread/thread';
import { wholeList } from '../../view/longLists';
import { planText } from '../../view/planText';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import { markedWindow } from '../platform/markedWindow';
import type { TerminalService } from '../terminals/terminalService';
import { acts, type PanelActs } from './panelActs';
import type { ChangeServices, ViewParts } from './viewParts';

/** Opens and copies parts of a conversation, and stops calls and commands in it. */
export function openActs(
  { view, panel, attachments }: ViewParts,
  changes: ChangeServices,
  terminals: Later<TerminalService>,
  log: Logger,
) {
  const { baselines } = changes;
  return {
    'link/open': async ({ href }, { cwd }) => (await import('../platform/links')).openLink(href, cwd, log),
    'location/open': async ({ path, line, column }, { cwd }) => {
      if (await (await attachments.get()).openStored(path)) return;
      return (await import('../platform/links')).openLocation(path, line, cwd, log, column);
    },
    'symbol/open': async ({ names }, live) =>
      (await import('./openSymbol')).openSymbol(names, live, (text) => panel.post({ type: 'composer/say', text })),
    ...acts(['paths/query', 'snippet/query'], async (message, live) =>
      panel.post(await (await import('./panelQuestions')).answerQuestion(message, live, log)),
    ),
    'list/open': async (message, { session }) => openList(session.thread, message, baselines),
    'diff/open': async (message) => (await import('./openDiffs')).openDiff(view, changes, log, message),
    'diff/review': async (message) => (await import('./openDiffs')).reviewDiff(view, changes, log, message),
    'terminal/open': ({ terminalId }, { session }) => {
      if (!terminals.opened?.open(session.id, terminalId))
        void markedWindow.showInformationMessage(
          l10n.t('This command has ended. Its terminal is no longer available.'),
        );
    },
    'terminal/cancel': ({ terminalId }, { session }) =>
      terminals.opened?.stop(session.id, terminalId) ? undefined : session.cancelTerminal(terminalId),
    'toolCall/cancel': ({ entryId }, { session }) => session.cancelToolCall(entryId),
    'code/copy': ({ text }) => vscode.env.clipboard.writeText(text),
    'code/insert': async ({ text }) => (await import('./codeActions')).insertCode(text),
    'code/newFile': async ({ text, language }) => (await import('./codeActions')).openAsNewFile(text, language),
    'code/save': async ({ text, info }) => (await import('./codeActions')).saveCode(text, info),
  } satisfies Partial<PanelActs>;
}

const titles = () => ({ plan: l10n.t('Plan'), content: l10n.t('Tool output'), locations: l10n.t('Locations') });

/** Opens a whole list as a read-only document. The panel shows only its beginning. */
async function openList(
  thread: Thread,
  { list, entryId }: Said<'list/open'>,
  documents: BaselineDocuments,
): Promise<void> {
  await open(`${titles()[list]}.txt`, wholeList(thread, list, entryId), documents);
}

/**
 * Opens the plan that a request asks to approve, as a read-only document.
 * @param subject undefined if the request is no longer pending
 */
export async function openPlan(subject: PermissionSubject | undefined, documents: BaselineDocuments): Promise<void> {
  await open(`${l10n.t('Plan')}.md`, subject && planText(subject), documents);
}

async function open(name: string, text: string | undefined, documents: BaselineDocuments): Promise<void> {
  if (text !== undefined) await vscode.window.showTextDocument(documents.add(`/${name}`, text), { preview: true });
}
