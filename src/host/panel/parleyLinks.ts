import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import type { ToWebview } from '../../protocol/messages';
import type { EntryId } from '../../thread/thread';
import { markedWindow } from '../platform/markedWindow';

export interface ParleyLinksOptions {
  readonly panel: { reveal(): Promise<void>; revealEntry(entryId: EntryId): void; deliver(message: ToWebview): void };
  readonly sessions: {
    readonly active: { readonly id: string; readonly imported?: object | undefined };
    showNew(): unknown;
    openSession(id: string): Promise<boolean>;
  };
}

/**
 * Opens links to Parley. Web pages and repositories contain them, so a link only shows a session or fills in a prompt:
 * it sends no prompt, starts no agent and replaces no draft.
 */
export class ParleyLinks {
  constructor(private readonly options: ParleyLinksOptions) {}

  /** @param uri as VS Code passes it */
  async open(uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
    const link = readLink(uri);
    if (link === 'unknown')
      return void markedWindow.showWarningMessage(l10n.t('Parley cannot open this link. It may be incomplete.'));
    if (link === 'tooLong')
      return void markedWindow.showWarningMessage(
        l10n.t('Parley cannot open this link. Its prompt is longer than {0} characters.', maxLinkedPrompt),
      );
    if (link.kind === 'prompt') await this.#fill(link.text);
    else await this.#show(link.id, link.entryId);
  }

  async #show(id: string, entryId: EntryId | undefined): Promise<void> {
    const { panel, sessions } = this.options;
    if (!(await sessions.openSession(id)))
      return void markedWindow.showWarningMessage(
        l10n.t(
          'This workspace does not have the linked session. It may belong to another folder or have been deleted.',
        ),
      );
    // The user has chosen another one since.
    if (sessions.active.id !== id) return;
    await panel.reveal();
    if (entryId !== undefined) panel.revealEntry(entryId);
  }

  async #fill(text: string): Promise<void> {
    const { panel, sessions } = this.options;
    if (sessions.active.imported) {
      const create = l10n.t('New Session');
      if (
        (await markedWindow.showInformationMessage(
          l10n.t('Imported sessions are read-only. Open the prompt in a new session?'),
          create,
        )) !== create
      )
        return;
      await panel.reveal();
      sessions.showNew();
    } else await panel.reveal();
    // Otherwise hidden characters would be sent unseen.
    panel.deliver({ type: 'draft/restore', text: visibleText(text), mentions: [] });
    void markedWindow.showInformationMessage(
      l10n.t('A link filled the message box. Read the prompt before you send it.'),
    );
  }
}

/** A link `vscode://parley.parley/…`. */
type ParleyLink =
  | { readonly kind: 'session'; readonly id: string; readonly entryId?: EntryId }
  | { readonly kind: 'prompt'; readonly text: string };

/** Characters of a prompt in a link; browsers cut longer addresses. */
export const maxLinkedPrompt = 8_000;

/** Parts of a link from VS Code, which has decoded them once. */
interface LinkParts {
  readonly path: string;
  readonly query: string;
}

/**
 * Reads a link. Anybody can write one, so it must have exactly the form of Parley's own.
 * @returns the reason if it is none
 */
export function readLink({ path, query }: LinkParts): ParleyLink | 'unknown' | 'tooLong' {
  if (path === '/prompt' && query.startsWith('text=')) {
    // The only field: VS Code has decoded `%26` already, so an `&` of the text looks like one between fields.
    const text = query.slice('text='.length).replaceAll('\r\n', '\n').trim();
    if (text.length > maxLinkedPrompt) return 'tooLong';
    return text === '' ? 'unknown' : { kind: 'prompt', text };
  }
  const id = /^\/session\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(path)?.[1];
  if (id === undefined) return 'unknown';
  if (query === '') return { kind: 'session', id };
  const entryId = /^at=(e\d{1,9})$/.exec(query)?.[1];
  return entryId === undefined ? 'unknown' : { kind: 'session', id, entryId };
}

/** A link to a session, or to an entry in it. @param scheme of this build of VS Code */
export function sessionLink(scheme: string, extensionId: string, id: string, entryId?: EntryId): string {
  return `${scheme}://${extensionId}/session/${id}${entryId === undefined ? '' : `?at=${entryId}`}`;
}
