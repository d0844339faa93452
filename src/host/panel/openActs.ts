import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import type { Attachments } from '../attachments/messageAttachments';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import { markedWindow } from '../platform/markedWindow';
import type { Review } from '../review/review';
import type { PanelReview } from '../review/panelReview';
import type { ChatView } from '../sessions/chatViews';
import { acts, type PanelActs } from './panelActs';
import type { ThreadPanel } from './threadPanel';
import { openList } from './openWhole';
import { answerQuestion } from './panelQuestions';
import { insertCode, openAsNewFile } from './codeActions';

/** The terminals of commands. */
export interface TerminalParts {
  readonly openTerminal: (sessionId: string, terminalId: string) => boolean;
  /** Ends a command that runs here; false where the agent runs it. */
  readonly stopTerminal: (sessionId: string, terminalId: string) => boolean;
}

interface OpenPlace {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly attachments: Later<Attachments>;
  readonly review: Review;
  readonly pending: PanelReview;
  /** Read-only documents. */
  readonly baselines: BaselineDocuments;
  readonly log: Logger;
}

/** What the user opens or copies out of a conversation, and the calls and commands that they stop in it. */
export function openActs(options: TerminalParts & OpenPlace) {
  const { panel, baselines, log } = options;
  return {
    'link/open': async ({ href }, { cwd }) => (await import('../platform/links')).openLink(href, cwd, log),
    'location/open': async ({ path, line, column }, { cwd }) => {
      if (await (await options.attachments.get()).openStored(path)) return;
      return (await import('../platform/links')).openLocation(path, line, cwd, log, column);
    },
    'symbol/open': async ({ names }) =>
      (await import('./openSymbol')).openSymbol(names, (text) => panel.post({ type: 'composer/say', text })),
    ...acts(['paths/query', 'snippet/query'], async (message, live) =>
      panel.post(await answerQuestion(message, live, log)),
    ),
    'list/open': async (message, { session }) => openList(session.thread, message, baselines),
    'diff/open': async (message) => (await import('./toolDiffs')).openDiff(options, message),
    'diff/review': async (message) => (await import('./toolDiffs')).reviewDiff(options, message),
    'terminal/open': ({ terminalId }, { session }) => {
      if (!options.openTerminal(session.id, terminalId))
        void markedWindow.showInformationMessage(
          l10n.t('This command has ended. Its terminal is no longer available.'),
        );
    },
    'terminal/cancel': ({ terminalId }, { session }) =>
      options.stopTerminal(session.id, terminalId) ? undefined : session.cancelTerminal(terminalId),
    'toolCall/cancel': ({ entryId }, { session }) => session.cancelToolCall(entryId),
    'code/copy': ({ text }) => vscode.env.clipboard.writeText(text),
    'code/insert': async ({ text }) => insertCode(text),
    'code/newFile': async ({ text, language }) => openAsNewFile(text, language),
    'code/save': async ({ text, info }) => (await import('./saveCode')).saveCode(text, info),
  } satisfies Partial<PanelActs>;
}
