import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { answerText } from '../../thread/threadTurns';
import { type Attachment, lineLabel, type NewAttachment } from '../attachments/attachment';
import { selectedLines } from '../attachments/currentFile';
import { selectionContext } from '../attachments/editorContext';
import type { ChatPanels } from '../panel/chatPanels';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';

export interface InlinePromptOptions {
  readonly sessions: Pick<SessionService, 'active' | 'another' | 'submit' | 'openSession'>;
  readonly panels: Pick<ChatPanels, 'reveal'>;
  readonly store: { save(made: NewAttachment): Promise<Attachment> };
  /** Names of the files with pending changes of a session, for the user. */
  readonly changedBy: (sessionId: string) => readonly string[];
  /** Puts a prompt into the message box instead. */
  readonly toPanel: (text: string, context: readonly NewAttachment[]) => Promise<void>;
  /** Opens the list of agents. */
  readonly showAgents: () => Promise<void>;
}

/**
 * Asks for a change of the selected lines without leaving the editor. Each question is a new session, so that it
 * neither waits for the conversation in the panel nor becomes a part of it. What the agent changes is reviewed as any
 * other change.
 */
export class InlinePrompt {
  constructor(private readonly options: InlinePromptOptions) {}

  async ask(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const { sessions, store, toPanel, showAgents } = this.options;
    if (!editor) return void markedWindow.showInformationMessage(l10n.t('Open an editor to ask here.'));
    const { agent } = sessions.active;
    if (agent === '') return showAgents();
    const place = placeOf(editor);
    // The lines as they are now: the user may go on typing while the box is open.
    const context = selectionContext(editor);
    const asked = await askFor(plainText(agent, 60), place);
    if (!asked) return;
    if (asked.inPanel) return toPanel(asked.text, context);
    const attachments: Attachment[] = [];
    for (const made of context) attachments.push(await store.save(made));
    const live = sessions.another(agent);
    const text = `${asked.text}\n\n${l10n.t('This is about {0}.', place)}`;
    await this.#follow(live, place, sessions.submit({ text, mentions: [], attachments }, live));
  }

  /** Shows that the agent works, with Cancel, and then what came of it. */
  async #follow(live: LiveSession, place: string, ended: Promise<void>): Promise<void> {
    const agent = plainText(live.agent, 60);
    let isStopped = false;
    await markedWindow.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('{0} is working on {1}', agent, place),
        cancellable: true,
      },
      async (_, token) => {
        token.onCancellationRequested(() => {
          isStopped = true;
          live.stop();
        });
        await ended;
      },
    );
    live.markRead();
    const files = this.options.changedBy(live.id);
    if (isStopped && files.length === 0) return;
    await this.#offer(live, this.#outcome(agent, live, files));
  }

  #outcome(agent: string, live: LiveSession, files: readonly string[]): string {
    if (files.length > 0)
      return l10n.t('{0} changed {1}.', agent, namedTogether(files.map((file) => plainText(file, 80))));
    const answer = plainText(answerText(live.session.thread), 300);
    if (live.hasFailed || answer === '') return l10n.t('{0} changed nothing.', agent);
    return l10n.t('{0}: {1}', agent, answer);
  }

  async #offer(live: LiveSession, words: string): Promise<void> {
    const { sessions, panels } = this.options;
    const open = l10n.t('Open in Panel');
    if ((await markedWindow.showInformationMessage(words, open)) !== open) return;
    if (await sessions.openSession(live.id)) await panels.reveal();
  }
}

/** `a.ts:3-5`, 1-based. */
function placeOf({ document, selection }: vscode.TextEditor): string {
  const [first, last] = selectedLines(selection);
  return lineLabel(plainText(nodePath.posix.basename(document.uri.path), 80), first, last);
}

/** @returns undefined if the user left the box or entered nothing */
async function askFor(
  agent: string,
  place: string,
): Promise<{ readonly text: string; readonly inPanel: boolean } | undefined> {
  const box = markedWindow.createInputBox();
  box.title = l10n.t('Ask {0} · {1}', agent, place);
  box.placeholder = l10n.t('Describe the change');
  box.prompt = l10n.t('The change appears in the file, for you to keep or undo.');
  box.buttons = [{ iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: l10n.t('Open in Panel') }];
  const inPanel = await new Promise<boolean | undefined>((resolve) => {
    box.onDidAccept(() => box.value.trim() !== '' && resolve(false));
    box.onDidTriggerButton(() => resolve(true));
    box.onDidHide(() => resolve(undefined));
    box.show();
  });
  const text = box.value.trim();
  box.dispose();
  return inPanel === undefined ? undefined : { text, inPanel };
}
