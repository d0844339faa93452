import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { toLocal } from '../../base/localTime';
import type { Clock } from '../../base/scheduler';
import { exportEntries, exportSession, type TerminalLookup } from '../../thread/exportedSession';
import { exportReading, ExportProblem, maxExportBytes } from '../../thread/readExport';
import type { EntryId } from '../../thread/thread';
import { promptsFrom, turnEntries } from '../../thread/threadTurns';
import { importedTerminal, terminalLookup } from '../../view/exportedTerminals';
import { entriesMarkdown, sessionMarkdown } from '../../view/sessionMarkdown';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { inSlices } from '../platform/slices';
import type { SessionService } from '../sessions/sessionService';
import { allTerminals } from './panelSource';
import type { TerminalService } from '../terminals/terminalService';
import type { ChatPanels } from './chatPanels';
import { sessionLink } from './parleyLinks';

export interface SessionFilesOptions {
  readonly sessions: SessionService;
  /** The terminals of this run of the editor. */
  readonly terminals: { readonly opened: Pick<TerminalService, 'views'> | undefined };
  readonly panels: Pick<ChatPanels, 'revealSideBar'>;
  readonly clock: Clock;
}

/** Exports the shown session to files and to the clipboard, and imports sessions from files. */
export class SessionFiles {
  constructor(private readonly options: SessionFilesOptions) {}

  /** `Parley: Export Session…`: the shown session as a file that the user chooses. */
  async exportSession(): Promise<void> {
    const { session } = this.#active;
    if (session.thread.entries.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('There is no conversation to export yet.'));
    const formats = [
      { label: 'Markdown', detail: l10n.t('For reading and sharing'), extension: 'md' },
      { label: 'JSON', detail: l10n.t('Complete, and can be imported again'), extension: 'json' },
    ] as const;
    const format = await markedWindow.showQuickPick([...formats], {
      title: l10n.t('Export Session'),
      placeHolder: l10n.t('Select a format'),
    });
    if (!format) return;
    const { agent, cwd, title, imported } = this.#active;
    const now = this.options.clock.now();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title: l10n.t('Export Session'),
      filters: { [format.label]: [format.extension] },
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${fileName(now, title)}.${format.extension}`) } : {}),
    });
    if (!target) return;
    const exported = exportSession(
      session.thread,
      { exportedAt: now, title, agent: imported?.agent ?? agent, folder: imported ? undefined : cwd },
      this.#lookup(),
    );
    const text = format.extension === 'md' ? sessionMarkdown(exported) : `${JSON.stringify(exported, undefined, 2)}\n`;
    const bytes = new TextEncoder().encode(text);
    await shownWait(l10n.t('Exporting the session'), Promise.resolve(vscode.workspace.fs.writeFile(target, bytes)));
    const open = l10n.t('Open');
    const told = [l10n.t('The session was exported to “{0}”.', plainText(path.posix.basename(target.path)))];
    if (format.extension === 'json' && bytes.length > maxExportBytes)
      told.push(l10n.t('The file is larger than {0} MB and cannot be imported.', maxExportBytes / 1024 / 1024));
    if ((await markedWindow.showInformationMessage(told.join(' '), open)) === open)
      await vscode.commands.executeCommand('vscode.open', target);
  }

  /** `Parley: Import Session…`: shows a session that was exported as JSON, read-only. */
  async importSession(): Promise<void> {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('Import Session'),
        openLabel: l10n.t('Import'),
        filters: { JSON: ['json'] },
      })) ?? [];
    if (!file) return;
    try {
      const read = async () => inSlices(exportReading(await readBounded(file)));
      const imported = await shownWait(l10n.t('Importing the session'), read());
      this.options.sessions.showImported(
        imported,
        [...imported.terminals].map(([id, terminal]) => importedTerminal(id, terminal)),
      );
      await this.options.panels.revealSideBar();
    } catch (error) {
      const reason = messageOf(error);
      void markedWindow.showErrorMessage(
        l10n.t('“{0}” was not imported. {1}', plainText(path.posix.basename(file.path)), plainText(reason)),
      );
    }
  }

  /** `Parley: Copy Turn as Markdown`. @param entryId of the turn; else the last one */
  async copyTurn(entryId: EntryId | undefined): Promise<void> {
    const { session, agent, imported } = this.#active;
    const turn = turnEntries(session.thread, entryId);
    if (turn.length === 0) return void markedWindow.showInformationMessage(l10n.t('There is nothing to copy yet.'));
    await vscode.env.clipboard.writeText(
      `${entriesMarkdown(exportEntries(turn, this.#lookup()), imported?.agent ?? agent)}\n`,
    );
  }

  /** `Parley: Copy Link to Prompt`. @param entryId of the prompt; else the last one */
  async copyPromptLink(entryId: EntryId | undefined): Promise<void> {
    const { session, imported } = this.#active;
    const prompt = entryId ?? promptsFrom(session.thread).next().value?.id;
    if (imported || prompt === undefined)
      return void markedWindow.showInformationMessage(
        imported ? l10n.t('An imported session has no links.') : l10n.t('There is no prompt to link to yet.'),
      );
    await vscode.env.clipboard.writeText(sessionLink(vscode.env.uriScheme, 'parley.parley', session.id, prompt));
  }

  get #active() {
    return this.options.sessions.active;
  }

  #lookup(): TerminalLookup {
    return terminalLookup(allTerminals(this.#active, this.options.terminals.opened?.views(this.#active.id) ?? []));
  }
}

/** @throws ExportProblem for a file that is too large or no text */
async function readBounded(file: vscode.Uri): Promise<string> {
  const tooLarge = () => new ExportProblem(l10n.t('The file is larger than {0} MB.', maxExportBytes / 1024 / 1024));
  if ((await vscode.workspace.fs.stat(file)).size > maxExportBytes) throw tooLarge();
  const bytes = await vscode.workspace.fs.readFile(file);
  if (bytes.length > maxExportBytes) throw tooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ExportProblem(l10n.t('This is not a session that Parley exported as JSON.'));
  }
}

/** The day and the title, in a form that every file system accepts. */
function fileName(now: number, title = ''): string {
  const words = title
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim();
  return [toLocal(new Date(now).toISOString()).slice(0, 10), words].filter(Boolean).join(' ');
}
